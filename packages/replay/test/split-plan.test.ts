import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planSplit } from '../src/index.ts';

const recorded = '{"customer": "Hollow Farm", "since": "last week",\n "limit": 100}';

test('each call has one change, and every other byte of the recording', () => {
  const plan = planSplit(
    recorded,
    '{"customer":"Hollow Farm","since":"2026-11-17","limit":20,"dry":true}',
  );
  expect(plan).toMatchObject({
    ok: true,
    value: {
      sentence: expect.stringMatching(/^3 calls, each with one of the 3 changes/),
      calls: [
        {
          change: { pointer: '/since', before: '"last week"', after: '"2026-11-17"' },
          argumentsText: recorded.replace('"last week"', '"2026-11-17"'),
        },
        { change: { pointer: '/limit' }, argumentsText: recorded.replace('100', '20') },
        {
          change: { pointer: '/dry', before: null },
          argumentsText: recorded.replace('100', '100,"dry":true'),
        },
      ],
    },
  });
});

test.each([
  [recorded, recorded, /nothing to split/],
  [recorded, recorded.replace('100', '1'), /Only `\/limit` differs/],
  [recorded, '{', /not JSON/],
  ['{"a":', recorded, /recorded arguments are not JSON/],
  ['[1,2]', '[2,1]', /JSON objects/],
])('what can not be split says why (%#)', (before, after, words) => {
  const plan = planSplit(before, after);
  expect(plan).toMatchObject({ ok: false, error: expect.stringMatching(words) });
});

test('a plan that nobody would read is refused with its number', () => {
  const of = (value: number) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, value])),
    );
  expect(planSplit(of(1), of(2))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^51 values/),
  });
});

test('any two texts give an answer', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (a, b) => {
      const plan = planSplit(a, b);
      if (plan.ok) expect(plan.value.calls.length).toBeGreaterThan(1);
      else expect(plan.error).not.toBe('');
    }),
  );
});
