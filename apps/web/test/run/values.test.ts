import { parseJson, readTolerant } from '@misstep/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesFrom } from '../../src/features/replay/argument-changes.ts';
import { changedLines, differenceOf } from '../../src/features/replay/text-difference.ts';
import { hexRows } from '../../src/features/step-panel/hex-rows.ts';
import { listTextLines, listValueLines } from '../../src/features/step-panel/value-lines.ts';
import { visibleLine, visiblePieces } from '../../src/features/step-panel/visible-text.ts';

function linesOf(text: string, mostLines = 1000) {
  const doc = readTolerant(text);
  if (doc === null) throw new Error('no value');
  return listValueLines(doc, doc.elisions, mostLines);
}

function shown(text: string): string[] {
  return linesOf(text).lines.map((line) => {
    const cut = line.cut === null ? '' : ` <${line.cut.count ?? '?'} ${line.cut.kind}>`;
    return `${line.number} ${' '.repeat(line.indent)}${line.tokens.map((t) => t.text).join('')}${cut}`;
  });
}

describe('value lines', () => {
  it('lays values out with every token as written', () => {
    expect(shown('{"a":9007199254740993,"b":[1.0,-0,[]],"a":"\\ud800"}')).toEqual([
      '1 {',
      '2  "a": 9007199254740993,',
      '3  "b": [',
      '4   1.0,',
      '5   -0,',
      '6   []',
      '7  ],',
      '8  "a": "\\ud800"',
      '9 }',
    ]);
  });

  it('marks the member that a later duplicate hides', () => {
    const { lines } = linesOf('{"a":1,"a":2}');
    expect(lines.map((line) => line.shadowed)).toEqual([false, true, false, false]);
    expect(lines[1]?.pointer).toBe('/a~#0');
  });

  it('counts a cut at its place and lets line numbers jump over it', () => {
    const text = '{"total":20,"rows":[ …20 items… ],"truncated":true}';
    expect(shown(text)).toEqual([
      '1 {',
      '2  "total": 20,',
      '3  "rows": [',
      '4    <20 items>',
      '24  ],',
      '25  "truncated": true',
      '26 }',
    ]);
  });

  it('says where a recording ends and prints no bracket that was not recorded', () => {
    const lines = shown('{"rows":[{"id":1},{"id":2');
    expect(lines.at(-1)).toMatch(/tail/);
    expect(lines.join('\n')).not.toMatch(/\n\d+ }$/);
  });

  it('caps lines and counts what it leaves out', () => {
    const many = JSON.stringify(Array.from({ length: 500 }, (_e, i) => i));
    const { lines, omittedLines, lastNumber } = linesOf(many, 100);
    expect([lines.length, omittedLines, lastNumber]).toEqual([100, 402, 502]);
  });

  it('does not overflow on depth', () => {
    const depth = 20_000;
    const { lastNumber } = linesOf('['.repeat(depth) + ']'.repeat(depth), 10);
    expect(lastNumber).toBe(2 * depth - 1);
  });

  it('gives the same tokens as the document, in order', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const doc = parseJson(text);
        if (!doc.ok) throw new Error(doc.error.message);
        const { lines } = listValueLines(doc.value, [], 10_000);
        const joined = lines.flatMap((line) => line.tokens.map((token) => token.text)).join('');
        expect(JSON.parse(joined)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('numbers plain text by its own lines', () => {
    const { lines } = listTextLines('one\n\nthree', 10);
    expect(lines.map((line) => line.tokens[0]?.text)).toEqual(['one', '', 'three']);
  });
});

describe('visible text', () => {
  it('shows what would hide or reorder text', () => {
    expect(visiblePieces('a\u202eb\u200bc\u0000')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'mark', code: 'U+202E', name: 'right-to-left override' },
      { kind: 'text', text: 'b' },
      { kind: 'mark', code: 'U+200B', name: 'zero width space' },
      { kind: 'text', text: 'c' },
      { kind: 'mark', code: 'U+0000', name: 'null' },
    ]);
    expect(visiblePieces('\ud800')).toEqual([
      { kind: 'mark', code: 'U+D800', name: 'lone surrogate' },
    ]);
  });

  it('leaves ordinary writing, line ends and emoji alone', () => {
    const text = 'naïve — שלום\n\t日本 👩\u200d💻 😀';
    expect(visiblePieces(text)).toEqual([{ kind: 'text', text }]);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const back = visiblePieces(text)
          .map((piece) =>
            piece.kind === 'text'
              ? piece.text
              : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)),
          )
          .join('');
        expect(back).toBe(text);
      }),
    );
    expect(visibleLine('a\nb\u001b[0m')).toBe('a b[U+001B][0m');
  });
});

describe('hex rows', () => {
  it('lights the span and keeps offsets of the whole', () => {
    const rows = hexRows(new TextEncoder().encode('{"a":1}\n'), 100, 5, { start: 104, end: 107 });
    expect(rows.map((row) => row.offset)).toEqual([100, 105]);
    expect(rows.flatMap((row) => row.cells.filter((cell) => cell.lit).map((c) => c.glyph))).toEqual(
      [':', '1', '}'],
    );
    expect(rows[1]?.cells.at(-1)).toEqual({ hex: '0a', glyph: '.', lit: false });
  });
});

describe('differences of texts', () => {
  it('boxes the characters that differ', () => {
    expect(differenceOf('9007199254740992', '9007199254740993')).toEqual({
      start: 15,
      leftEnd: 16,
      rightEnd: 16,
    });
    expect(differenceOf('same', 'same')).toEqual({ start: 4, leftEnd: 4, rightEnd: 4 });
    expect(differenceOf('ab', 'aXb')).toEqual({ start: 1, leftEnd: 1, rightEnd: 2 });
  });

  it('rebuilds either text from the other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        const { start, leftEnd, rightEnd } = differenceOf(left, right);
        expect(left.slice(0, start) + right.slice(start, rightEnd) + left.slice(leftEnd)).toBe(
          right,
        );
      }),
    );
  });

  it('marks edited lines and counts edited values', () => {
    const recorded = '{\n  "since": "a",\n  "limit": 50\n}';
    const current = '{\n  "since": "b",\n  "limit": 50,\n  "x": 1\n}';
    expect([...changedLines(recorded, current)]).toEqual([2, 3, 4]);
    expect(changesFrom(recorded, current)?.values).toHaveLength(2);
    expect(changesFrom('{"a":1}', '{"a":1.0}')?.values).toHaveLength(1);
    expect(changesFrom('{"a":1}', '{"a":')).toBeNull();
    expect(changesFrom('{"a":1}', '{ "a":1}')).toEqual({ values: [], onlyLayout: true });
  });
});
