import { expect, test } from 'vitest';
import { judgeSizes, readSizes } from '../check-sizes.mjs';

const rules = { allowed: {}, fewestFiles: 1 };

test('300 lines are fine, 400 a warning, more a failure', () => {
  const files = [300, 301, 400, 401].map((lines) => ({ file: `${lines}.ts`, lines }));
  const { warnings, failures } = judgeSizes(files, rules);
  expect(warnings).toHaveLength(2);
  expect(failures).toEqual(['401.ts: 401 lines, more than 400']);
});

test('an exception holds only as long as it is needed', () => {
  const allowed = { 'a.ts': 'generated', 'b.ts': 'was long once' };
  const files = [
    { file: 'a.ts', lines: 900 },
    { file: 'b.ts', lines: 20 },
  ];
  expect(judgeSizes(files, { ...rules, allowed }).failures).toEqual([
    'b.ts: is on the list of exceptions and need not be',
  ]);
});

test('having read nothing is a failure', () => {
  expect(judgeSizes([], rules).failures).toHaveLength(1);
});

test('reads sources and tests, not fixtures', () => {
  const files = readSizes().map(({ file }) => file);
  expect(files).toContain('packages/json/src/index.ts');
  expect(files).toContain('scripts/test/check-sizes.test.ts');
  expect(files.filter((file) => file.includes('/fixtures/'))).toEqual([]);
});
