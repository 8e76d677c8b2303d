import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdTable } from '../src/id-table.ts';

test('ids are numbered as they come and found again', () => {
  const id = fc.oneof(fc.uuid(), fc.string(), fc.string({ unit: 'binary', maxLength: 40 }));
  fc.assert(
    fc.property(fc.array(id, { maxLength: 3000, size: 'max' }), (ids) => {
      const table = new IdTable();
      const numbers = new Map<string, number>();
      for (const each of ids) {
        expect(table.find(each)).toBe(numbers.get(each) ?? -1);
        if (!numbers.has(each)) {
          numbers.set(each, numbers.size);
          expect(table.add(each)).toBe(numbers.get(each));
        }
      }
      for (const [each, number] of numbers) expect(table.find(each)).toBe(number);
      expect(table.count).toBe(numbers.size);
    }),
    { numRuns: 30 },
  );
});

test('UUIDs that differ in one digit only are told apart', () => {
  const table = new IdTable();
  const base = '0123abcd-4567-89ab-cdef-0123456789ab';
  const all = [...base].flatMap((digit, at) =>
    digit === '-' ? [] : [`${base.slice(0, at)}${digit === 'f' ? '0' : 'f'}${base.slice(at + 1)}`],
  );
  for (const each of all) table.add(each);
  expect(all.map((each) => table.find(each))).toEqual(all.map((_each, index) => index));
  expect(table.find(base)).toBe(-1);
  // Another writing is another id.
  expect(table.find(all[0]?.toUpperCase() ?? '')).toBe(-1);
});
