import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  insertAt,
  listPointers,
  nodeText,
  parseJson,
  printJson,
  removeAt,
  replaceAt,
  resolvePointer,
} from '../src/index.ts';
import { mustParse, prettyText } from './support.ts';

describe('pointers', () => {
  it('lists every value with a pointer that resolves to it, duplicates included', () => {
    fc.assert(
      fc.property(prettyText(), (text) => {
        const doc = mustParse(text);
        let count = 0;
        for (const { pointer, node } of listPointers(doc)) {
          expect(resolvePointer(doc, pointer)).toBe(node);
          count += 1;
        }
        expect(count).toBeGreaterThan(0);
      }),
    );
  });

  it('addresses each duplicate', () => {
    const doc = mustParse('{"a":1,"b":0,"a":2,"a":3,"~#0":4,"x/y":5}');
    const at = (pointer: string) => {
      const node = resolvePointer(doc, pointer);
      return node && nodeText(doc, node);
    };
    expect([at('/a~#0'), at('/a~#1'), at('/a~#2'), at('/a'), at('/a~#3')]).toEqual([
      ...['1', '2', '3', '3', undefined],
    ]);
    expect([at('/~0#0'), at('/x~1y'), at('/~#0'), at('a'), at('/~2')]).toEqual([
      ...['4', '5', undefined, undefined, undefined],
    ]);
    expect([...listPointers(doc)].map((entry) => entry.pointer)).toEqual([
      ...['', '/a~#0', '/b', '/a~#1', '/a', '/~0#0', '/x~1y'],
    ]);
  });

  it('follows RFC 6901 for arrays', () => {
    const doc = mustParse('[10,[20]]');
    expect(resolvePointer(doc, '/1/0')).toMatchObject({ start: 5, end: 7 });
    for (const pointer of ['/01', '/-', '/2', '/1/0/0', '/+1', '/0~#0']) {
      expect(resolvePointer(doc, pointer)).toBeUndefined();
    }
  });
});

describe('replaceAt', () => {
  it('changes the addressed span and nothing else', () => {
    fc.assert(
      fc.property(prettyText(), prettyText(), fc.nat(), (text, piece, pick) => {
        const doc = mustParse(text);
        const entries = [...listPointers(doc)];
        const entry = entries[pick % entries.length];
        if (entry === undefined) throw new Error('no entry');
        const result = replaceAt(text, entry.pointer, piece);
        if (!result.ok) throw new Error(result.error.message);
        const inner = mustParse(piece);
        const kept = nodeText(inner, inner.root);
        const { start, end } = entry.node;
        expect(result.value).toBe(text.slice(0, start) + kept + text.slice(end));
        const again = mustParse(result.value);
        const replaced = resolvePointer(again, entry.pointer);
        expect(replaced && nodeText(again, replaced)).toBe(kept);
      }),
    );
  });

  it('refuses what is not JSON and pointers that lead nowhere', () => {
    expect(replaceAt('{"a":1}', '/a', 'nope')).toMatchObject({
      ok: false,
      error: { code: 'JSON_SYNTAX', message: expect.stringContaining('In the new value') },
    });
    expect(replaceAt('{"a":1}', '/b', '1')).toMatchObject({
      ok: false,
      error: { code: 'JSON_POINTER', pointer: '/b' },
    });
  });
});

describe('removeAt and insertAt', () => {
  it.each([
    ['{"a":1, "b":2}', '/a', '{"b":2}'],
    ['{"a":1, "b":2}', '/b', '{"a":1}'],
    ['[ 1 ]', '/0', '[  ]'],
    ['[1,\n 2,\n 3]', '/1', '[1,\n 3]'],
    ['{"a":1,"a":2}', '/a~#0', '{"a":2}'],
  ])('removes from %j at %s', (text, pointer, expected) => {
    expect(removeAt(text, pointer)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['{}', '/a', '{"a":9}'],
    ['{\n  "a": 1\n}', '/b', '{\n  "a": 1,\n  "b": 9\n}'],
    ['[1, 2]', '/1', '[1, 9, 2]'],
    ['[1, 2]', '/-', '[1, 2, 9]'],
    ['[[]]', '/0/0', '[[9]]'],
    ['{"a":1}', '/a', '{"a":1,"a":9}'],
  ])('inserts into %j at %s', (text, pointer, expected) => {
    expect(insertAt(text, pointer, ' 9 ')).toEqual({ ok: true, value: expected });
  });

  it('undoes an insertion by a removal, and leaves the rest alone', () => {
    fc.assert(
      fc.property(prettyText(), fc.nat(), (text, pick) => {
        const doc = mustParse(text);
        const containers = [...listPointers(doc)].filter(({ node }) => node.kind === 'array');
        const entry = containers[pick % Math.max(1, containers.length)];
        if (entry?.node.kind !== 'array') return;
        const pointer = `${entry.pointer}/${pick % (entry.node.items.length + 1)}`;
        const inserted = insertAt(text, pointer, '"new"');
        if (!inserted.ok) throw new Error(inserted.error.message);
        expect(parseJson(inserted.value).ok).toBe(true);
        const removed = removeAt(inserted.value, pointer);
        if (!removed.ok) throw new Error(removed.error.message);
        expect(printJson(mustParse(removed.value))).toBe(printJson(doc));
      }),
    );
  });

  it('refuses what is not there', () => {
    for (const pointer of ['', '/b', '/a/0']) expect(removeAt('{"a":1}', pointer).ok).toBe(false);
    for (const pointer of ['', '/a/0', 'x', '/a~#0']) {
      expect(insertAt('{"a":1}', pointer, '1').ok).toBe(false);
    }
    for (const pointer of ['/2', '/x', '/-1']) expect(insertAt('[1]', pointer, '1').ok).toBe(false);
  });
});
