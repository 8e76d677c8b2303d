import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/features/runs/run-filter.ts';
import { FILTER_FIELDS as fields } from '../../src/features/runs/run-filter-fields.ts';
import { acceptSuggestion, suggestFilter } from '../../src/features/runs/run-filter-suggest.ts';
import { RUNS } from './example-runs.ts';

const suggest = (query: string, caret = query.length) => suggestFilter(query, caret, RUNS, fields);
const first = (query: string, caret = query.length) => {
  const [option] = suggest(query, caret).options;
  if (option === undefined) throw new Error(`nothing is suggested for ${query}`);
  return acceptSuggestion(query, caret, option, fields);
};

describe('suggestions under the filter', () => {
  it('counts the runs that each value would leave, known values first', () => {
    expect(suggest('marked:')).toMatchObject({
      head: 'marked:',
      options: [
        { text: 'marked:no', label: 'no', count: 1 },
        { text: 'marked:yes', label: 'yes', count: 1 },
        { text: 'marked:none-found', label: 'none-found', count: 1 },
        { text: 'marked:by:mira', label: 'by:mira', count: 2 },
      ],
    });
  });

  it('counts within what the other tokens leave', () => {
    const options = suggest('evidence:wire tool:').options;
    expect(options.map(({ label, count }) => [label, count])).toEqual([
      ['get_order', 1],
      ['list_orders', 1],
    ]);
  });

  it('counts numbers by their examples', () => {
    expect(suggest('calls').options.map((option) => option.text)).toEqual(['calls>']);
    expect(suggest('calls>').options).toContainEqual({
      text: 'calls>5',
      label: 'calls>5',
      count: 1,
    });
  });

  it('completes a field, then its value, and puts the caret after it', () => {
    expect(first('mar')).toEqual({ query: 'marked:', caret: 7 });
    expect(first('marked:n')).toEqual({ query: 'marked:no ', caret: 10 });
  });

  it('replaces the token at the caret and keeps the rest', () => {
    const query = 'evid error:yes';
    expect(first(query, 4)).toEqual({ query: 'evidence:error:yes', caret: 9 });
    expect(first('error:y tool:get', 7)).toEqual({ query: 'error:yes tool:get', caret: 10 });
  });

  it('quotes a value that holds a space', () => {
    expect(first('tag:')).toEqual({ query: 'tag:"ticket 12" ', caret: 16 });
  });

  it('corrects an unknown field wherever the caret is', () => {
    expect(suggest('eror:yes ')).toMatchObject({
      head: 'Did you mean',
      options: [{ text: 'error:yes', count: null }],
    });
    expect(first('eror:yes ').query).toBe('error:yes ');
  });

  it('offers only what the filter then understands', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...fields.map((field) => `${field.name}${field.kind === 'word' ? ':' : '>'}`),
        ),
        (query) => {
          for (const option of suggest(query).options) {
            expect(parseFilter(option.text, fields).problems).toEqual([]);
            expect(option.count).toBe(RUNS.filter(parseFilter(option.text, fields).matches).length);
          }
        },
      ),
    );
  });
});
