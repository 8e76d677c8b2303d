import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, parseJsonPrefix, printJson, toPlain } from '../src/index.ts';
import { mustParse, nested, nestedObjects, prettyText } from './support.ts';

describe('parseJson', () => {
  it('accepts exactly what JSON.parse accepts, with the same value', () => {
    const text = fc.oneof(
      prettyText(),
      fc.json(),
      fc.string({ unit: fc.constantFrom(...'{}[],:"\\u0019-+.eE truefalsn\n\t\u0001\ud800é') }),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        let expected: unknown;
        let valid = true;
        try {
          expected = JSON.parse(candidate);
        } catch {
          valid = false;
        }
        const doc = parseJson(candidate);
        expect(doc.ok).toBe(valid);
        if (doc.ok) {
          expect(JSON.stringify(toPlain(doc.value, doc.value.root))).toBe(JSON.stringify(expected));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 0, 'Expected a value at line 1, column 1, but found the end of the text.'],
    ['[1,]', 3, 'Expected a value at line 1, column 4, but found "]".'],
    ['{"a":1,\n}', 8, 'Expected a key in double quotes at line 2, column 1, but found "}".'],
    ['{"a" 1}', 5, 'Expected ":" after a key at line 1, column 6, but found "1".'],
    ['[1 2]', 3, 'Expected "," or "]" at line 1, column 4, but found "2".'],
    ['"a\nb"', 2, 'control character in a string at line 1, column 3, but found U+000A.'],
    ['"\\x41"', 2, 'after a backslash at line 1, column 3, but found "x".'],
    ['"\\u12g4"', 5, 'Expected four hexadecimal digits after \\u'],
    ['"abc', 4, 'Expected a closing quote at line 1, column 5, but found the end of the text.'],
    ['-', 1, 'Expected a digit at line 1, column 2'],
    ['1.e5', 2, 'Expected a digit at line 1, column 3, but found "e".'],
    ['01', 1, 'Expected the end of the text at line 1, column 2, but found "1".'],
    ['NaN', 0, 'Expected a value'],
    ['\ufeff1', 0, 'but found U+FEFF.'],
    ['[1] // x', 4, 'Expected the end of the text'],
  ])('refuses %j and says where and why', (text, offset, message) => {
    const result = parseJson(text);
    if (result.ok) throw new Error('was accepted');
    expect(result.error.offset).toBe(offset);
    expect(result.error.message).toContain(message);
  });

  it('finds what is wrong deep inside long strings', () => {
    const long = 'é plain words '.repeat(40);
    for (const bad of ['\n', '\u0000', '\\x', '\\u12g4']) {
      const text = `["${long}${bad}${long}"]`;
      expect(parseJson(text).ok).toBe(false);
    }
    for (const good of ['\ud800', '😀', '\\"', '\\u00e9', '\u007f']) {
      const text = `["${long}${good}${long}"]`;
      expect(toPlain(text, mustParse(text).root)).toEqual(JSON.parse(text));
    }
  });

  it('keeps number text, key order, duplicates, __proto__, escapes and lone surrogates', () => {
    const text =
      '{"b":9007199254740993,"2":1.0,"1":-0,"b":1e400,"__proto__":"\\ud800\\u0041\\/","x":"\ud800"}';
    expect(printJson(mustParse(text))).toBe(text);
  });

  it('reads one value inside other text', () => {
    const result = parseJsonPrefix('=> {"a":[1]} and more', 2);
    expect(result).toMatchObject({ ok: true, value: { end: 12, root: { start: 3, end: 12 } } });
    expect(parseJsonPrefix('1 2', 1)).toMatchObject({ ok: true, value: { end: 3 } });
  });

  it.each([
    ['arrays', nested],
    ['objects', nestedObjects],
  ])('takes 100,000 nested %s', (_name, make) => {
    const text = make(100_000);
    expect(printJson(mustParse(text)) === text).toBe(true);
    expect(parseJson(text.slice(0, -1)).ok).toBe(false);
  });
});
