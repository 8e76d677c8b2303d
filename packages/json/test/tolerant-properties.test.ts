import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listPointers, nodeText, parseJson, readTolerant } from '../src/index.ts';
import { mustParse, mustRead, nested, nestedObjects, prettyText } from './support.ts';

describe('readTolerant: everything', () => {
  it('keeps every complete leaf, wherever a document is cut', () => {
    fc.assert(
      fc.property(prettyText(), fc.nat(), (text, pick) => {
        const whole = mustParse(text);
        const originals = new Map([...listPointers(whole)].map(({ node }) => [node.start, node]));
        const cut = text.slice(0, pick % (text.length + 1));
        const doc = readTolerant(cut);
        if (doc === null) {
          expect(cut.length).toBeLessThanOrEqual(whole.root.end);
          return;
        }
        const isWhole = cut.length >= whole.root.end;
        const cutPointers = new Set(doc.elisions.map(({ pointer }) => pointer));
        if (!isWhole && whole.root.kind !== 'number') expect(cutPointers.has('')).toBe(true);
        for (const { node, pointer } of listPointers(doc)) {
          if (cutPointers.has(pointer) || (pointer === '' && node.kind === 'number')) continue;
          const original = originals.get(node.start);
          expect(original?.kind).toBe(node.kind);
          expect(original && nodeText(whole, original)).toBe(nodeText(doc, node));
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('reads strict JSON like the strict parser', () => {
    fc.assert(
      fc.property(prettyText(), (text) => {
        fc.pre(!/"(?:…|\.{2,})"\s*:/u.test(text));
        const doc = mustRead(text);
        expect(doc.root).toEqual(mustParse(text).root);
        expect(doc.problems).toEqual([]);
        const isVague = /(?:…|\\u2026)"/u.test(text);
        if (!isVague) expect(doc).toMatchObject({ complete: true, elisions: [] });
        // The slow path on the same text: an unclosed list around it.
        const wrapped = mustRead(`[${text},`);
        if (wrapped.root.kind !== 'array') throw new Error('not an array');
        expect(nodeText(wrapped, wrapped.root.items[0] ?? wrapped.root)).toBe(
          text.slice(doc.root.start, doc.root.end),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('never throws, stays inside the text and keeps spans in order', () => {
    const unit = fc.constantFrom(
      ...'{}[]:,"\'\\/*.…+-0123 \n<>()abtfn“”NTF',
      ...[
        '20 more items',
        '(+3 chars)',
        '"a":',
        'true',
        '[Object]',
        '...',
        '\\u12',
        '// x\n',
        '[[',
      ],
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const doc = readTolerant(text);
        if (doc === null) return;
        expect(doc.end).toBeLessThanOrEqual(text.length);
        for (const { node } of listPointers(doc)) {
          expect(node.start).toBeLessThanOrEqual(node.end);
          expect(node.end).toBeLessThanOrEqual(doc.end);
        }
        for (const { start, end } of doc.elisions) expect(start).toBeLessThanOrEqual(end);
        if (parseJson(text).ok) expect(doc.problems).toEqual([]);
        else expect(doc.complete && doc.end === text.length).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['arrays', nested(100_000)],
    ['objects', nestedObjects(100_000)],
  ])('takes 100,000 nested %s, whole, cut and marked', (_name, text) => {
    expect(mustRead(text).complete).toBe(true);
    const half = mustRead(text.slice(0, text.length / 2));
    expect(half.complete).toBe(false);
    expect(half.elisions.length).toBeLessThan(300);
    const deep = mustRead(`${text.slice(0, -1)}…`);
    expect(deep.elisions.at(-1)).toMatchObject({ pointer: '', kind: 'tail' });
  });

  it.each([
    ['openers and a wrong closer', `{${'['.repeat(200_000)}}`],
    ['dots', `[${'.'.repeat(500_000)}x`],
    ['digits', `[${'1'.repeat(500_000)} mor`],
    ['comment starts', `[${'/*'.repeat(200_000)}`],
    ['quotes and markers', `[${'"a…" (+3 '.repeat(50_000)}`],
    ['brackets in a string', `["${'[(<'.repeat(100_000)}`],
    ['groups of digits', `[${'1,234'.repeat(60_000)}`],
  ])('takes time linear in hostile text: %s', (_name, text) => {
    const started = performance.now();
    expect(mustRead(text).complete).toBe(false);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
