// npm run fuzz: the property tests again and again, each round with a seed of its own.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildTypes } from './lib/build-steps.mjs';
import { runVisible } from './lib/run-command.mjs';
import { setUp } from './lib/set-up.mjs';
import { listFiles } from './lib/stamp.mjs';
import { rootFolder, runScript, StepFailed, say } from './lib/words.mjs';

const MINUTE_MS = 60_000;

/**
 * The test files that hold properties, below the given paths.
 * @param {string[]} filters none = all
 */
function propertyTests(filters) {
  const folders = ['packages', 'apps'].map((each) => path.join(rootFolder, each));
  return listFiles(folders)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => path.relative(rootFolder, file))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .filter((file) => readFileSync(path.join(rootFolder, file), 'utf8').includes("'fast-check'"));
}

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: 'string', default: '10' } },
    allowPositionals: true,
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new StepFailed('--minutes takes a number above 0.');
  const files = propertyTests(positionals);
  if (files.length === 0) throw new StepFailed('No property test stands below these paths.');
  await setUp();
  say('Compiling what changed ...');
  await buildTypes();
  const vitest = path.join(rootFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const until = Date.now() + minutes * MINUTE_MS;
  let rounds = 0;
  while (Date.now() < until) {
    rounds += 1;
    const seed = String(randomInt(2 ** 31));
    say(`\nRound ${rounds}, MISSTEP_SEED=${seed}, ${files.length} files`);
    const env = { ...process.env, MISSTEP_SEED: seed };
    const exitCode = await runVisible(process.execPath, [vitest, 'run', ...files], { env });
    if (exitCode !== 0) {
      say(
        `\nFailed with MISSTEP_SEED=${seed}; the same seed fails again: MISSTEP_SEED=${seed} npm test -- PATH`,
      );
      return exitCode;
    }
  }
  say(`\n${rounds} rounds without a failure.`);
  return 0;
});
