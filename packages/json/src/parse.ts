import type { JsonArray, JsonDocument, JsonNode, JsonObject, JsonString } from './node.ts';
import { explainNumber, explainString, scanNumber, scanString, skipWhitespace } from './scan.ts';
import {
  type JsonResult,
  type JsonSyntaxError,
  syntaxError,
  syntaxFailure,
} from './syntax-error.ts';

/**
 * Parses one JSON text, strictly as RFC 8259 says: no comments, trailing commas, NaN, byte order
 * mark or raw control characters in strings. Iterative, so depth is bounded by memory alone.
 */
export function parseJson(text: string): JsonResult<JsonDocument> {
  const prefix = parseJsonPrefix(text, 0);
  if (!prefix.ok) return prefix;
  const after = skipWhitespace(text, prefix.value.end);
  if (after < text.length) return syntaxFailure(text, after, 'the end of the text');
  return { ok: true, value: { text, root: prefix.value.root } };
}

/** `parseJson` that lets `NaN`, `Infinity` and `-Infinity` through, as Python and others write them. */
export function parseLooseJson(text: string): JsonResult<JsonDocument> {
  const prefix = parseLooseJsonPrefix(text, 0);
  if (!prefix.ok) return prefix;
  const { end, ...document } = prefix.value;
  const after = skipWhitespace(text, end);
  if (after < text.length) return syntaxFailure(text, after, 'the end of the text');
  return { ok: true, value: { text, ...document } };
}

/** `parseJsonPrefix` in the same way. */
export function parseLooseJsonPrefix(
  text: string,
  offset = 0,
): JsonResult<Omit<JsonDocument, 'text'> & { readonly end: number }> {
  const bareNumbers: number[] = [];
  const parser = new Parser(text, offset, bareNumbers);
  const root = parser.run();
  if (root === null) return { ok: false, error: parser.error() };
  const found = bareNumbers.length === 0 ? {} : { bareNumbers };
  return { ok: true, value: { root, end: root.end, ...found } };
}

/**
 * Parses the one value that starts at `offset` (white space before it is skipped) and stops after
 * it, whatever follows: for JSON inside other text and for NDJSON. `end` is the offset after the
 * value; the root's offsets refer to the whole `text`.
 */
export function parseJsonPrefix(
  text: string,
  offset = 0,
): JsonResult<{ root: JsonNode; end: number }> {
  const parser = new Parser(text, offset);
  const root = parser.run();
  if (root !== null) return { ok: true, value: { root, end: root.end } };
  return { ok: false, error: parser.error() };
}

class Parser {
  readonly #text: string;
  #at: number;
  #faultOffset = 0;
  #faultExpected = '';

  /** Null: there are none in strict JSON. */
  readonly #bareNumbers: number[] | null;

  constructor(text: string, offset: number, bareNumbers: number[] | null = null) {
    this.#text = text;
    this.#at = offset;
    this.#bareNumbers = bareNumbers;
  }

  error(): JsonSyntaxError {
    return syntaxError(this.#text, this.#faultOffset, this.#faultExpected);
  }

  run(): JsonNode | null {
    const open: (JsonObject | JsonArray)[] = [];
    let container: JsonObject | JsonArray | null = null;
    let key: JsonString | null = null;
    for (;;) {
      const node = this.#readValue(container);
      if (node === null) return null;
      if (container !== null) {
        if (container.kind === 'array') container.items.push(node);
        // A container of kind object always has its key read before its value.
        else container.members.push({ key: key as JsonString, value: node });
      }
      if (node.end === OPEN) {
        // Only objects and arrays are handed back open.
        if (container !== null) open.push(container);
        container = node as JsonObject | JsonArray;
      } else if (container === null) {
        return node;
      } else {
        // Close every container that ends here, then step over one comma.
        for (;;) {
          const at = skipWhitespace(this.#text, this.#at);
          const code = this.#text.charCodeAt(at);
          const closer: number = container.kind === 'array' ? 0x5d : 0x7d;
          this.#at = at + 1;
          if (code === 0x2c) break;
          if (code !== closer) {
            return this.#fail(at, container.kind === 'array' ? '"," or "]"' : '"," or "}"');
          }
          container.end = at + 1;
          const parent = open.pop();
          if (parent === undefined) return container;
          container = parent;
        }
      }
      if (container.kind === 'object') {
        const first = container.members.length === 0;
        key = this.#readKey(first);
        if (key === null) return null;
      }
    }
  }

  /** Reads a scalar or an empty container whole; a container with content is handed back open. */
  #readValue(container: JsonObject | JsonArray | null): JsonNode | null {
    const text = this.#text;
    const at = skipWhitespace(text, this.#at);
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x22:
        return this.#readString(at);
      case 0x7b: {
        const inside = skipWhitespace(text, at + 1);
        const empty = text.charCodeAt(inside) === 0x7d;
        this.#at = empty ? inside + 1 : inside;
        return { kind: 'object', start: at, end: empty ? inside + 1 : OPEN, members: [] };
      }
      case 0x5b: {
        const inside = skipWhitespace(text, at + 1);
        const empty = text.charCodeAt(inside) === 0x5d;
        this.#at = empty ? inside + 1 : inside;
        return { kind: 'array', start: at, end: empty ? inside + 1 : OPEN, items: [] };
      }
      case 0x74:
        return this.#readWord(at, 'true', true);
      case 0x66:
        return this.#readWord(at, 'false', false);
      case 0x6e:
        return this.#readWord(at, 'null', null);
      default:
        break;
    }
    const bare = this.#bareNumbers === null ? null : this.#readBareNumber(at);
    if (bare !== null) return bare;
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = scanNumber(text, at);
      if (end < 0) {
        const why = explainNumber(text, at);
        return this.#fail(why.offset, why.expected);
      }
      this.#at = end;
      return { kind: 'number', start: at, end };
    }
    const firstItem = container?.kind === 'array' && container.items.length === 0;
    return this.#fail(at, firstItem ? 'a value or "]"' : 'a value');
  }

  #readBareNumber(at: number): JsonNode | null {
    BARE_NUMBER.lastIndex = at;
    const word = BARE_NUMBER.exec(this.#text)?.[0];
    if (word === undefined) return null;
    this.#bareNumbers?.push(at);
    this.#at = at + word.length;
    return { kind: 'number', start: at, end: this.#at };
  }

  #readString(at: number): JsonString | null {
    const end = scanString(this.#text, at);
    if (end < 0) {
      const why = explainString(this.#text, at);
      return this.#fail(why.offset, why.expected);
    }
    this.#at = end;
    return { kind: 'string', start: at, end };
  }

  #readKey(first: boolean): JsonString | null {
    const at = skipWhitespace(this.#text, this.#at);
    if (this.#text.charCodeAt(at) !== 0x22) {
      return this.#fail(at, first ? 'a key in double quotes or "}"' : 'a key in double quotes');
    }
    const key = this.#readString(at);
    if (key === null) return null;
    const colon = skipWhitespace(this.#text, key.end);
    if (this.#text.charCodeAt(colon) !== 0x3a) return this.#fail(colon, '":" after a key');
    this.#at = colon + 1;
    return key;
  }

  #readWord(at: number, word: string, value: true | false | null): JsonNode | null {
    if (!this.#text.startsWith(word, at)) return this.#fail(at, 'a value');
    this.#at = at + word.length;
    return { kind: 'literal', value, start: at, end: at + word.length };
  }

  #fail(offset: number, expected: string): null {
    this.#faultOffset = offset;
    this.#faultExpected = expected;
    return null;
  }
}

const BARE_NUMBER = /(?:NaN|-?Infinity)(?![\w$])/y;

/** `end` of a container whose closing bracket has not been read yet. */
const OPEN = -1;
