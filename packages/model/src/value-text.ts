import type { ValueEncoding } from './captured-value.ts';

/**
 * The text of a value from the decoded text of the bytes at its origin (see VALUE_ENCODINGS).
 * Exact for every encoding: nothing is parsed into numbers on the way. A `json-string` whose
 * bytes are no string literal (a damaged source) comes back as it stands.
 */
export function valueText(encoding: ValueEncoding, sourceText: string): string {
  switch (encoding) {
    case 'json-string':
      return decodeLiteral(sourceText);
    case 'unwrapped':
      return sourceText.replace(/\r?\n[ \t\u00a0]*/g, '');
    default:
      return sourceText;
  }
}

function decodeLiteral(literal: string): string {
  try {
    // Safe for a string literal alone: no number or object can be lost in it.
    const decoded: unknown = JSON.parse(literal);
    return typeof decoded === 'string' ? decoded : literal;
  } catch {
    return literal;
  }
}
