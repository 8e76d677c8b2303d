import { parseJson } from '@misstep/json';
import type { Elision } from '@misstep/model';

/** Longer texts aren't parsed only to see whether they end. */
const MOST_PARSED = 1_048_576;

/** A text that ends where something cut it: nothing in it says so, nor how much is missing. */
export const CUT_SHORT: Elision = { pointer: '', kind: 'tail', count: null, marker: '' };

/**
 * JSON that ends in the middle, as a limit on the length of values leaves it. Texts that aren't JSON
 * from their start say nothing of that.
 */
export function isCutJson(text: string | null): boolean {
  if (text === null || text.length > MOST_PARSED) return false;
  if (!/^\s*(?:\{\s*"|\[\s*[[{"])/.test(text) || /[\]}]\s*$/.test(text)) return false;
  const parsed = parseJson(text);
  return !parsed.ok && parsed.error.offset >= text.length;
}
