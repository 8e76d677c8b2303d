// npm run figures -- NAME: the tables in docs/benchmarks, which need packages that the project does not.
import path from 'node:path';
import { buildTypes } from './lib/build-steps.mjs';
import { runVisible } from './lib/run-command.mjs';
import { setUp } from './lib/set-up.mjs';
import { rootFolder, runScript, say } from './lib/words.mjs';

await runScript(async () => {
  await setUp();
  say('Compiling what changed ...');
  await buildTypes();
  const program = path.join(rootFolder, 'packages', 'bench', 'dist', 'figures', 'main.js');
  return runVisible(process.execPath, [program, ...process.argv.slice(2)], { cwd: rootFolder });
});
