import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter, tokenizeFilter } from '../../src/features/runs/run-filter.ts';
import { FILTER_FIELDS as fields } from '../../src/features/runs/run-filter-fields.ts';
import { CLEAN, exampleRun, FARM, PASTED, RUNS } from './example-runs.ts';

const titles = (query: string) => {
  const { matches } = parseFilter(query, fields);
  return RUNS.filter(matches).map((run) => run.title);
};

describe('the filter of the run list', () => {
  it.each([
    ['', [FARM, PASTED, CLEAN]],
    ['error:yes', [FARM]],
    ['status:ok', [PASTED, CLEAN]],
    ['marked:no', [PASTED]],
    ['marked:yes', [FARM]],
    ['marked:none-found', [CLEAN]],
    ['marked:by:mira', [FARM, CLEAN]],
    ['evidence:wire', [FARM]],
    ['tool:get_order', [FARM]],
    ['format:claude', [CLEAN]],
    ['client:"claude code"', [FARM]],
    ['model:sonnet', [FARM]],
    ['outcome:wrong', [FARM]],
    ['outcome:not-set', [PASTED]],
    ['tag:"ticket 12"', [FARM]],
    ['title:report', [CLEAN]],
    ['dur>10m', [FARM]],
    ['dur<30', [CLEAN]],
    ['calls>5', [FARM]],
    ['calls>=3', [FARM, PASTED, CLEAN]],
    ['errs:2', [FARM]],
    ['tokens>100k', [FARM]],
    ['unread>0', [PASTED]],
    ['CURRENCY', [PASTED]],
    ['"seed shop"', [FARM]],
    ['list_orders evidence:logged', [CLEAN]],
    ['error:yes evidence:logged', []],
  ])('%s', (query, expected) => {
    expect(titles(query)).toEqual(expected.map((run) => run.title));
  });

  it('lets a value that is being typed constrain nothing, or by its beginning', () => {
    expect(titles('marked:')).toHaveLength(3);
    expect(titles('evidence:lo')).toEqual([CLEAN.title]);
    expect(parseFilter('evidence:lo', fields).problems).toEqual([]);
  });

  it('names an unknown field, proposes the nearest, and keeps to the parts it understands', () => {
    const parsed = parseFilter('evidence:wire eror:yes', fields);
    expect(parsed.problems.map(({ message, suggestion }) => [message, suggestion])).toEqual([
      ['no field “eror”', 'error:yes'],
    ]);
    expect(RUNS.filter(parsed.matches)).toEqual([FARM]);
  });

  it.each([
    ['calls>many', 'calls takes a number', 'calls>5'],
    ['dur>10x', 'dur takes a number', 'dur>1m'],
    ['evidence:gossip', 'evidence is wire, logged, rendered, derived', 'evidence:wire'],
    ['title>5', 'title takes words, not >', 'title:5'],
    ['zzzzzz:1', 'no field “zzzzzz”', null],
  ])('says what is wrong with %s', (query, message, suggestion) => {
    expect(parseFilter(query, fields).problems).toMatchObject([{ message, suggestion }]);
  });

  it('never takes what is not recorded for zero', () => {
    const timeless = exampleRun(9, { title: 'no clock' });
    expect(parseFilter('dur<1h', fields).matches(timeless)).toBe(false);
    expect(parseFilter('tokens<1M', fields).matches(timeless)).toBe(false);
  });

  it('reads any text without failing, and finds its tokens where they stand', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (query) => {
        for (const token of tokenizeFilter(query)) {
          expect(query.slice(token.start, token.end)).toBe(token.text);
        }
        const { matches } = parseFilter(query, fields);
        expect(typeof RUNS.every(matches)).toBe('boolean');
      }),
    );
  });
});
