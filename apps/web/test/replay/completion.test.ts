import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionPlace } from '../../src/features/replay/completion-place.ts';
import { readArgumentsSchema, schemaOptions } from '../../src/features/replay/schema-options.ts';

/** `|` is the caret. */
function placeIn(marked: string) {
  const caret = marked.indexOf('|');
  return completionPlace(marked.replace('|', ''), caret);
}

function replaced(marked: string): string | null {
  const place = placeIn(marked);
  return place === null ? null : marked.replace('|', '').slice(place.from, place.to);
}

describe('the place of a completion', () => {
  it.each([
    ['{|}', 'key', [], ''],
    ['{ "cu|" }', 'key', [], '"cu"'],
    ['{"cu|\n "b":1}', 'key', [], '"cu'],
    ['{"cu|, "b":1}', 'key', [], '"cu'],
    ['{cu|}', 'key', [], 'cu'],
    ['{"a":1, |}', 'key', [], ''],
    ['{"a":|}', 'value', ['a'], ''],
    ['{"a": tr|}', 'value', ['a'], 'tr'],
    ['{"a":"re|d"}', 'value', ['a'], '"red"'],
    ['{"a":{"b":[1,{"c":|', 'value', ['a', 'b', 1, 'c'], ''],
    ['{"a":[1, |]}', 'value', ['a', 1], ''],
    ['{"a":{|', 'key', ['a'], ''],
    ['{"a/b~":{"\\u0062":|}}', 'value', ['a/b~', 'b'], ''],
    ['{"x":"}{,", |}', 'key', [], ''],
  ] as const)('%s', (marked, kind, path, text) => {
    expect(placeIn(marked)).toMatchObject({ kind, path });
    expect(replaced(marked)).toBe(text);
  });

  it.each(['|', '{"a" |}', '{"a":1 |}', '{}|', '{"a":1}\n|'])('there is none in %s', (marked) => {
    expect(placeIn(marked)).toBeNull();
  });

  it('knows the other keys of the object, before and after, and a colon that follows', () => {
    const place = placeIn('{"a":1,"b|":{"inner":1},"c":2}');
    expect([...(place?.otherKeys ?? [])]).toEqual(['a', 'c']);
    expect(place?.hasColon).toBe(true);
  });

  it('is found or not in any text, inside its bounds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1\n'.split('')), maxLength: 40 }),
        fc.nat(40),
        (text, at) => {
          const caret = Math.min(at, text.length);
          const place = completionPlace(text, caret);
          if (place === null) return;
          expect(place.from).toBeLessThanOrEqual(caret);
          expect(place.to).toBeGreaterThanOrEqual(caret);
          expect(place.to).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});

const DEFINITION = JSON.stringify({
  name: 'find',
  inputSchema: {
    type: 'object',
    properties: {
      limit: { type: ['integer', 'null'], description: 'At most so many.', default: 20 },
      kind: { enum: ['box', 'bag', 9] },
      deep: { $ref: '#/$defs/deep' },
      list: { type: 'array', items: { anyOf: [{ const: 'one' }, { type: 'boolean' }] } },
      __proto__x: {},
    },
    required: ['kind'],
    $defs: {
      deep: { allOf: [{ properties: { flag: { type: 'boolean' } } }, { $ref: '#/$defs/deep' }] },
    },
  },
});

function offered(marked: string, definition = DEFINITION): string[] {
  const schema = readArgumentsSchema(definition);
  const place = placeIn(marked);
  if (schema === null || place === null) throw new Error('nothing to complete');
  return schemaOptions(schema, place).map(({ text, detail }) => `${text} ${detail}`.trim());
}

describe('what the schema offers', () => {
  it('names of properties, required ones first, without those that are there', () => {
    expect(offered('{|}')).toEqual([
      '"kind" one of 3, required',
      '"limit" integer or null',
      '"deep"',
      '"list" array',
      '"__proto__x"',
    ]);
    expect(offered('{"kind":"box","limit":1,|}')).toEqual([
      '"deep"',
      '"list" array',
      '"__proto__x"',
    ]);
  });

  it('values as the schema writes them', () => {
    expect(offered('{"kind":|}')).toEqual(['"box" allowed', '"bag" allowed', '9 allowed']);
    expect(offered('{"limit":|}')).toEqual(['20 default', 'null null']);
    expect(offered('{"list":[|]}')).toEqual([
      'true boolean',
      'false boolean',
      '"one" the only one',
    ]);
    expect(offered('{"kind":|}', DEFINITION.replace('9]', '9007199254740993,1.0]'))).toContain(
      '9007199254740993 allowed',
    );
  });

  it('what references and alternatives say, though they go round', () => {
    expect(offered('{"deep":{|}}')).toEqual(['"flag" boolean']);
    expect(offered('{"deep":{"flag":|}}')).toEqual(['true boolean', 'false boolean']);
  });

  it('the same of a definition as a model’s interface writes it', () => {
    const properties = { city: { type: 'string' } };
    const parameters = { type: 'object', properties };
    for (const definition of [
      { name: 'x', input_schema: parameters },
      { type: 'function', function: { name: 'x', parameters } },
    ]) {
      expect(offered('{|}', JSON.stringify(definition))).toEqual(['"city" string']);
    }
  });
});
