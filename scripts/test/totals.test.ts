import { describe, expect, test } from 'vitest';
import {
  addTotals,
  closingLine,
  noTests,
  totalsFromPlaywright,
  totalsFromVitest,
} from '../lib/totals.mjs';

const vitestReport = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] }],
};

describe('vitest', () => {
  test('passed and skipped', () => {
    expect(totalsFromVitest(vitestReport, 0)).toEqual({
      passed: 7,
      failed: 0,
      skipped: 3,
      faults: [],
    });
  });

  test('failed', () => {
    const file = { name: 'b.test.ts', status: 'failed', assertionResults: [{ status: 'failed' }] };
    const report = { ...vitestReport, numFailedTests: 1, testResults: [file] };
    expect(totalsFromVitest(report, 1)).toMatchObject({ passed: 7, failed: 1, faults: [] });
  });

  test('a file that could not be loaded counts as failed', () => {
    const file = { name: 'b.test.ts', status: 'failed', assertionResults: [] };
    const totals = totalsFromVitest({ ...vitestReport, testResults: [file] }, 1);
    expect(totals).toMatchObject({ passed: 7, failed: 1, faults: ['could not be run: b.test.ts'] });
  });

  test('an error outside any test counts as failed', () => {
    expect(totalsFromVitest(vitestReport, 1)).toMatchObject({
      failed: 1,
      faults: ['vitest ended with exit code 1 though no test failed'],
    });
  });

  test('no report: it crashed', () => {
    expect(totalsFromVitest(undefined, 139)).toMatchObject({
      passed: 0,
      failed: 1,
      faults: ['vitest left no report (exit code 139)'],
    });
  });

  test.each([{}, { numPassedTests: 0, numPendingTests: 4, testResults: [] }, null, 'text'])(
    'nothing ran: %j',
    (report) => {
      expect(totalsFromVitest(report, 0)).toMatchObject({ passed: 0, failed: 1 });
    },
  );
});

describe('Playwright', () => {
  test('expected, unexpected, flaky and skipped', () => {
    const report = { stats: { expected: 5, unexpected: 2, flaky: 1, skipped: 3 } };
    expect(totalsFromPlaywright(report, 1)).toEqual({
      passed: 5,
      failed: 3,
      skipped: 3,
      faults: [],
    });
  });

  test('no report, no test, or a bad end', () => {
    expect(totalsFromPlaywright(undefined, 1).failed).toBe(1);
    expect(totalsFromPlaywright({ stats: { expected: 0 }, errors: [{}] }, 1).failed).toBe(1);
    expect(totalsFromPlaywright({ stats: { expected: 4 } }, 1)).toMatchObject({
      passed: 4,
      failed: 1,
    });
  });
});

describe('the sum', () => {
  test('adds up', () => {
    const sum = addTotals([
      { passed: 3, failed: 0, skipped: 0, faults: [] },
      { passed: 4, failed: 1, skipped: 2, faults: ['x'] },
    ]);
    expect(sum).toEqual({ passed: 7, failed: 1, skipped: 2, faults: ['x'] });
    expect(closingLine(sum)).toBe('7 passed, 1 failed, 2 skipped');
  });

  test('no test at all is a failure', () => {
    expect(addTotals([noTests(), { ...noTests(), skipped: 9 }])).toMatchObject({
      failed: 1,
      skipped: 9,
    });
    expect(addTotals([])).toMatchObject({ failed: 1 });
  });

  test('skipped is left out when there is none', () => {
    expect(closingLine({ ...noTests(), passed: 12 })).toBe('12 passed, 0 failed');
  });
});
