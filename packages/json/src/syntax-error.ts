/** Why a text is not JSON. `offset` is a UTF-16 offset; line and column count from 1. */
export interface JsonSyntaxError {
  code: 'JSON_SYNTAX';
  offset: number;
  line: number;
  column: number;
  /** What was found, where, and what was expected. */
  message: string;
}

/** A value or the reason there is none. Nothing in this package throws for bad input. */
export type JsonResult<T, E = JsonSyntaxError> = { ok: true; value: T } | { ok: false; error: E };

/** Line and column (both from 1, columns in UTF-16 units) of an offset; lines end at U+000A. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const next = text.indexOf('\n', lineStart);
    if (next < 0 || next >= offset) break;
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

export function syntaxError(text: string, offset: number, expected: string): JsonSyntaxError {
  const { line, column } = positionOf(text, offset);
  const message = `Expected ${expected} at line ${line}, column ${column}, but found ${foundAt(text, offset)}.`;
  return { code: 'JSON_SYNTAX', offset, line, column, message };
}

export function syntaxFailure(
  text: string,
  offset: number,
  expected: string,
): { ok: false; error: JsonSyntaxError } {
  return { ok: false, error: syntaxError(text, offset, expected) };
}

function foundAt(text: string, offset: number): string {
  const point = text.codePointAt(offset);
  if (point === undefined) return 'the end of the text';
  const visible = point > 0x20 && !(point >= 0x7f && point <= 0xa0) && point !== 0xfeff;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  if (!visible || isSurrogate) return code;
  // A word says more than its first letter: NaN, None, undefined.
  const word = /^[A-Za-z]{2,20}/.exec(text.slice(offset, offset + 20))?.[0];
  return `"${word ?? String.fromCodePoint(point)}"`;
}
