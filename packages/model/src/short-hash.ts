const WHOLE = /^[0-9a-f]{64}$/;

/** Whether a text is a SHA-256 in lower-case hex. */
export function isWholeHash(text: string): boolean {
  return WHOLE.test(text);
}

/** The first eight digits of a hash, as a person reads them: `e353 1287`. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;
}
