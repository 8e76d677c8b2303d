/** npm run figures -- NAME ... [--size 1GB]: each writes docs/benchmarks/NAME.md. */
import { parseArgs } from 'node:util';
import { conformance } from './conformance.ts';
import { importFigure } from './import.ts';
import { latency } from './latency.ts';
import { lossless } from './lossless.ts';
import { servers } from './servers.ts';

const { values, positionals: wanted } = parseArgs({
  options: { size: { type: 'string' } },
  allowPositionals: true,
});
const sizeBytes = values.size === undefined ? null : bytesOf(values.size);
const figures: Readonly<Record<string, () => Promise<void>>> = {
  conformance,
  import: () => importFigure({ sizeBytes }),
  latency,
  lossless,
  servers,
};
const names = wanted.length === 0 ? Object.keys(figures) : wanted;
for (const name of names) {
  const figure = figures[name];
  if (figure === undefined) {
    process.stderr.write(`There is no ${name}. There are: ${Object.keys(figures).join(', ')}.\n`);
    process.exitCode = 2;
    break;
  }
  process.stdout.write(`\n${name}\n`);
  try {
    await figure();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** "300MB", "1GB": of long recordings. */
function bytesOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(MB|GB)$/i.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new Error(`--size ${text}: a size is 300MB or 1GB.`);
  }
  return Number(amount) * (unit.toUpperCase() === 'GB' ? 1e9 : 1e6);
}
