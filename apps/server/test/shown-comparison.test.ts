import type { Comparison } from '@misstep/model';
import { ComparisonSchema } from '@misstep/model';
import { expect, test } from 'vitest';
import { shownComparison } from '../src/services/replay/shown-comparison.ts';

const row = (transcript: string | null, replayed: string | null) => ({
  pointer: '/x',
  verdict: 'server differs now' as const,
  transcript,
  replayed,
  note: null,
});
const comparisonOf = (rows: Comparison['rows']): Comparison => ({
  verdict: 'server differs now',
  sentence: 'They differ.',
  counts: { 'server differs now': rows.length },
  rows,
  rowsOmitted: 0,
  readings: [],
});

test('texts of rows are cut at a character, and what is left out is counted', () => {
  const small = row('1', null);
  const long = 'ä'.repeat(40_000);
  const shown = shownComparison(comparisonOf([small, row(`x${long}`, null), row('2', long)]));
  expect(ComparisonSchema.parse(shown)).toEqual(shown);
  expect(shown?.rows[0]).toBe(small);
  expect(shown?.rows[1]).toMatchObject({
    transcript: `x${'ä'.repeat(32_767)}`,
    replayed: null,
    omittedBytes: { transcript: 80_001 - 65_535, replayed: 0 },
  });
  expect(shown?.rows[2]).toMatchObject({
    transcript: '2',
    replayed: 'ä'.repeat(32_768),
    omittedBytes: { transcript: 0, replayed: 80_000 - 65_536 },
  });
  expect(shownComparison(null)).toBeNull();
});

test('many long rows together stay bounded, and none is empty', () => {
  const rows = Array.from({ length: 5000 }, () => row('y'.repeat(50_000), 'z'.repeat(10_000)));
  const shown = shownComparison(comparisonOf(rows));
  expect(shown?.rows).toHaveLength(5000);
  expect(JSON.stringify(shown).length).toBeLessThan(16_000_000);
  for (const each of shown?.rows ?? []) expect(each.transcript).toMatch(/^y+$/);
});
