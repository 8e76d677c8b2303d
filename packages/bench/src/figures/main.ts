/** npm run figures -- NAME ...: each writes docs/benchmarks/NAME.md. */
import { conformance } from './conformance.ts';
import { importFigure } from './import.ts';
import { latency } from './latency.ts';
import { lossless } from './lossless.ts';
import { servers } from './servers.ts';

const figures: Readonly<Record<string, () => Promise<void>>> = {
  conformance,
  import: importFigure,
  latency,
  lossless,
  servers,
};
const wanted = process.argv.slice(2);
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
