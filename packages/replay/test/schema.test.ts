import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckBudget, checkArguments, checkResult, checkToolList } from '../src/index.ts';

function definition(inputSchema: unknown, more: object = {}): string {
  return JSON.stringify({ name: 'get_page', inputSchema, ...more });
}

const SHELF = definition({
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1 },
    since: { type: 'string', format: 'date' },
    kind: { enum: ['box', 'bag'] },
    'a/b~c': { type: 'boolean' },
  },
  required: ['limit'],
  additionalProperties: false,
});

describe('arguments', () => {
  it('are refused by a strict client at their place in the text as typed', () => {
    const text = '{"limit": "5",\n  "since": "yesterday", "lmit": 9,\n  "kind": "sack"}';
    const { strict } = checkArguments(SHELF, text);
    expect(strict.verdict).toBe('refused');
    const found = strict.issues.map(({ pointer, line, column, offset, length }) => [
      pointer,
      `${line}:${column}`,
      text.slice(offset, offset + length),
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['/limit', '1:11', '"5"'],
        ['/since', '2:12', '"yesterday"'],
        ['/lmit', '2:25', '"lmit"'],
        ['/kind', '3:11', '"sack"'],
      ]),
    );
    expect(strict.issues).toHaveLength(4);
    const sentences = strict.issues.map(({ sentence }) => sentence);
    expect(sentences).toContain('`/limit` must be integer, but is the string "5".');
    expect(sentences).toContain('`/lmit` is not in the schema, which allows nothing else.');
    expect(sentences).toContain('`/kind` must be one of "box", "bag", but is "sack".');
    expect(sentences).toContain('`/since` must be a date, but is "yesterday".');
  });

  it.each([
    ['{}', 'refused', ['toString']],
    ['{"toString":1,"constructor":2}', 'accepted', ['toString']],
    ['{"constructor":"x","toString":1}', 'refused', ['toString']],
    ['{"toString":1}', 'accepted', ['toString']],
    ['{"__proto__":1}', 'accepted', ['__proto__']],
    ['{}', 'refused', ['__proto__']],
  ])(
    "%s: what JavaScript's objects have by themselves is not in them: %s",
    (text, verdict, required) => {
      const schema = { type: 'object', properties: { constructor: { type: 'number' } }, required };
      expect(checkArguments(definition(schema), text).strict.verdict).toBe(verdict);
      expect(checkArguments(definition(schema), text).lenient.verdict).toBe(
        text.includes('"x"') ? 'refused' : verdict,
      );
    },
  );

  it('are not checked by a schema for a member __proto__, which would be passed over', () => {
    const schema =
      '{"name":"t","inputSchema":{"type":"object","properties":{"__proto__":{"type":"number"}}}}';
    const { strict } = checkArguments(schema, '{"__proto__":"x"}');
    expect([strict.verdict, strict.sentence.includes('__proto__')]).toEqual(['not checked', true]);
  });

  it('are taken by a lenient one that makes other types of them and looks at no format', () => {
    const { strict, lenient } = checkArguments(
      SHELF,
      '{"limit":"5","since":"yesterday","a/b~c":"true"}',
    );
    expect(strict.verdict).toBe('refused');
    expect(lenient).toMatchObject({
      verdict: 'accepted',
      coercions: [
        { pointer: '/limit', from: '"5"', to: '5' },
        { pointer: '/a~1b~0c', from: '"true"', to: 'true' },
      ],
    });
    expect(lenient.sentence).toContain('2 values changed: `/limit` from "5" to 5');
    expect(checkArguments(SHELF, '{"limit":"many"}').lenient.verdict).toBe('refused');
  });

  it('that lack a member point at the object', () => {
    const { strict } = checkArguments(SHELF, ' {"kind":"box"}');
    expect(strict.issues).toMatchObject([{ pointer: '', offset: 1, keyword: 'required' }]);
    expect(strict.sentence).toBe(
      'A strict client would refuse these arguments: The whole lacks `limit`, which is required.',
    );
  });

  it('are read by the dialect that the schema names', () => {
    const tuple = (schema: object) =>
      definition({ type: 'object', properties: { pair: { type: 'array', ...schema } } });
    const args = '{"pair":[1,"two"]}';
    const items = [{ type: 'integer' }, { type: 'integer' }];
    const check = (text: string) => checkArguments(text, args);
    expect(check(tuple({ prefixItems: items })).strict.verdict).toBe('refused');
    // draft-07 knows no prefixItems; there, a list under items is a tuple.
    const old = (schema: object) =>
      definition({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { pair: { type: 'array', ...schema } },
      });
    expect(check(old({ prefixItems: items })).strict.verdict).toBe('accepted');
    expect(check(old({ items })).strict.verdict).toBe('refused');
    const unknown = definition({ $schema: 'https://schemas.example/own', type: 'object' });
    expect(checkArguments(unknown, '{}')).toMatchObject({
      strict: { verdict: 'accepted' },
      remarks: ['its $schema is https://schemas.example/own; checked as 2020-12'],
    });
    const ancient = definition({ $schema: 'http://json-schema.org/draft-03/schema#' });
    expect(checkArguments(ancient, '{}').strict.verdict).toBe('not checked');
  });

  it('say where the check saw another value than the text has', () => {
    const { remarks } = checkArguments(SHELF, '{"limit":1,"limit":9007199254740993}');
    expect(remarks).toEqual([
      '`/limit~#0` is a duplicate key, and only the last one was checked',
      '`/limit` was checked as 9007199254740992, which is what JavaScript makes of 9007199254740993',
    ]);
  });
});

describe('a hostile schema', () => {
  const doubling: Record<string, unknown> = { d40: { type: 'object' } };
  for (let at = 0; at < 40; at += 1) {
    const next = { $ref: `#/$defs/d${at + 1}` };
    doubling[`d${at}`] = { allOf: [next, next] };
  }
  const deep = `${'{"not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`;
  const cases: [string, string][] = [
    ['a pattern that backtracks', definition({ properties: { s: { pattern: '^(a+)+$' } } })],
    ['references that double', definition({ $ref: '#/$defs/d0', $defs: doubling })],
    ['a reference to itself', definition({ $ref: '#' })],
    [
      'a ring of references',
      definition({
        $ref: '#/$defs/a',
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      }),
    ],
    ['a reference to elsewhere', definition({ $ref: 'http://127.0.0.1:1/schema.json' })],
    ['a pattern that is none', definition({ properties: { s: { pattern: '(' } } })],
    ['a type that is none', definition({ type: 'strng' })],
    [
      'an id of the dialect itself',
      definition({ $id: 'https://json-schema.org/draft/2020-12/schema' }),
    ],
    ['no schema at all', definition(7)],
    ['a very deep one', `{"name":"x","inputSchema":${deep}}`],
  ];
  it.each(cases)('with %s neither hangs, fetches nor throws', (_name, text) => {
    const args = `{"s":"${'a'.repeat(64)}b"}`;
    const started = performance.now();
    const { strict } = checkArguments(text, args, new CheckBudget(400, 200));
    expect(performance.now() - started).toBeLessThan(5000);
    expect([strict.verdict, strict.sentence]).toEqual([
      'not checked',
      expect.stringMatching(/^Not checked: the schema is at fault, .+\.$/),
    ]);
    expect(checkToolList([{ name: 'x', definitionText: text }]).toolCount).toBe(1);
  });

  it('says what it is about', () => {
    const sentence = (schema: unknown) => checkArguments(definition(schema), '{}').strict.sentence;
    expect(sentence({ $ref: 'http://127.0.0.1:1/s.json' })).toContain(
      'it refers to http://127.0.0.1:1/s.json, which is not inside the schema, and nothing is fetched',
    );
    expect(sentence({ $ref: '#' })).toContain('refers to itself without end');
  });

  it('does not reach the next one, nor anything outside', () => {
    const id = 'https://depot.example/shared';
    const first = definition({ $id: id, type: 'object', required: ['a'] });
    const second = definition({ $id: id, type: 'object' });
    expect(checkArguments(first, '{}').strict.verdict).toBe('refused');
    expect(checkArguments(second, '{}').strict.verdict).toBe('accepted');
    const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    checkArguments(`{"name":"x","inputSchema":${polluting}}`, polluting);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const later = definition({ $async: true, type: 'object', required: ['a'] });
    expect(checkArguments(later, '{}').strict.verdict).toBe('refused');
  });

  it('gets an answer whatever the texts are', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (schema, args) => {
        const budget = new CheckBudget(2000, 500);
        const text = `{"name":"x","inputSchema":${schema},"outputSchema":${schema}}`;
        expect(checkArguments(text, args, budget).strict.sentence).toMatch(/\.$/);
        expect(checkResult(text, `{"structuredContent":${args}}`, budget).sentence).toMatch(/\.$/);
        expect(checkToolList([{ name: 'x', definitionText: text }]).sentence).toMatch(/\.$/);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a whole list of tools', () => {
  const plain = (name: string) => ({
    name,
    definitionText: JSON.stringify({
      name,
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'array', items: {} } },
        required: ['a'],
      },
    }),
  });
  const good = Array.from({ length: 13 }, (_, index) => plain(`tool_${index}`));
  const withOne = (inputSchema: unknown, more: object = {}) =>
    checkToolList([...good, { name: 'get_page', definitionText: definition(inputSchema, more) }]);
  const object = { type: 'object', properties: {} };

  it('is taken whole where nothing is wrong', () => {
    expect(checkToolList(good)).toMatchObject({
      reach: null,
      toolsKeptByStrict: 13,
      faults: [],
      sentence: 'Every client would take all 13 tools.',
    });
  });

  it('is lost whole to a strict client for one tool, said in words', () => {
    expect(withOne({ ...object, required: ['cursor'] })).toMatchObject({
      reach: 'all',
      toolsKeptByStrict: 0,
      toolsKeptByLenient: 14,
      sentence:
        'A strict client would drop all 14 tools because of `get_page`: required names `cursor`, which is not in properties.',
      faults: [{ tool: 'get_page', pointer: '/inputSchema/required/0' }],
    });
  });

  it.each([
    ['inputSchemaNotObject', { properties: {} }, {}, '/inputSchema'],
    ['inputSchemaNotObject', { type: 'string' }, {}, '/inputSchema'],
    ['rootCombinator', { ...object, anyOf: [{ required: ['a'] }] }, {}, '/inputSchema/anyOf'],
    ['rootCombinator', { ...object, oneOf: [] }, {}, '/inputSchema/oneOf'],
    ['rootCombinator', { ...object, allOf: [] }, {}, '/inputSchema/allOf'],
    [
      'arrayWithoutItems',
      { type: 'object', properties: { ids: { type: ['array', 'null'] } } },
      {},
      '/inputSchema/properties/ids',
    ],
    [
      'propertiesOnNonObject',
      { type: 'object', properties: { s: { type: 'string', properties: { x: {} } } } },
      {},
      '/inputSchema/properties/s',
    ],
    [
      'outputSchemaNotObject',
      object,
      { outputSchema: { type: 'array', items: {} } },
      '/outputSchema',
    ],
  ] as const)('names %s', (kind, schema, more, pointer) => {
    const found = withOne(schema, more);
    expect(found.faults).toMatchObject([{ kind, pointer, reach: 'all' }]);
    expect(found.sentence).toMatch(
      /^A strict client would drop all 14 tools because of `get_page`: /,
    );
  });

  it('loses no more than a fault reaches', () => {
    expect(withOne({ ...object, if: {} })).toMatchObject({
      reach: 'rule',
      toolsKeptByStrict: 14,
    });
    expect(checkToolList([...good, plain('naïve name')])).toMatchObject({
      reach: 'tool',
      toolsKeptByStrict: 13,
    });
    expect(checkToolList([...good, plain('tool_3')]).sentence).toContain('drop 1 of 14 tools');
    // A part of anyOf may require what its parent has.
    const parts = {
      type: 'object',
      properties: { p: { type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }] } },
    };
    expect(withOne(parts).faults).toEqual([]);
  });
});

describe('a result', () => {
  const declared = definition(
    { type: 'object' },
    {
      outputSchema: {
        type: 'object',
        properties: { count: { type: 'integer' } },
        required: ['count'],
      },
    },
  );
  it.each([
    ['{"content":[]}', 'refused', 'there is no structuredContent'],
    ['{"content":[],"structuredContent":{"count":"3"}}', 'refused', '`/count` must be integer'],
    ['{"content":[],"structuredContent":{"count":3}}', 'accepted', 'would take'],
    ['{"content":[],"isError":true}', 'accepted', 'need not'],
    ['{"structuredContent":{},"isError":true}', 'refused', 'some clients do not hold'],
  ])('%s is %s', (result, verdict, words) => {
    expect(checkResult(declared, result)).toMatchObject({
      verdict,
      sentence: expect.stringContaining(words),
    });
  });

  it('without a declaration is not judged', () => {
    expect(checkResult(SHELF, '{"structuredContent":{}}').verdict).toBe('nothing declared');
  });
});
