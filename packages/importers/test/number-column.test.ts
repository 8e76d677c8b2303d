import { expect, test } from 'vitest';
import { NumberColumn } from '../src/number-column.ts';

test.each([
  ['whole', Uint32Array, (place: number) => place * 3],
  ['broken', Float64Array, (place: number) => place / 3],
] as const)(
  'a column of %s numbers gives back what was set, however many',
  (_name, kind, value) => {
    const column = new NumberColumn(kind);
    expect(column.get(0)).toBe(0);
    for (let place = 0; place < 700_000; place += 1) column.set(place, value(place));
    for (let place = 0; place < 700_000; place += 7) expect(column.get(place)).toBe(value(place));
    expect(column.get(2_000_000)).toBe(0);
    column.set(2_000_000, 5);
    expect(column.get(2_000_000)).toBe(5);
    expect(column.get(1_999_999)).toBe(0);
    column.clear();
    expect([column.get(0), column.get(2_000_000)]).toEqual([0, 0]);
    column.set(3, 4);
    expect([column.get(2), column.get(3)]).toEqual([0, 4]);
  },
);
