import {
  escapePointerSegment,
  type JsonDocument,
  type JsonNode,
  type JsonObject,
  stringValue,
} from '@misstep/json';

/** A schema inside a schema, with its pointer from where the walk began. */
export interface SubSchema {
  readonly pointer: string;
  readonly node: JsonObject;
}

const MOST_SCHEMAS = 10_000;

export const HOLDS_ONE: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
export const HOLDS_LIST: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'items',
  'oneOf',
  'prefixItems',
]);
export const HOLDS_NAMED: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/**
 * Every schema that is an object, the outer one first, in document order. References are not
 * followed, so it ends; beyond 10,000 schemas it stops.
 */
export function* walkSchema(
  document: JsonDocument,
  schema: JsonNode,
  base = '',
): Generator<SubSchema, void, undefined> {
  const stack: { pointer: string; node: JsonNode }[] = [{ pointer: base, node: schema }];
  for (let count = 0; count < MOST_SCHEMAS; count += 1) {
    const next = stack.pop();
    if (next === undefined) return;
    const { pointer, node } = next;
    if (node.kind !== 'object') continue;
    yield { pointer, node };
    const inner: { pointer: string; node: JsonNode }[] = [];
    for (const { key, value } of node.members) {
      const keyword = stringValue(document, key);
      const at = `${pointer}/${escapePointerSegment(keyword)}`;
      if (HOLDS_ONE.has(keyword) && value.kind === 'object')
        inner.push({ pointer: at, node: value });
      if (HOLDS_LIST.has(keyword) && value.kind === 'array') {
        value.items.forEach((item, index) => {
          inner.push({ pointer: `${at}/${index}`, node: item });
        });
      }
      if (HOLDS_NAMED.has(keyword) && value.kind === 'object') {
        for (const each of value.members) {
          const name = escapePointerSegment(stringValue(document, each.key));
          inner.push({ pointer: `${at}/${name}`, node: each.value });
        }
      }
    }
    for (const each of inner.reverse()) stack.push(each);
  }
}
