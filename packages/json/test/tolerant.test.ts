import { describe, expect, it } from 'vitest';
import {
  type Elision,
  readTolerant,
  resolvePointer,
  stringBeforeCut,
  type TolerantDocument,
  toPlain,
} from '../src/index.ts';
import { mustRead } from './support.ts';

function plain(doc: TolerantDocument): string {
  return JSON.stringify(toPlain(doc, doc.root));
}

type Brief = [pointer: string, kind: Elision['kind'], count: number | null];

function brief(doc: TolerantDocument): Brief[] {
  return doc.elisions.map(({ pointer, kind, count }) => [pointer, kind, count]);
}

describe('readTolerant: what a renderer left out of containers', () => {
  const cases: [string, string, Brief[]][] = [
    ['[ …20 items… ]', '[]', [['', 'items', 20]]],
    [
      '{"rows":[ …20 items… ],"truncated":true}',
      '{"rows":[],"truncated":true}',
      [['/rows', 'items', 20]],
    ],
    ['[…]', '[]', [['', 'items', null]]],
    ['{…}', '{}', [['', 'members', null]]],
    ['{"a":{...}}', '{"a":{}}', [['/a', 'members', null]]],
    ['[...]', '[]', [['', 'items', null]]],
    ['[..]', '[]', [['', 'items', null]]],
    ['[1, 2, ... 20 more items]', '[1,2]', [['', 'items', 20]]],
    ['[1, 2, …20 more]', '[1,2]', [['', 'items', 20]]],
    ['[1, 2, +20 more]', '[1,2]', [['', 'items', 20]]],
    ['[1, 2 … 1,204 items]', '[1,2]', [['', 'items', 1204]]],
    ['["a" …1 more]', '["a"]', [['', 'items', 1]]],
    ['[1, …3 items…, 5]', '[1,5]', [['', 'items', 3]]],
    ['[(20 items)]', '[]', [['', 'items', 20]]],
    ['[20 items]', '[]', [['', 'items', 20]]],
    ['[<20 items>]', '[]', [['', 'items', 20]]],
    ['{"a":1, /* 3 more keys */}', '{"a":1}', [['', 'members', 3]]],
    ['[1,\n// … 12 more\n]', '[1]', [['', 'items', 12]]],
    ['{"a":1,"...":"..."}', '{"a":1}', [['', 'members', null]]],
    ['{"a":1,"…":"3 more keys"}', '{"a":1}', [['', 'members', 3]]],
    ['{"a":1,\n… +2 lines (ctrl+o to expand)\n}', '{"a":1}', [['', 'lines', 2]]],
    ['{"a":1, ... and 3 more}', '{"a":1}', [['', 'members', 3]]],
    ['[1, [truncated 7 items]]', '[1]', [['', 'items', 7]]],
    ['[1, ... (truncated)]', '[1]', [['', 'items', null]]],
    ['{"b":[…3 items…],"b":1}', '{"b":1}', [['/b~#0', 'items', 3]]],
  ];
  it.each(cases)('%s', (text, value, elisions) => {
    const doc = mustRead(text);
    expect(plain(doc)).toBe(value);
    expect(brief(doc)).toEqual(elisions);
    expect(doc.complete).toBe(false);
    expect(doc.problems).toEqual([]);
    expect(doc.end).toBe(text.length);
    for (const { start, end, marker } of doc.elisions) expect(marker).toBe(text.slice(start, end));
  });

  it('points at the marker', () => {
    expect(mustRead('{"rows":[ …20 items… ]}').elisions[0]).toEqual({
      pointer: '/rows',
      kind: 'items',
      count: 20,
      start: 10,
      end: 20,
      marker: '…20 items…',
    });
  });
});

describe('readTolerant: values that are not there', () => {
  const cases: [string, string, Brief[]][] = [
    ['{"a":[Object],"b":1}', '{"b":1}', [['/a', 'value', null]]],
    ['{"a":[Array],"b":1}', '{"b":1}', [['/a', 'value', null]]],
    ['{"a":[Array(20)],"b":1}', '{"b":1}', [['/a', 'value', 20]]],
    ['{"a":<20 items>,"b":1}', '{"b":1}', [['/a', 'value', 20]]],
    ['{"a":(20 items),"b":1}', '{"b":1}', [['/a', 'value', 20]]],
    ['{"a/b": …, "b":1}', '{"b":1}', [['/a~1b', 'value', null]]],
    ['{"a": ..., "b":1}', '{"b":1}', [['/a', 'value', null]]],
    [
      '[[Object],[Array(2)],... 3 more items]',
      '[]',
      [
        ['', 'items', 1],
        ['', 'items', 1],
        ['', 'items', 3],
      ],
    ],
    ['{"f":[Function: top10],"b":1}', '{"b":1}', [['/f', 'value', null]]],
  ];
  it.each(cases)('%s', (text, value, elisions) => {
    const doc = mustRead(text);
    expect(plain(doc)).toBe(value);
    expect(brief(doc)).toEqual(elisions);
    expect(doc.complete).toBe(false);
    expect(doc.end).toBe(text.length);
  });
});

describe('readTolerant: strings', () => {
  const cases: [string, string, number | null][] = [
    ['"abc…" (+312 chars)', 'abc', 312],
    ['"abc… (312 more characters)"', 'abc', 312],
    ['"abc..."+312 chars', 'abc', 312],
    ['"abc[truncated 312 chars]"', 'abc', 312],
    ['"abc…[312 bytes omitted]"', 'abc', 312],
    ['"abc… +1,312 chars"', 'abc', 1312],
    ["'abc'... 312 more characters", 'abc', 312],
    ['"abc…"', 'abc', null],
    ['"abc\\u2026"', 'abc', null],
    ['"say \\"abc… (312 more characters)"', 'say "abc', 312],
    ['"abc... [truncated]"', 'abc', null],
    ['"abc <312 characters truncated>"', 'abc ', 312],
  ];
  it.each(cases)('%s', (literal, kept, count) => {
    for (const [before, after] of [
      ['', ''],
      ['[', ', 2]'],
      ['{"k":', '}'],
    ]) {
      const text = `${before}${literal}${after}`;
      const doc = mustRead(text);
      expect(doc.end).toBe(text.length);
      expect(doc.complete).toBe(false);
      const pointer = before === '' ? '' : before === '[' ? '/0' : '/k';
      expect(brief(doc)).toEqual([[pointer, 'characters', count]]);
      const node = resolvePointer(doc, pointer);
      if (node?.kind !== 'string') throw new Error('no string there');
      expect(stringBeforeCut(doc, node)).toBe(kept);
    }
  });

  it('says lines where the marker counts lines', () => {
    expect(brief(mustRead('["abc…" (+3 lines)]'))).toEqual([['/0', 'lines', 3]]);
    expect(brief(mustRead('{"a":"x… +2 lines (ctrl+o to expand)'))).toEqual([
      ['/a', 'lines', 2],
      ['/a', 'tail', null],
      ['', 'tail', null],
    ]);
  });

  it('ends an open string where a terminal cut whole lines', () => {
    const text = '{"a":1,"b":"one\n  two\n     … +31 lines (ctrl+o to expand)\n\nHe said "go".';
    const doc = mustRead(text);
    expect(plain(doc)).toBe('{"a":1,"b":"one\\n  two"}');
    expect(brief(doc)).toEqual([
      ['/b', 'lines', 31],
      ['', 'tail', null],
    ]);
    expect(text.slice(doc.end)).toBe('He said "go".');
    const bounded = mustRead('{"a":1,\n… +2 lines (ctrl+o to expand)\nNote: see {"b":2}');
    expect(plain(bounded)).toBe('{"a":1}');
    expect(plain(mustRead('{"a":"x\n… +2 lines (ctrl+o to expand)\n"b":2}'))).toBe(
      '{"a":"x","b":2}',
    );
    expect(brief(mustRead('["x… (312 more characters)\n'))).toEqual([
      ['/0', 'characters', 312],
      ['/0', 'tail', null],
      ['', 'tail', null],
    ]);
  });

  it('leaves ordinary strings alone', () => {
    for (const text of [
      '["Please wait..."]',
      '["a (20 items)"]',
      '["it was removed"]',
      '["(312 chars)"]',
    ]) {
      expect(mustRead(text)).toMatchObject({ complete: true, elisions: [] });
    }
  });

  it('reports both readings of dots between a string and what follows', () => {
    expect(brief(mustRead('["a"...]'))).toEqual([
      ['/0', 'characters', null],
      ['', 'items', null],
    ]);
  });
});

describe('readTolerant: a missing tail', () => {
  const cases: [string, string, Brief[]][] = [
    [
      '[1,"ab',
      '[1,"ab"]',
      [
        ['/1', 'tail', null],
        ['', 'tail', null],
      ],
    ],
    [
      '["a\\u00',
      '["a"]',
      [
        ['/0', 'tail', null],
        ['', 'tail', null],
      ],
    ],
    [
      '["a\\',
      '["a"]',
      [
        ['/0', 'tail', null],
        ['', 'tail', null],
      ],
    ],
    ['[1,', '[1]', [['', 'tail', null]]],
    [
      '[1',
      '[1]',
      [
        ['/0', 'tail', null],
        ['', 'tail', null],
      ],
    ],
    ['[1.', '[]', [['', 'tail', null]]],
    ['[tr', '[]', [['', 'tail', null]]],
    [
      '{"a":{"b":',
      '{"a":{}}',
      [
        ['/a/b', 'tail', null],
        ['', 'tail', null],
        ['/a', 'tail', null],
      ],
    ],
    [
      '{"a":{"b"',
      '{"a":{}}',
      [
        ['/a/b', 'tail', null],
        ['', 'tail', null],
        ['/a', 'tail', null],
      ],
    ],
    ['{"a":1,"b', '{"a":1}', [['', 'tail', null]]],
    [
      '{"a":fal',
      '{}',
      [
        ['/a', 'tail', null],
        ['', 'tail', null],
      ],
    ],
    ['{"a":[1,2}', '{"a":[1,2]}', [['/a', 'tail', null]]],
    ['{', '{}', [['', 'tail', null]]],
  ];
  it.each(cases)('%s', (text, value, elisions) => {
    const doc = mustRead(text);
    expect(plain(doc)).toBe(value);
    expect(brief(doc)).toEqual(elisions);
    expect(doc.complete).toBe(false);
    expect(doc.end).toBe(text.length);
  });
});

describe('readTolerant: what printers write', () => {
  const cases: [string, string, number][] = [
    ['[1,2,]', '[1,2]', 1],
    ["{ a: 'x', 'b-c': [ 1 ] }", '{"a":"x","b-c":[1]}', 3],
    ["{'a': True, 'b': None, 'c': False}", '{"a":true,"b":null,"c":false}', 6],
    ['[NaN, Infinity, -Infinity]', '[null,null,null]', 3],
    ['{“a”: “x”}', '{"a":"x"}', 2],
    ['[undefined, 12n, 01]', '[null,null,1]', 3],
    ['["a\nb"]', '["a\\nb"]', 1],
    ["['it\\'s']", '["it\'s"]', 1],
    ['[1 2]', '[1,2]', 1],
    ['[1,,2]', '[1,2]', 1],
    ['[1, /* why */ 2]', '[1,2]', 1],
    ['[Object: null prototype] {"a":1}', '{"a":1}', 1],
    ['{"x":[Object: null prototype] {"a":1}}', '{"x":{"a":1}}', 1],
    ['[\u00a01]', '[1]', 1],
    ['["\\q"]', '["\\\\q"]', 1],
  ];
  it.each(cases)('%j', (text, value, problems) => {
    const doc = mustRead(text);
    expect(plain(doc)).toBe(value);
    expect(doc.elisions).toEqual([]);
    expect(doc.problems).toHaveLength(problems);
    expect(doc.complete).toBe(false);
    expect(doc.end).toBe(text.length);
  });

  it('stops at what is neither JSON nor a marker', () => {
    const doc = mustRead('got [1, 2, hello] there', 4);
    expect(plain(doc)).toBe('[1,2]');
    expect(doc).toMatchObject({ complete: false, end: 11, problems: [{ offset: 11 }] });
    expect(brief(doc)).toEqual([['', 'tail', null]]);
  });

  it('stops after the first value', () => {
    expect(mustRead('{"a":1} and [2]')).toMatchObject({ complete: true, end: 7 });
    expect(mustRead('null and void')).toMatchObject({ complete: true, end: 4 });
  });

  it('is null where there is no value', () => {
    for (const text of ['', '  ', 'hello', '…', '[Object]', ')', '-', 'nothing']) {
      expect(readTolerant(text)).toBeNull();
    }
  });
});
