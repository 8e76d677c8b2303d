import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CANONICAL_VERSION,
  canonicalJson,
  compareNumbersExactly,
  equalJson,
  listPointers,
  losesInDoubles,
  lossesOf,
  mayLose,
  NumberText,
  parsePlain,
  printJson,
} from '../src/index.ts';
import { mustParse, nested, nestedObjects, numberText, prettyText } from './support.ts';

describe('printJson', () => {
  it('keeps every token, compact and indented', () => {
    fc.assert(
      fc.property(prettyText(), fc.constantFrom(null, 0, 1, 2, 4), (text, indent) => {
        const doc = mustParse(text);
        const printed = mustParse(printJson(doc, { indent }));
        expect(equalJson(doc, printed)).toBe('identical');
        expect(printJson(printed)).toBe(printJson(doc));
      }),
    );
    expect(printJson(mustParse('{"a":[1,{}],"a":[]}'), { indent: 2 })).toBe(
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "a": []\n}',
    );
  });

  it('lays out like JSON.stringify where nothing is lost', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!mayLose(text));
        expect(printJson(mustParse(text), { indent: 2 })).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });
});

describe('canonicalJson', () => {
  it('is stable, equal in value, and free of white space and order', () => {
    expect(CANONICAL_VERSION).toBe('misstep-canonical-1');
    expect(
      canonicalJson(mustParse('{ "b":1.0, "\\u0061":"\\/\\uD800\\u001F", "b":[ 2 ], "a":-0 }')),
    ).toBe('{"a":"/\\ud800\\u001f","a":-0,"b":1.0,"b":[2]}');
    expect(canonicalJson(mustParse('{"\uffff":1,"\ud83d\ude00":2}'))).toBe(
      '{"\ud83d\ude00":2,"\uffff":1}',
    );
    fc.assert(
      fc.property(prettyText(), (text) => {
        const doc = mustParse(text);
        const canonical = canonicalJson(doc);
        const again = mustParse(canonical);
        expect(canonicalJson(again)).toBe(canonical);
        expect(equalJson(doc, again)).not.toBe('different');
        expect(canonicalJson(mustParse(printJson(doc, { indent: 3 })))).toBe(canonical);
      }),
    );
  });
});

describe('compareNumbersExactly', () => {
  it('agrees with whole-number arithmetic', () => {
    const part = fc.record({
      whole: fc.bigInt({ min: 0n, max: 10n ** 25n }).map((n) => (n % 3n === 0n ? n % 10n : n)),
      fraction: fc.string({ unit: fc.constantFrom('0', '0', '0', '5'), maxLength: 5 }),
      exponent: fc.integer({ min: -9, max: 9 }),
      negative: fc.boolean(),
    });
    type Part = { whole: bigint; fraction: string; exponent: number; negative: boolean };
    const write = (p: Part) =>
      `${p.negative ? '-' : ''}${p.whole}${p.fraction === '' ? '' : `.${p.fraction}`}e${p.exponent}`;
    const scaled = (p: Part) =>
      BigInt(p.whole.toString() + p.fraction) *
      10n ** BigInt(p.exponent + 20 - p.fraction.length) *
      (p.negative ? -1n : 1n);
    fc.assert(
      fc.property(part, part, fc.integer({ min: 0, max: 4 }), (a, other, shift) => {
        const b = shift < 3 ? { ...a, whole: a.whole * 10n ** BigInt(shift) } : other;
        if (shift < 3) {
          b.exponent = a.exponent - shift;
          b.fraction = a.fraction.slice(shift);
          b.whole = BigInt(a.whole.toString() + a.fraction.slice(0, shift).padEnd(shift, '0'));
        }
        const [left, right] = [write(a), write(b)];
        const expected = scaled(a) === scaled(b) ? 'equal' : 'different';
        expect(compareNumbersExactly(left, right)).toBe(left === right ? 'identical' : expected);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['1e400', '1e400', 'identical'],
    ['1e400', '10e399', 'equal'],
    ['1e400', '1e401', 'different'],
    ['-0', '0', 'equal'],
    ['-0.0e5', '0', 'equal'],
    ['1.0', '1', 'equal'],
    ['9007199254740993', '9007199254740992', 'different'],
    ['1e999999999', '1e999999998', 'different'],
    ['1e999999999', '10e999999998', 'equal'],
    ['1e-99999999999999999999', '10E-100000000000000000000', 'equal'],
    ['0e999999999', '0', 'equal'],
    ['1', '-1', 'different'],
    ['NaN', 'NaN', 'identical'],
    ['NaN', '1', 'different'],
  ])('%s and %s are %s', (a, b, expected) => {
    expect(compareNumbersExactly(a, b)).toBe(expected);
  });

  it('knows what doubles lose', () => {
    for (const text of ['9007199254740993', '1e400', '0.1000000000000000055', '1e-400']) {
      expect(losesInDoubles(text)).toBe(true);
    }
    for (const text of ['1.0', '-0', '0.1', '9007199254740992', '1e21', '1E2', '0e9']) {
      expect(losesInDoubles(text)).toBe(false);
    }
  });
});

describe('equalJson', () => {
  it.each([
    ['{"a":1,"b":2}', '{ "a" : 1, "b":2 }', 'identical'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', 'equal'],
    ['["\\u0061",1.0,"é"]', '["a",1,"\\u00e9"]', 'equal'],
    ['{"a":1,"a":2}', '{"a":2,"a":1}', 'different'],
    ['{"a":1,"a":2}', '{"a":2}', 'different'],
    ['{"a":1,"b":0,"a":2}', '{"b":0,"a":1.0,"a":2}', 'equal'],
    ['{"a":1,"b":1}', '{"a":1,"c":1}', 'different'],
    ['[1,2]', '[2,1]', 'different'],
    ['"\\ud800"', '"\\udc00"', 'different'],
    ['1', '"1"', 'different'],
    ['true', 'false', 'different'],
    ['[]', '{}', 'different'],
    ['9007199254740993', '9007199254740992', 'different'],
  ])('%j and %j are %s', (a, b, expected) => {
    expect(equalJson(mustParse(a), mustParse(b))).toBe(expected);
    expect(equalJson(mustParse(b), mustParse(a))).toBe(expected);
  });

  it('says identical exactly when the compact prints are', () => {
    fc.assert(
      fc.property(prettyText(), prettyText(), (a, b) => {
        const [left, right] = [mustParse(a), mustParse(b)];
        const same = printJson(left) === printJson(right);
        expect(equalJson(left, right) === 'identical').toBe(same);
        expect(equalJson(left, left)).toBe('identical');
      }),
    );
  });
});

describe('losses and the fast path', () => {
  it('finds a loss exactly where JSON.parse and JSON.stringify change a token', () => {
    fc.assert(
      fc.property(prettyText(), (text) => {
        const doc = mustParse(text);
        const compact = printJson(doc);
        const survives = JSON.stringify(JSON.parse(text)) === compact;
        expect(lossesOf(doc).length === 0).toBe(survives);
        if (mayLose(text)) return;
        expect(survives).toBe(true);
        expect(parsePlain(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the fast path for ordinary text', () => {
    const value = { id: 7, score: 0.25, rows: [{ name: 'a\n"é😀\u0001' }, null, true, -3, 1e21] };
    expect(mayLose(JSON.stringify(value, null, 2))).toBe(false);
    fc.assert(
      fc.property(numberText, (text) => {
        expect(mayLose(text)).toBe(JSON.stringify(JSON.parse(text)) !== text);
      }),
    );
  });

  it.each(['{"a":1,"a":2}', '[9007199254740993]', '1.0', '-0', '"\\ud800"', '"\ud800"', '1e400'])(
    'leaves the fast path for %j',
    (text) => expect(mayLose(text)).toBe(true),
  );

  it('also leaves it for keys JavaScript treats specially, and for what is not JSON', () => {
    for (const text of ['{"1":0}', '{"__proto__":1}', '"\\u0041"', '[1,]', '', nested(501)]) {
      expect(mayLose(text)).toBe(true);
    }
  });

  it('keeps what a plain value can keep on the slow path', () => {
    const result = parsePlain('{"__proto__":{"x":1},"n":9007199254740993,"m":1.0,"d":1,"d":-0}');
    if (!result.ok) throw new Error(result.error.message);
    const value = new Map(Object.entries(Object(result.value)));
    expect(value.get('n')).toEqual(new NumberText('9007199254740993'));
    expect(String(value.get('n'))).toBe('9007199254740993');
    expect(value.get('m')).toBe(1);
    expect(value.get('d')).toBe(-0);
    expect([...value.keys()]).toEqual(['__proto__', 'n', 'm', 'd']);
    expect(parsePlain('[')).toMatchObject({ ok: false, error: { offset: 1 } });
  });

  it('names each loss', () => {
    const text = '{"b":9007199254740993,"1":1.0,"c":[-0,1e999],"b":"\\u0041\ud800","d":"\\/"}';
    expect(lossesOf(mustParse(text))).toEqual([
      { pointer: '', kind: 'key-order', text: '["b","1","c","d"]', becomes: '["1","b","c","d"]' },
      { pointer: '/b~#0', kind: 'duplicate-key', text: '9007199254740993', becomes: '' },
      { pointer: '/1', kind: 'number-spelling', text: '1.0', becomes: '1' },
      { pointer: '/c/0', kind: 'negative-zero', text: '-0', becomes: '0' },
      { pointer: '/c/1', kind: 'overflow', text: '1e999', becomes: 'null' },
      { pointer: '/b', kind: 'lone-surrogate', text: '"\\u0041\ud800"', becomes: '"A\\ud800"' },
      { pointer: '/d', kind: 'string-spelling', text: '"\\/"', becomes: '"/"' },
    ]);
    expect(lossesOf(mustParse('[9007199254740993,{"a":[{"b":1.0}],"a":2}]'))).toMatchObject([
      { pointer: '/0', kind: 'precision', becomes: '9007199254740992' },
      { pointer: '/1/a~#0', kind: 'duplicate-key', text: '[{"b":1.0}]' },
    ]);
  });
});

describe('depth 100,000', () => {
  it.each([
    ['arrays', nested(100_000)],
    ['objects', nestedObjects(100_000)],
  ])('%s', (_name, text) => {
    const doc = mustParse(text);
    expect(printJson(doc, { indent: 1 }).length).toBeGreaterThan(text.length);
    expect(canonicalJson(doc) === text).toBe(true);
    expect(equalJson(doc, mustParse(` ${text}`))).toBe('identical');
    expect(lossesOf(doc)).toEqual([]);
    expect(mayLose(text)).toBe(true);
    expect(parsePlain(text).ok).toBe(true);
    let deepest = 0;
    for (const { depth } of listPointers(doc)) deepest = depth;
    expect(deepest).toBeGreaterThanOrEqual(99_999);
  });
});
