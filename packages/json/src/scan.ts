/**
 * Character scanners shared by the strict parser, the fast path and the tolerant reader. They
 * return the offset after the token, or -1; only a failure pays for finding out why.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** RFC 8259 section 2: space, tab, line feed, carriage return. */
export function skipWhitespace(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

/** RFC 8259 section 7, from the opening quote. */
export function scanString(text: string, offset: number): number {
  let at = offset + 1;
  let patience = at + LONG_STRING;
  for (;;) {
    if (at > patience) {
      at = skipPlain(text, at);
      patience = at + LONG_STRING;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      const width = escapeWidth(text, at);
      if (width === 0) return -1;
      at += width;
    } else if (code >= 0x20) {
      at += 1;
    } else {
      return -1;
    }
  }
}

/** Beyond this many characters one sticky pattern is worth its call: it is faster than a loop. */
export const LONG_STRING = 48;
/** Everything but the quote, the backslash, control characters and surrogates. */
const PLAIN = /[ !#-[\]-\ud7ff\ue000-\uffff]*/y;

/** The end of a run of characters that mean themselves in a string. */
export function skipPlain(text: string, offset: number): number {
  PLAIN.lastIndex = offset;
  PLAIN.test(text);
  return PLAIN.lastIndex;
}

/** Width of the escape at a backslash: 2, 6, or 0 when RFC 8259 has no such escape. */
function escapeWidth(text: string, offset: number): number {
  switch (text.charCodeAt(offset + 1)) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return 2;
    case 0x75:
      return isHexDigit(text.charCodeAt(offset + 2)) &&
        isHexDigit(text.charCodeAt(offset + 3)) &&
        isHexDigit(text.charCodeAt(offset + 4)) &&
        isHexDigit(text.charCodeAt(offset + 5))
        ? 6
        : 0;
    default:
      return 0;
  }
}

/** Where and why `scanString` gave up. */
export function explainString(text: string, offset: number): { offset: number; expected: string } {
  let at = offset + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) return { offset: at, expected: 'a closing quote' };
    if (code < 0x20)
      return { offset: at, expected: 'an escape for a control character in a string' };
    if (code === BACKSLASH) {
      const width = escapeWidth(text, at);
      if (width === 0) return explainEscape(text, at);
      at += width;
    } else {
      at += 1;
    }
  }
}

function explainEscape(text: string, backslash: number): { offset: number; expected: string } {
  if (text.charCodeAt(backslash + 1) !== 0x75) {
    return { offset: backslash + 1, expected: 'one of " \\ / b f n r t u after a backslash' };
  }
  let at = backslash + 2;
  while (isHexDigit(text.charCodeAt(at))) at += 1;
  return { offset: at, expected: 'four hexadecimal digits after \\u' };
}

/** RFC 8259 section 6, from the minus sign or the first digit. */
export function scanNumber(text: string, offset: number): number {
  const end = numberReach(text, offset);
  return end < 0 ? -1 : end;
}

/** Where and why `scanNumber` gave up. */
export function explainNumber(text: string, offset: number): { offset: number; expected: string } {
  return { offset: -numberReach(text, offset) - 1, expected: 'a digit' };
}

/** The end of the number, or -(offset of the missing digit) - 1. */
function numberReach(text: string, offset: number): number {
  let at = offset;
  let code = text.charCodeAt(at);
  if (code === 0x2d) {
    at += 1;
    code = text.charCodeAt(at);
  }
  if (!isDigit(code)) return -at - 1;
  at = code === 0x30 ? at + 1 : skipDigits(text, at);
  if (text.charCodeAt(at) === 0x2e) {
    if (!isDigit(text.charCodeAt(at + 1))) return -(at + 1) - 1;
    at = skipDigits(text, at + 1);
  }
  code = text.charCodeAt(at);
  if (code === 0x65 || code === 0x45) {
    at += 1;
    code = text.charCodeAt(at);
    if (code === 0x2b || code === 0x2d) at += 1;
    if (!isDigit(text.charCodeAt(at))) return -at - 1;
    at = skipDigits(text, at);
  }
  return at;
}

function skipDigits(text: string, offset: number): number {
  let at = offset;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}
