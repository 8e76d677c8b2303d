/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} faults what counts as failed though no test says so, in words
 */

/** @returns {Totals} */
export const noTests = () => ({ passed: 0, failed: 0, skipped: 0, faults: [] });

/**
 * @param {unknown} value
 * @param {string} key
 * @returns {number}
 */
function count(value, key) {
  const number = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof number === 'number' ? number : 0;
}

/**
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown[]}
 */
function list(value, key) {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return Array.isArray(found) ? found : [];
}

/**
 * Adds what a runner's own counts leave out: a crash, and a run in which nothing ran.
 * @param {string} runner
 * @param {Totals} totals
 * @param {number} exitCode
 * @returns {Totals}
 */
function withFaults(runner, totals, exitCode) {
  const faults = [...totals.faults];
  if (totals.passed + totals.failed === 0 && faults.length === 0) {
    faults.push(`${runner} ran no test (exit code ${exitCode})`);
  } else if (exitCode !== 0 && totals.failed === 0 && faults.length === 0) {
    faults.push(`${runner} ended with exit code ${exitCode} though no test failed`);
  }
  return { ...totals, failed: totals.failed + faults.length, faults };
}

/**
 * Totals from vitest's JSON report.
 * @param {unknown} report undefined: there is none, or it can't be read
 * @param {number} exitCode
 * @returns {Totals}
 */
export function totalsFromVitest(report, exitCode) {
  if (report === undefined) {
    return withFaults(
      'vitest',
      { ...noTests(), faults: [`vitest left no report (exit code ${exitCode})`] },
      exitCode,
    );
  }
  // A file that fails while it is loaded has no test that could say so.
  const brokenFiles = list(report, 'testResults').filter(
    (file) =>
      typeof file === 'object' &&
      file !== null &&
      Reflect.get(file, 'status') === 'failed' &&
      !list(file, 'assertionResults').some(
        (test) =>
          typeof test === 'object' && test !== null && Reflect.get(test, 'status') === 'failed',
      ),
  );
  return withFaults(
    'vitest',
    {
      passed: count(report, 'numPassedTests'),
      failed: count(report, 'numFailedTests'),
      skipped: count(report, 'numPendingTests') + count(report, 'numTodoTests'),
      faults: brokenFiles.map((file) => `could not be run: ${Reflect.get(Object(file), 'name')}`),
    },
    exitCode,
  );
}

/**
 * Totals from Playwright's JSON report. A flaky test counts as failed: nothing is tried twice here.
 * @param {unknown} report undefined: there is none, or it can't be read
 * @param {number} exitCode
 * @returns {Totals}
 */
export function totalsFromPlaywright(report, exitCode) {
  if (report === undefined) {
    return withFaults(
      'Playwright',
      { ...noTests(), faults: [`Playwright left no report (exit code ${exitCode})`] },
      exitCode,
    );
  }
  const stats =
    typeof report === 'object' && report !== null ? Reflect.get(report, 'stats') : undefined;
  return withFaults(
    'Playwright',
    {
      passed: count(stats, 'expected'),
      failed: count(stats, 'unexpected') + count(stats, 'flaky'),
      skipped: count(stats, 'skipped'),
      faults: [],
    },
    exitCode,
  );
}

/**
 * @param {readonly Totals[]} parts
 * @returns {Totals}
 */
export function addTotals(parts) {
  const sum = noTests();
  for (const part of parts) {
    sum.passed += part.passed;
    sum.failed += part.failed;
    sum.skipped += part.skipped;
    sum.faults.push(...part.faults);
  }
  if (sum.passed + sum.failed === 0) {
    sum.failed = 1;
    sum.faults.push('no test ran');
  }
  return sum;
}

/**
 * The closing line, e.g. `12 passed, 0 failed, 1 skipped`.
 * @param {Totals} totals
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
