import { losesInDoubles } from './number.ts';
import { parseJson } from './parse.ts';
import { isDigit, LONG_STRING, scanNumber, skipPlain, skipWhitespace } from './scan.ts';
import type { JsonResult } from './syntax-error.ts';
import { toPlainWith } from './text.ts';

/**
 * A number that a double would change. It stands where `parsePlain` met one; `text` is the token.
 * Arithmetic on it is a mistake, so it has no `valueOf` of its own.
 */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * A plain JavaScript value.
 *
 * Where `mayLose` is false this is JSON.parse. Otherwise it is built from `parseJson`, and then:
 * kept are numbers a double would change (as `NumberText`; others are numbers), `-0`, lone surrogates
 * and `__proto__` as an own key (objects have no prototype); not kept are all but the last of
 * duplicate keys, the order of integer-like keys, and the spelling of numbers and escapes. A caller
 * that needs those reads the tree.
 */
export function parsePlain(text: string): JsonResult<unknown> {
  const quick = parseWhereNothingIsLost(text);
  if (quick !== null) return { ok: true, value: quick.value };
  const doc = parseJson(text);
  if (!doc.ok) return doc;
  const numberOf = (token: string) =>
    losesInDoubles(token) ? new NumberText(token) : Number(token);
  return { ok: true, value: toPlainWith(doc.value, doc.value.root, numberOf) };
}

/**
 * May JSON.parse lose anything of this text? False only where JSON.stringify of what it gives has
 * the same tokens as the text. True also for what is not JSON, and, to be safe, for any `__proto__`,
 * any integer-like key, and nesting beyond 500 levels (JSON.stringify recurses).
 */
export function mayLose(text: string): boolean {
  return parseWhereNothingIsLost(text) === null;
}

const DEEPEST_FAST = 500;

function parseWhereNothingIsLost(text: string): { value: unknown } | null {
  const memberCount = countMembers(text);
  if (memberCount < 0) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return memberCount === 0 || countOwnKeys(value) === memberCount ? { value } : null;
}

/** Member colons outside strings, or -1 as soon as a token is one that JSON.parse may lose. */
function countMembers(text: string): number {
  let members = 0;
  let depth = 0;
  let at = 0;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = scanKeptString(text, at);
      if (end < 0 || isRiskyKey(text, at, end)) return -1;
      at = end;
    } else if (code === 0x2d || isDigit(code)) {
      const end = scanNumber(text, at);
      if (end < 0 || !isKeptNumber(text, at, end)) return -1;
      at = end;
    } else if (Number.isNaN(code)) {
      return members;
    } else {
      if (code === 0x3a) members += 1;
      else if (code === 0x7b || code === 0x5b) {
        depth += 1;
        if (depth > DEEPEST_FAST) return -1;
      } else if (code === 0x7d || code === 0x5d) depth -= 1;
      at += 1;
    }
  }
}

/** `scanString` for literals that JSON.stringify would write the same; -1 for any other. */
function scanKeptString(text: string, offset: number): number {
  let at = offset + 1;
  let patience = at + LONG_STRING;
  for (;;) {
    if (at > patience) {
      at = skipPlain(text, at);
      patience = at + LONG_STRING;
    }
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) {
      const next = text.charCodeAt(at + 1);
      if (next === 0x75) {
        if (!isShortestUnicodeEscape(text, at)) return -1;
        at += 6;
      } else {
        if (next === 0x2f) return -1;
        at += 2;
      }
    } else if (code >= 0xd800 && code <= 0xdfff) {
      const low = text.charCodeAt(at + 1);
      if (code > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return -1;
      at += 2;
    } else if (code >= 0x20) {
      at += 1;
    } else {
      return -1;
    }
  }
}

/** Only control characters without a short escape keep `\u00xx`, in lower case. */
function isShortestUnicodeEscape(text: string, offset: number): boolean {
  const code = Number.parseInt(text.slice(offset + 2, offset + 6), 16);
  const written = JSON.stringify(String.fromCharCode(code));
  return code < 0x20 && written === `"${text.slice(offset, offset + 6)}"`;
}

function isRiskyKey(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start + 1);
  if (first === 0x5f) return end - start === 11 && text.startsWith('"__proto__"', start);
  if (!isDigit(first)) return false;
  return text.charCodeAt(skipWhitespace(text, end)) === 0x3a;
}

/** Safe integers of fewer than 16 digits are as written; anything else is tried. */
function isKeptNumber(text: string, start: number, end: number): boolean {
  if (end - start < 16 && text.charCodeAt(start) !== 0x2d) {
    let at = start;
    while (at < end && isDigit(text.charCodeAt(at))) at += 1;
    if (at === end) return true;
  }
  const token = text.slice(start, end);
  return String(Number(token)) === token;
}

function countOwnKeys(root: unknown): number {
  let count = 0;
  const pending: object[] = typeof root === 'object' && root !== null ? [root] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let children: unknown[];
    if (Array.isArray(next)) {
      children = next;
    } else {
      children = Object.values(next);
      count += children.length;
    }
    for (const child of children) {
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return count;
}
