import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, misstep } from './support.ts';

const ENTRY = fileURLToPath(new URL('../bin/misstep.js', import.meta.url));
/** Enough for pages of the reading and rows on their way to stand in files. */
const TURNS = 9000;

/** A session of as many turns as calls with their results. */
function longSession(): string {
  const lines: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const id = String(turn).padStart(12, '0');
    const base = { sessionId: 'killed', isSidechain: false, timestamp: '2026-01-05T10:00:00.000Z' };
    const call = { type: 'tool_use', id: `toolu_${id}`, name: 'mcp__desk__find', input: { turn } };
    const message = { id: `msg_${id}`, role: 'assistant', model: 'bench', content: [call] };
    lines.push(JSON.stringify({ type: 'assistant', uuid: `a${id}`, ...base, message }));
    const result = { type: 'tool_result', tool_use_id: `toolu_${id}`, content: `shelf ${turn}` };
    const answer = { role: 'user', content: [result] };
    lines.push(JSON.stringify({ type: 'user', uuid: `b${id}`, ...base, message: answer }));
  }
  return `${lines.join('\n')}\n`;
}

/** Resolves once the folder is in that state, or the process has ended first. */
async function until(child: ChildProcess, reached: () => Promise<boolean>): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await reached().catch(() => false)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => []);
}

test('an import that is killed at any moment leaves nothing by half, and runs again', {
  timeout: 240_000,
}, async () => {
  const folder = await makeFolder();
  const file = join(folder, 'long.jsonl');
  const text = longSession();
  await writeFile(file, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const data = (name: string) => join(folder, name);
  const isIn = (name: string, ending: string) => async () =>
    (await namesIn(join(data(name), 'incoming'))).some((each) => each.endsWith(ending));
  const moments: Record<string, () => Promise<boolean>> = {
    started: async () => (await stat(join(data('started'), 'misstep.db'))).size >= 0,
    receiving: async () => (await namesIn(join(data('receiving'), 'incoming'))).length > 0,
    received: async () =>
      (await namesIn(join(data('received'), 'sources'))).some((name) => name.endsWith(sha256)),
    saving: isIn('saving', '.rows'),
  };
  const expected = { steps: 2 * TURNS, toolCalls: TURNS };
  for (const [name, reached] of Object.entries(moments)) {
    const words = [ENTRY, 'import', file, '--data', data(name), '--json'];
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    await until(child, reached);
    expect(child.kill('SIGKILL'), `${name}: it had ended before`).toBe(true);
    await ended;
    const after = await misstep(data(name), ['import', file, '--json']);
    expect(after.documents()).toMatchObject([{ alreadyImported: false, runs: [expected] }]);
    const again = await misstep(data(name), ['import', file, '--json']);
    expect(again.documents()).toMatchObject([{ alreadyImported: true, runs: [expected] }]);
    const runs = await misstep(data(name), ['runs', '--json']);
    expect(JSON.stringify(runs.documents()).match(/"naturalId":"killed"/g)).toHaveLength(1);
    expect(await namesIn(join(data(name), 'incoming'))).toEqual([]);
    const kept = join(data(name), 'sources', sha256.slice(0, 2), sha256);
    expect(
      createHash('sha256')
        .update(await readFile(kept))
        .digest('hex'),
    ).toBe(sha256);
  }
});
