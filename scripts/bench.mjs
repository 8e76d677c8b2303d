// npm run bench: the benchmarks, one after another, so that none disturbs another.
import path from 'node:path';
import { buildTypes } from './lib/build-steps.mjs';
import { runVisible } from './lib/run-command.mjs';
import { setUp } from './lib/set-up.mjs';
import { listFiles } from './lib/stamp.mjs';
import { rootFolder, runScript, StepFailed, say } from './lib/words.mjs';

await runScript(async () => {
  const wanted = process.argv.slice(2);
  await setUp();
  say('Compiling what changed ...');
  await buildTypes();
  const folder = path.join(rootFolder, 'packages', 'bench');
  const benches = listFiles([path.join(folder, 'src')])
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)));
  if (benches.length === 0) {
    throw new StepFailed('No benchmark was found in packages/bench/src.', {
      next: 'Benchmarks are files named *.bench.ts; an argument narrows them by name.',
    });
  }
  let failed = 0;
  for (const bench of benches) {
    say(`\n${path.relative(rootFolder, bench)}`);
    const args = ['--conditions=source', '--import', 'tsx', bench];
    if ((await runVisible(process.execPath, args, { cwd: rootFolder })) !== 0) failed += 1;
  }
  say(`\n${benches.length - failed} of ${benches.length} benchmarks ended well.`);
  return failed === 0 ? 0 : 1;
});
