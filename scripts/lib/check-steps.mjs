import path from 'node:path';
import { buildTypes } from './build-steps.mjs';
import { runLogged } from './run-command.mjs';
import { rootFolder, StepFailed, say, sayFailure } from './words.mjs';

/** @param {string[]} parts */
const module = (...parts) => path.join(rootFolder, 'node_modules', ...parts);

/**
 * @typedef {object} CheckStep
 * @property {string} name
 * @property {() => Promise<void>} run throws StepFailed
 */

/**
 * @param {string} name
 * @param {string} logName
 * @param {string[]} args for node
 * @param {string} next what to do about it
 * @returns {CheckStep}
 */
function nodeStep(name, logName, args, next) {
  return {
    name,
    async run() {
      const { exitCode, logFile } = await runLogged(logName, process.execPath, args);
      if (exitCode !== 0) throw new StepFailed(`Check failed: ${name}.`, { logFile, next });
    },
  };
}

/** @type {CheckStep} */
export const typesStep = { name: 'types', run: buildTypes };

/** @type {CheckStep} */
export const directionStep = nodeStep(
  'direction of imports',
  'direction',
  [module('vitest', 'vitest.mjs'), 'run', 'scripts/direction.test.ts'],
  'The table is in scripts/direction/levels.ts.',
);

/** The checks that are not tests of their own. @type {readonly CheckStep[]} */
export const staticSteps = [
  nodeStep(
    'lint and format',
    'lint',
    [module('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'],
    'Much of it is put right by: npx biome check --write .',
  ),
  nodeStep(
    'unused code',
    'unused',
    [module('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'],
    'Remove what is unused; an exception needs a reason in knip.config.ts.',
  ),
  nodeStep(
    'file sizes',
    'sizes',
    [path.join(rootFolder, 'scripts', 'check-sizes.mjs')],
    'Split the file; an exception needs a reason in scripts/check-sizes.mjs.',
  ),
];

/**
 * Runs checks at the same time; prints a line for each as it ends, then what failed.
 * @param {readonly CheckStep[]} steps
 * @returns {Promise<number>} how many failed
 */
export async function runChecks(steps) {
  /** @type {unknown[]} */
  const failures = [];
  await Promise.all(
    steps.map(async (step) => {
      const startedAtMs = performance.now();
      let mark = '✓';
      try {
        await step.run();
      } catch (error) {
        mark = '✗';
        failures.push(error);
      }
      say(`${mark} ${step.name} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
    }),
  );
  for (const failure of failures) sayFailure(failure);
  return failures.length;
}
