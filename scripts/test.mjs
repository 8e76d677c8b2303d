// npm test: set up, check, unit tests, browser flows. The last line holds the totals of all of them.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildWeb } from './lib/build-steps.mjs';
import { runChecks, staticSteps, typesStep } from './lib/check-steps.mjs';
import { bringChromium } from './lib/chromium.mjs';
import { runVisible } from './lib/run-command.mjs';
import { setUp } from './lib/set-up.mjs';
import { listFiles } from './lib/stamp.mjs';
import { planTests } from './lib/test-plan.mjs';
import {
  addTotals,
  closingLine,
  noTests,
  totalsFromPlaywright,
  totalsFromVitest,
} from './lib/totals.mjs';
import { reportFolder, rootFolder, say, sayFailure } from './lib/words.mjs';

/** @param {string[]} parts */
const module = (...parts) => path.join(rootFolder, 'node_modules', ...parts);

/**
 * @param {string} file
 * @returns {unknown} undefined when there is no readable report
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} name */
function freshReport(name) {
  mkdirSync(reportFolder, { recursive: true });
  const file = path.join(reportFolder, name);
  rmSync(file, { force: true });
  return file;
}

/**
 * Types and the browser build first: child processes, workers and the browser use what they make.
 * @param {boolean} withChecks
 */
async function buildAndCheck(withChecks) {
  const web = { name: 'browser build', run: async () => void (await buildWeb()) };
  const steps = [typesStep, web, ...(withChecks ? staticSteps : [])];
  say(withChecks ? '\nChecks' : '\nCompiling what changed ...');
  const failed = await runChecks(steps);
  // Alone, the two builds are a means; they count only when they fail.
  return { ...noTests(), passed: withChecks ? steps.length - failed : 0, failed };
}

/** @param {string[]} filters */
async function runVitest(filters) {
  say('\nUnit tests (vitest)');
  const report = freshReport('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const exitCode = await runVisible(process.execPath, [
    module('vitest', 'vitest.mjs'),
    'run',
    ...reporters,
    ...filters,
  ]);
  return totalsFromVitest(readReport(report), exitCode);
}

/** @param {string[]} filters */
async function runPlaywright(filters) {
  say('\nBrowser flows (Playwright)');
  const flows = listFiles([path.join(rootFolder, 'apps', 'web', 'e2e')]);
  if (!flows.some((file) => /\.spec\.tsx?$/.test(file))) {
    say('There are none yet in apps/web/e2e.');
    return noTests();
  }
  const chromium = await bringChromium(process.env);
  say(`Using ${chromium}`);
  const report = freshReport('playwright.json');
  const exitCode = await runVisible(
    process.execPath,
    [module('@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json', ...filters],
    {
      env: { ...process.env, MISSTEP_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    },
  );
  const totals = totalsFromPlaywright(readReport(report), exitCode);
  if (totals.failed > totals.faults.length) say('\nTraces and screenshots: test-results/');
  return totals;
}

/**
 * A part that can't even start counts as one failure, and the next part still runs.
 * @param {() => Promise<import('./lib/totals.mjs').Totals>} part
 */
async function counted(part) {
  try {
    return await part();
  } catch (error) {
    sayFailure(error);
    return { ...noTests(), failed: 1 };
  }
}

async function runAll() {
  const plan = planTests(process.argv.slice(2));
  const ready = await counted(async () => {
    await setUp();
    return noTests();
  });
  if (ready.failed > 0) return [ready];
  const parts = [await counted(() => buildAndCheck(plan.checks))];
  if (plan.vitest) parts.push(await counted(() => runVitest(plan.filters)));
  if (plan.playwright) {
    const filters = plan.vitest ? [] : plan.filters;
    parts.push(await counted(() => runPlaywright(filters)));
  }
  return parts;
}

const totals = addTotals(await runAll());
say('');
for (const fault of totals.faults) say(`Counted as failed: ${fault}`);
say(closingLine(totals));
process.exitCode = totals.failed === 0 ? 0 : 1;
