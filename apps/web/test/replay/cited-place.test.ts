import type { ValueDetail } from '@misstep/contract';
import { type Comparison, type ComparisonRow, UlidSchema } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { citedPlaceOf } from '../../src/features/replay/cited-place.ts';

const REPLAY = UlidSchema.parse('01ARZ3NDEKTSV4RRFFQ69G5FAV');
const row = (fields: Partial<ComparisonRow>): ComparisonRow => ({
  pointer: '',
  verdict: 'server differs now',
  transcript: null,
  replayed: null,
  note: null,
  ...fields,
});
const comparison = (rowsBelow = ''): Comparison => ({
  verdict: 'same',
  sentence: '',
  counts: {},
  rows: [],
  rowsOmitted: 0,
  readings: [],
  rowsBelow,
});
const recorded = (text: string | null): ValueDetail => ({
  state: 'captured',
  evidence: 'wire',
  encoding: 'json',
  elisions: [],
  origin: null,
  text,
  sizeBytes: 0,
  omittedBytes: 0,
});

describe('what a row is cited by', () => {
  test('a value that only the live answer has is cited by its replay', () => {
    const live = row({ pointer: '/orders/0', replayed: '{"id":1}' });
    expect(
      citedPlaceOf(comparison('/structuredContent'), live, recorded('{"orders":[]}'), REPLAY),
    ).toMatchObject({ cite: '/structuredContent/orders/0', citeReplay: REPLAY });
    expect(citedPlaceOf(null, undefined, recorded(null), REPLAY)).toMatchObject({
      cite: '',
      citeReplay: REPLAY,
    });
  });

  test('a recorded value is cited where the recorded text has it', () => {
    const gone = row({ pointer: '/orders/0', transcript: '1' });
    const of = (text: string) => citedPlaceOf(comparison(), gone, recorded(text), REPLAY);
    expect(of('{"orders":[1]}')).toEqual({
      cite: '/orders/0',
      words: 'Cites /orders/0 of the recorded result.',
    });
    expect(of('{"content":[{"type":"text","text":"{\\"orders\\":[1]}"}]}').cite).toBe(
      '/content/0/text/orders/0',
    );
  });

  test('of a value on a joined wire alone, the nearest place of the step’s own result', () => {
    const wire = row({ pointer: '/orders/4', wire: '5' });
    expect(citedPlaceOf(comparison(), wire, recorded('{"orders":[1]}'), REPLAY)).toEqual({
      cite: '/orders',
      words: "Cites /orders of the recorded result: the step's own result has no place /orders/4.",
    });
    const ignored = row({ pointer: '/at', transcript: '1', ignoredBy: 'timestamps' });
    expect(citedPlaceOf(comparison(), ignored, recorded('{"at":1}'), REPLAY).words).toBe(
      'Cites /at of the recorded result. This row is ignored by timestamps.',
    );
  });
});
