import { expect, test } from 'vitest';
import { addSource, makeImport, makeRun, openTemporaryStore, runIdOf } from './support.ts';

const LARGEST = 2 ** 52 - 4;

test('a source is found by the number of any of its records, as long as a run was read from it', async () => {
  const store = await openTemporaryStore();
  const one = await addSource(store, 'one');
  const two = await addSource(store, 'two');
  const numbers = { one: [8, 4, 4, LARGEST], two: [4, 12] };
  const importOf = (source: typeof one, id: number, given: readonly number[]) => {
    const made = makeImport(source.sha256, [makeRun(source.sha256, { number: id })]);
    const sources = made.sources.map((each) => ({ ...each, numbers: Float64Array.from(given) }));
    return { ...made, sources };
  };
  await store.saveImport(importOf(one, 1, numbers.one));
  const second = importOf(two, 2, numbers.two);
  await store.saveImport(second);
  const found = async (...asked: number[]) =>
    (await store.findSourcesByNumbers(second.format, asked)).map(({ sha256 }) => sha256).sort();
  const both = [one.sha256, two.sha256].sort();
  expect(await found(LARGEST)).toEqual([one.sha256]);
  expect(await found(4)).toEqual(both);
  expect(await found(8, 12)).toEqual(both);
  expect(await found(16)).toEqual([]);
  expect(await store.findSourcesByNumbers('another-format', [4])).toEqual([]);
  // Read anew it holds others; without a run it holds none.
  await store.saveImport(importOf(one, 1, [16]));
  expect([await found(4), await found(16)]).toEqual([[two.sha256], [one.sha256]]);
  await store.deleteRun(runIdOf(2));
  expect(await found(4)).toEqual([]);
});
