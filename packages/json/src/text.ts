import {
  type JsonArray,
  type JsonDocument,
  type JsonNode,
  type JsonObject,
  type JsonString,
  textOf,
} from './node.ts';
import { isHexDigit } from './scan.ts';

/** The exact source text of a node. */
export function nodeText(source: JsonDocument | string, node: JsonNode): string {
  return textOf(source).slice(node.start, node.end);
}

/**
 * The decoded value of a string; lone surrogates are kept. Also reads what the tolerant reader
 * lets through: other quotes, bare keys, a missing closing quote, and the escapes `\'` and `\xNN`.
 * An escape that means nothing stays as it is written; one cut off by the end of the text is left out.
 */
export function stringValue(source: JsonDocument | string, node: JsonString): string {
  return decodeString(textOf(source), node.start, node.end);
}

/** `stringValue` of the literal that starts at `start`, reading no further than `end`. */
export function decodeString(text: string, start: number, end: number): string {
  const closer = closingQuote(text.charCodeAt(start));
  if (closer === 0) return text.slice(start, end);
  const from = start + 1;
  // A slice shares the text; a search in the text itself would run to its end for every string.
  if (closer === '"' && !text.slice(from, end).includes('\\')) {
    const closed = end > from && text.charCodeAt(end - 1) === 0x22;
    return text.slice(from, closed ? end - 1 : end);
  }
  if (closer === '"' && end - from > LONG_LITERAL) {
    const decoded = decodeStrict(text.slice(start, end));
    if (decoded !== null) return decoded;
  }
  return decodeEscapes(text, from, end, closer);
}

/** From here on the engine's own reader is worth a try. */
const LONG_LITERAL = 1000;

/** One string literal loses nothing in `JSON.parse`: no number, key or order is in it. */
function decodeStrict(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** The quotes that may close a string, by the code of the one that opens it; 0 for a bare word. */
export function closingQuote(code: number): string | 0 {
  switch (code) {
    case 0x22:
      return '"';
    case 0x27:
      return "'";
    case 0x60:
      return '`';
    case 0x201c:
    case 0x201d:
      return '\u201d';
    case 0x2018:
    case 0x2019:
      return '\u2019';
    default:
      return 0;
  }
}

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function decodeEscapes(text: string, from: number, end: number, closer: string): string {
  const closerCode = closer.charCodeAt(0);
  const parts: string[] = [];
  let plainFrom = from;
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === closerCode) break;
    if (code !== 0x5c) {
      at += 1;
      continue;
    }
    parts.push(text.slice(plainFrom, at));
    const decoded = decodeEscape(text, at, end);
    parts.push(decoded.value);
    at += decoded.width;
    plainFrom = at;
  }
  parts.push(text.slice(plainFrom, Math.min(at, end)));
  return parts.join('');
}

function decodeEscape(text: string, at: number, end: number): { value: string; width: number } {
  const letter = text.charAt(at + 1);
  const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
  if (digits > 0) {
    let have = 0;
    while (have < digits && at + 2 + have < end && isHexDigit(text.charCodeAt(at + 2 + have))) {
      have += 1;
    }
    if (have === digits) {
      const hex = text.slice(at + 2, at + 2 + digits);
      return { value: String.fromCharCode(Number.parseInt(hex, 16)), width: 2 + digits };
    }
    if (at + 2 + have >= end) return { value: '', width: end - at };
  }
  if (at + 1 >= end) return { value: '', width: end - at };
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { value: simple, width: 2 };
  return { value: text.slice(at, at + 2), width: 2 };
}

/**
 * A JSON string literal for a value, in the shortest escape form. Lone surrogates are written as
 * `\udXXX`, so the literal is always valid UTF-8.
 */
export function encodeString(value: string): string {
  // Well-formed JSON.stringify (ECMA-262 25.5.2.3) is exactly this form.
  return JSON.stringify(value);
}

/** The member value JSON.parse would keep: the last one of that key. */
export function member(
  source: JsonDocument | string,
  node: JsonNode | undefined,
  key: string,
): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  const text = textOf(source);
  for (let index = node.members.length - 1; index >= 0; index -= 1) {
    const candidate = node.members[index];
    if (candidate !== undefined && stringValue(text, candidate.key) === key) return candidate.value;
  }
  return undefined;
}

/** Every value under a key, duplicates in source order. Empty when the node is not an object. */
export function members(
  source: JsonDocument | string,
  node: JsonNode | undefined,
  key: string,
): JsonNode[] {
  if (node?.kind !== 'object') return [];
  const text = textOf(source);
  return node.members.filter((m) => stringValue(text, m.key) === key).map((m) => m.value);
}

type JsonPlainObject = { [key: string]: unknown };

/**
 * A plain JavaScript value like JSON.parse would give, for envelopes only: numbers become doubles
 * and the last of duplicate keys wins. Objects have no prototype, so `__proto__` is a key like any
 * other. Iterative.
 */
export function toPlain(source: JsonDocument | string, node: JsonNode): unknown {
  return toPlainWith(source, node, Number);
}

/** `toPlain` with the caller's own reading of number texts. */
export function toPlainWith(
  source: JsonDocument | string,
  root: JsonNode,
  numberOf: (text: string) => unknown,
): unknown {
  const text = textOf(source);
  const pending: Filling[] = [];
  const shellOf = (node: JsonNode): unknown => {
    switch (node.kind) {
      case 'string':
        return stringValue(text, node);
      case 'number':
        return numberOf(text.slice(node.start, node.end));
      case 'literal':
        return node.value;
      case 'array': {
        const items: unknown[] = [];
        if (node.items.length > 0) pending.push({ node, items });
        return items;
      }
      case 'object': {
        // Object.create(null) is typed any.
        const object = Object.create(null) as JsonPlainObject;
        if (node.members.length > 0) pending.push({ node, object });
        return object;
      }
    }
  };
  const result = shellOf(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('items' in next) {
      for (const item of next.node.items) next.items.push(shellOf(item));
    } else {
      for (const each of next.node.members) {
        next.object[stringValue(text, each.key)] = shellOf(each.value);
      }
    }
  }
  return result;
}

/** A container whose plain shell exists but is still empty. */
type Filling =
  | { node: JsonArray; items: unknown[] }
  | { node: JsonObject; object: JsonPlainObject };
