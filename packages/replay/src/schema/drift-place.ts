import { HOLDS_LIST, HOLDS_NAMED, HOLDS_ONE } from './walk-schema.ts';

/** Who notices a change: a validator, a model only, or a client that judges by annotations. */
export type DriftEffect = 'validation' | 'reading' | 'policy';

/** What stands at a place of a definition. */
export type Place =
  | { readonly kind: 'schema' }
  /** Schemas by the names of properties, definitions ... */
  | { readonly kind: 'names' }
  /** Schemas in a row. */
  | { readonly kind: 'list' }
  | { readonly kind: 'value'; readonly effect: DriftEffect; readonly isSet: boolean };

/** Keywords that JSON Schema validates by, besides those that hold schemas. */
const VALIDATING = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$id',
  '$recursiveAnchor',
  '$recursiveRef',
  '$ref',
  '$schema',
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'id',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'nullable',
  'pattern',
  'required',
  'type',
  'uniqueItems',
]);
const SETS = new Set(['enum', 'required', 'type']);

const value = (effect: DriftEffect, isSet = false): Place => ({ kind: 'value', effect, isSet });

export function placeOfPart(part: string): Place {
  switch (part) {
    case 'inputSchema':
    case 'outputSchema':
      return { kind: 'schema' };
    case 'name':
      return value('validation');
    case 'annotations':
    case 'execution':
      return value('policy');
    default:
      return value('reading');
  }
}

/** A name below `properties` may be any word, `description` too: only the place tells what it is. */
export function inside(place: Place, key: string): Place {
  if (place.kind === 'value') return place;
  if (place.kind !== 'schema') return { kind: 'schema' };
  if (HOLDS_NAMED.has(key)) return { kind: 'names' };
  if (HOLDS_ONE.has(key)) return { kind: 'schema' };
  if (HOLDS_LIST.has(key)) return { kind: 'list' };
  return value(VALIDATING.has(key) ? 'validation' : 'reading', SETS.has(key));
}
