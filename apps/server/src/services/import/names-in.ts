import { createReadStream } from 'node:fs';

/** Which of these names (an agent's id) stand in quotes in a file, whatever its format. */
export async function namesIn(path: string, names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const open = new Map(names.map((name) => [name, Buffer.from(`"${name}"`).toString('latin1')]));
  const overlap = Math.max(0, ...[...open.values()].map(({ length }) => length - 1));
  let tail = '';
  for await (const chunk of createReadStream(path, {
    encoding: 'latin1',
    highWaterMark: 1_048_576,
  })) {
    const text = `${tail}${chunk}`;
    for (const [name, quoted] of open) {
      if (!text.includes(quoted)) continue;
      found.add(name);
      open.delete(name);
    }
    if (open.size === 0) break;
    tail = overlap === 0 ? '' : text.slice(-overlap);
  }
  return found;
}
