import { encodeString } from '@misstep/json';
import { assembledView, type JsonView } from '../json-view.ts';

/** Deeper values than this are kept as the OTLP JSON that they are. */
const MAX_DEPTH = 60;

/**
 * What an OTLP AnyValue holds: the place of the plain value inside it, or, for lists and maps, the
 * JSON that they mean, put together and carried by the AnyValue. Null for the empty value `{}`.
 */
export function anyValue(given: JsonView): JsonView | null {
  const found = innerOf(given);
  if (found === null) return null;
  if (found.kind === 'plain') return found.place;
  const text = writeValue(given, 0);
  return (text === null ? null : assembledView(text, given.origin)) ?? given;
}

interface Inner {
  readonly kind: 'plain' | 'list' | 'map';
  readonly place: JsonView;
}

function innerOf(given: JsonView): Inner | null {
  if (!given.isObject) return { kind: 'plain', place: given };
  for (const [key, place] of given.entries) {
    switch (key) {
      case 'stringValue':
      case 'string_value':
      case 'boolValue':
      case 'bool_value':
      case 'intValue':
      case 'int_value':
      case 'doubleValue':
      case 'double_value':
      case 'bytesValue':
      case 'bytes_value':
        return { kind: 'plain', place };
      case 'arrayValue':
      case 'array_value':
        return { kind: 'list', place };
      case 'kvlistValue':
      case 'kvlist_value':
        return { kind: 'map', place };
      default:
    }
  }
  return null;
}

/** Null where it goes deeper than MAX_DEPTH, which bounds the recursion. */
function writeValue(given: JsonView, depth: number): string | null {
  if (depth > MAX_DEPTH) return null;
  const found = innerOf(given);
  if (found === null) return 'null';
  const { kind, place } = found;
  if (kind === 'plain') {
    const isInteger = given.firstOf('intValue', 'int_value') !== undefined;
    return isInteger && place.text !== null ? place.text : place.written;
  }
  const parts: string[] = [];
  for (const item of place.get('values')?.items ?? []) {
    if (kind === 'list') {
      const written = writeValue(item, depth + 1);
      if (written === null) return null;
      parts.push(written);
      continue;
    }
    const value = item.get('value');
    const written = value === undefined ? 'null' : writeValue(value, depth + 1);
    if (written === null) return null;
    parts.push(`${encodeString(item.get('key')?.text ?? '')}:${written}`);
  }
  return kind === 'list' ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** A list of `{key, value}` as a map; the first of equal keys stands. */
export function readAttributes(list: JsonView | undefined): Map<string, JsonView> {
  const attributes = new Map<string, JsonView>();
  for (const item of list?.items ?? []) {
    const key = item.get('key')?.text;
    const value = item.get('value');
    if (key === undefined || key === null || value === undefined || attributes.has(key)) continue;
    const place = anyValue(value);
    if (place !== null) attributes.set(key, place);
  }
  return attributes;
}
