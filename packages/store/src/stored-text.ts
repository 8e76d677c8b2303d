// A lone surrogate: with the `u` flag a surrogate that belongs to a pair doesn't match.
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * The form in which a text column holds any JavaScript string. SQLite keeps TEXT as UTF-8, which
 * has no lone surrogates, and several of its functions stop at NUL (PostgreSQL refuses NUL
 * altogether). A string that has either, or that begins like an encoded one, is kept as a JSON
 * string literal; every other string stands as it is.
 */
export function encodeText(text: string): string {
  if (text.startsWith('"') || text.includes('\0') || LONE_SURROGATE.test(text)) {
    return JSON.stringify(text);
  }
  return text;
}

/** The string that `encodeText` was given. */
export function decodeText(stored: string): string {
  // Safe for a string literal alone: no number or key order can be lost in it.
  return stored.startsWith('"') ? String(JSON.parse(stored)) : stored;
}

export function encodeTextOrNull(text: string | null): string | null {
  return text === null ? null : encodeText(text);
}

export function decodeTextOrNull(stored: string | null): string | null {
  return stored === null ? null : decodeText(stored);
}
