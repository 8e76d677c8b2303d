import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDefinitions } from '../src/index.ts';

const BASE = {
  name: 'search_orders',
  description: 'Finds orders.',
  inputSchema: {
    type: 'object',
    properties: {
      description: { type: 'string', description: 'Words to look for.', maxLength: 40 },
      kind: { enum: ['a', 'b'] },
      pair: { prefixItems: [{ type: 'integer' }] },
    },
    required: ['description', 'kind'],
  },
  annotations: { readOnlyHint: true },
};

type Base = typeof BASE;

function drift(change: (copy: Base) => unknown, base: object = BASE) {
  const copy = structuredClone(BASE);
  change(copy);
  return compareDefinitions(JSON.stringify(base), JSON.stringify(copy));
}

function effects(found: ReturnType<typeof drift>) {
  return found.changes.map(({ pointer, effect }) => [pointer, effect]);
}

describe('drift of a definition', () => {
  it('is none for the same bytes, and none that matters for another layout', () => {
    expect(drift(() => undefined)).toMatchObject({ state: 'same bytes', statement: null });
    const pretty = compareDefinitions(JSON.stringify(BASE), JSON.stringify(BASE, null, 2));
    expect(pretty).toMatchObject({ state: 'same meaning', changes: [] });
  });

  it('tells what validation takes from what a model only reads', () => {
    const found = drift((copy) => {
      copy.description = 'Finds orders by words.';
      copy.inputSchema.properties.description.description = 'A phrase.';
      copy.inputSchema.properties.description.maxLength = 80;
      copy.inputSchema.properties.pair.prefixItems = [{ type: 'number' }, { type: 'integer' }];
      copy.annotations.readOnlyHint = false;
      Object.assign(copy.inputSchema.properties.kind, { examples: ['a'], 'x-note': 1 });
    });
    expect(effects(found)).toEqual([
      ['/description', 'reading'],
      ['/inputSchema/properties/description/description', 'reading'],
      ['/inputSchema/properties/description/maxLength', 'validation'],
      ['/inputSchema/properties/kind/examples', 'reading'],
      ['/inputSchema/properties/kind/x-note', 'reading'],
      ['/inputSchema/properties/pair/prefixItems/0/type', 'validation'],
      ['/inputSchema/properties/pair/prefixItems/1', 'validation'],
      ['/annotations', 'policy'],
    ]);
    expect(found.changes[2]).toMatchObject({ recorded: '40', live: '80' });
    expect(found).toMatchObject({
      state: 'changed',
      statement: "Direct calls can't show whether models now behave; run the agent again.",
      sentence:
        "The tool's definition has changed: 3 changes in what validation takes (first `/inputSchema/properties/description/maxLength`), 4 changes in only what a model reads (first `/description`), 1 change in what a client's policy reads (first `/annotations`).",
    });
  });

  it('knows a property called description from the keyword', () => {
    const found = drift((copy) =>
      Reflect.deleteProperty(copy.inputSchema.properties, 'description'),
    );
    expect(effects(found)).toEqual([['/inputSchema/properties/description', 'validation']]);
    expect(found.changes[0]?.live).toBeNull();
  });

  it('sees no change of validation in order or spelling', () => {
    const found = drift((copy) => {
      copy.inputSchema.required.reverse();
      copy.inputSchema.properties.kind.enum.push('c');
    });
    expect(effects(found)).toEqual([
      ['/inputSchema/properties/kind/enum', 'validation'],
      ['/inputSchema/required', 'reading'],
    ]);
    const turned = drift((copy) => {
      const { description, kind, pair } = copy.inputSchema.properties;
      copy.inputSchema.properties = { kind, description, pair };
    });
    expect(turned.changes).toEqual([
      {
        pointer: '/inputSchema/properties',
        effect: 'reading',
        recorded: '["description","kind","pair"]',
        live: '["kind","description","pair"]',
        note: 'the order of keys',
      },
    ]);
    const text = JSON.stringify(BASE);
    const spelled = compareDefinitions(text, text.replace('"maxLength":40', '"maxLength":40.0'));
    expect(spelled.changes).toMatchObject([{ effect: 'reading', live: '40.0' }]);
    const exact = compareDefinitions(
      text.replace('40}', '9007199254740993}'),
      text.replace('40}', '9007199254740992}'),
    );
    expect(exact.changes).toMatchObject([{ effect: 'validation' }]);
  });

  it("reads what a model's interface recorded, and claims nothing of what that never holds", () => {
    const { name, description, inputSchema } = BASE;
    const shapes = [
      { name, description, input_schema: inputSchema, cache_control: { type: 'ephemeral' } },
      { type: 'function', function: { name, description, parameters: inputSchema, strict: true } },
    ];
    for (const shape of shapes) {
      const found = drift((copy) => {
        copy.inputSchema.properties.description.maxLength = 9;
      }, shape);
      expect(effects(found)).toEqual([
        ['/inputSchema/properties/description/maxLength', 'validation'],
      ]);
      expect(found.notRecorded).toEqual(['annotations']);
    }
  });

  it('is total, and nothing where both are the same value', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (left, right) => {
        expect(compareDefinitions(left, right).sentence).toMatch(/\.$/);
        expect(compareDefinitions(left, ` ${left}`).changes).toEqual([]);
      }),
    );
    const deep = `{"inputSchema":${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_001)}`;
    expect(compareDefinitions(deep, `${deep} `).changes).toEqual([]);
    expect(compareDefinitions('{', '{}').state).toBe('cannot tell');
  });
});
