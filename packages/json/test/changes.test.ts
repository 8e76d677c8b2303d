import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyAt, equalJson, listChanges, parseJson } from '../src/index.ts';
import { mustParse, prettyText } from './support.ts';

const changesOf = (before: string, after: string) =>
  listChanges(mustParse(before), mustParse(after));

function copied(text: string, source: string, pointer: string): string {
  const edited = copyAt(text, source, pointer);
  if (!edited.ok) throw new Error(edited.error.message);
  return edited.value;
}

describe('the values that differ between two texts', () => {
  test.each([
    ['{"a":1,"b":"x"}', '{ "b": "x",\n "a": 1 }', []],
    ['{"a":1}', '{"a":1.0}', [['/a', '1', '1.0']]],
    ['{"a":{"b":[1,2]}}', '{"a":{"b":[1,3]}}', [['/a/b/1', '2', '3']]],
    ['{"a":[1,2]}', '{"a":[0,1,2]}', [['/a', '[1,2]', '[0,1,2]']]],
    ['{"a":1}', '{"a":{"b":2}}', [['/a', '1', '{"b":2}']]],
    [
      '{"gone":1,"x":1}',
      '{"x":1,"new/one":{"y":2}}',
      [
        ['/new~1one', null, '{"y":2}'],
        ['/gone', '1', null],
      ],
    ],
    ['{"a":1,"a":2,"b":0}', '{"a":3,"a":2,"b":0}', [['/a~#0', '1', '3']]],
    ['{"o":{"a":1,"a":2}}', '{"o":{"a":2}}', [['/o', '{"a":1,"a":2}', '{"a":2}']]],
    ['{"__proto__":1}', '{"__proto__":2}', [['/__proto__', '1', '2']]],
    ['{"a":"\\u0041"}', '{"a":"A"}', [['/a', '"\\u0041"', '"A"']]],
  ] as const)('%s and %s', (before, after, expected) => {
    expect(changesOf(before, after).map((each) => [each.pointer, each.before, each.after])).toEqual(
      expected,
    );
  });

  test('deep texts are walked without recursion', () => {
    const deep = (leaf: string) => `${'{"a":'.repeat(20_000)}${leaf}${'}'.repeat(20_000)}`;
    expect(changesOf(deep('1'), deep('2'))).toHaveLength(1);
  });
});

describe('a value copied from another text', () => {
  const recorded = '{\n  "customer": "Hollow Farm",\n  "since": "last week",\n  "limit": 100\n}';

  test.each([
    ['/since', '{\n  "customer": "Hollow Farm",\n  "limit": 100\n}'],
    ['/customer', '{\n  "since": "last week",\n  "limit": 100\n}'],
    ['/limit', '{\n  "customer": "Hollow Farm",\n  "since": "last week"\n}'],
    ['/limit', recorded.replace('100', '9007199254740993')],
    ['/extra', recorded.replace('100', '100,\n  "extra": {"a":1}')],
  ])('puts %s back to the recorded bytes', (pointer, edited) => {
    expect(copied(edited, recorded, pointer)).toBe(recorded);
  });

  test('leaves the rest as it was typed', () => {
    const typed = '{"limit":1e400,   "customer":"\\ud800", "since":"x"}';
    expect(copied(typed, recorded, '/since')).toBe(
      '{"limit":1e400,   "customer":"\\ud800", "since":"last week"}',
    );
  });

  test('puts an only member back with its space', () => {
    expect(copied('{}', '{ "a": 1 }', '/a')).toBe('{ "a": 1 }');
    expect(copied('{\n}', '{"a":1}', '')).toBe('{"a":1}');
  });

  test('a text that is no JSON, or a place that is in neither, is an error', () => {
    expect(copyAt('{', '{}', '/a').ok).toBe(false);
    expect(copyAt('{}', '{', '/a').ok).toBe(false);
    expect(copyAt('{}', '{}', '/a').ok).toBe(false);
    expect(copyAt('{"b":1}', '{"b":{"c":1}}', '/b/c').ok).toBe(false);
  });
});

test('putting back every change in turn gives the recorded values, and one change at a time is that change', () => {
  fc.assert(
    fc.property(prettyText(), prettyText(), (recorded, edited) => {
      const changes = changesOf(recorded, edited);
      let text = edited;
      for (const { pointer } of changes) {
        text = copied(text, recorded, pointer);
        expect(parseJson(text).ok).toBe(true);
      }
      expect(changesOf(recorded, text)).toEqual([]);
      expect(equalJson(mustParse(recorded), mustParse(text))).not.toBe('different');
      for (const change of changes) {
        expect(changesOf(recorded, copied(recorded, edited, change.pointer))).toEqual([change]);
      }
    }),
  );
});

test('values edited in place are put back to the very bytes', () => {
  fc.assert(
    fc.property(prettyText(), fc.infiniteStream(prettyText()), fc.nat(3), (text, values, count) => {
      const recorded = `{"first": ${text},\r\n "second":[${text}] , "third" : ${text}}`;
      let edited = recorded;
      const pointers = ['/first', '/second/0', '/third'].slice(0, count);
      for (const pointer of pointers) {
        const value = `{"first":${[...values.take(1)][0]},"second":[${[...values.take(1)][0]}],"third":1}`;
        edited = copied(edited, value, pointer);
      }
      let back = edited;
      for (const { pointer } of changesOf(recorded, edited)) back = copied(back, recorded, pointer);
      // Members that come and go inside a value may come back with other space around them.
      expect(changesOf(recorded, back)).toEqual([]);
      for (const pointer of pointers) back = copied(back, recorded, pointer);
      expect(back).toBe(recorded);
    }),
  );
});
