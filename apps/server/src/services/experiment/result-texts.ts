import { createHash } from 'node:crypto';

/** What one experiment may keep of different results in memory, in UTF-16 units. */
const MOST_LENGTH = 16_777_216;

/**
 * Keeps each different result once. When they grow too large together, a result is stood in for by
 * a text with its hash: equal bytes stay equal, but nothing can be looked up in it.
 */
export class ResultTexts {
  readonly #kept = new Map<string, string>();
  readonly #most: number;
  #length = 0;

  constructor(most: number = MOST_LENGTH) {
    this.#most = most;
  }

  keep(text: string): string {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const known = this.#kept.get(sha256);
    if (known !== undefined) return known;
    const fits = this.#length + text.length <= this.#most;
    const kept = fits ? text : `too large to look into, SHA-256 ${sha256}`;
    this.#kept.set(sha256, kept);
    this.#length += kept.length;
    return kept;
  }
}
