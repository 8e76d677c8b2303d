import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InOrder } from '../src/in-order.ts';

test('whatever the order of arrival, the order of asking is kept, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), fc.nat(), (keys, seed) => {
      const arrivals = keys.map((key, index) => ({ key, rank: (index * 7919 + seed) % 101 }));
      arrivals.sort((left, right) => left.rank - right.rank);
      const handed: string[] = [];
      const order = new InOrder<{ key: string }>(
        keys,
        ({ key }) => key,
        ({ key }) => handed.push(key),
      );
      for (const arrival of arrivals) order.take(arrival);
      order.finish();
      expect(handed).toEqual(keys);
    }),
  );
});

test('what never arrives holds back only until the end', () => {
  const handed: string[] = [];
  const order = new InOrder<string>(
    ['a', 'b', 'c'],
    (key) => key,
    (key) => handed.push(key),
  );
  order.take('c');
  order.take('b');
  expect(handed).toEqual([]);
  order.finish();
  expect(handed).toEqual(['b', 'c']);
});
