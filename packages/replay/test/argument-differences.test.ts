import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesBetween, mixArguments } from '../src/experiments/argument-differences.ts';

type Arguments = Record<string, unknown>;

describe('mixed arguments', () => {
  it('keep every character that is not switched', () => {
    const a = '{ "n": 9007199254740993,\n "gone": [1], "s" : "\\u00e9" }';
    const b = '{"s":"é","n":1.0,"new":{"x":-0}}';
    const found = differencesBetween(a, b);
    if (!found.ok) throw new Error(found.error);
    expect(found.value).toEqual([
      { name: 'n', a: '9007199254740993', b: '1.0' },
      { name: 'gone', a: '[1]', b: null },
      { name: 'new', a: null, b: '{"x":-0}' },
    ]);
    const mix = (...fromB: boolean[]) => mixArguments(a, b, found.value, fromB);
    expect(mix(false, false, false)).toBe(a);
    expect(mix(true, true, true)).toBe(b);
    expect(mix(true, false, false)).toBe('{ "n": 1.0,\n "gone": [1], "s" : "\\u00e9" }');
    expect(mix(false, true, false)).not.toContain('gone');
    expect(mix(false, false, true)).toContain('"new"');
  });

  it('are the arguments of either side, one by one', () => {
    const args = fc.dictionary(fc.string({ maxLength: 3 }), fc.integer({ max: 3 }), { maxKeys: 5 });
    fc.assert(
      fc.property(args, args, fc.infiniteStream(fc.boolean()), (a, b, coins) => {
        const found = differencesBetween(JSON.stringify(a), JSON.stringify(b));
        if (!found.ok) throw new Error(found.error);
        const fromB = found.value.map(() => coins.next().value === true);
        const mixed: Arguments = JSON.parse(
          mixArguments(JSON.stringify(a), JSON.stringify(b), found.value, fromB),
        );
        for (const [index, { name }] of found.value.entries()) {
          const side: Arguments = fromB[index] === true ? b : a;
          expect(Object.hasOwn(mixed, name)).toBe(Object.hasOwn(side, name));
          expect(mixed[name]).toBe(side[name]);
        }
      }),
    );
  });
});
