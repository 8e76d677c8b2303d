import { createHash } from 'node:crypto';
import type { SentOutcome } from '@misstep/replay';

/** What one experiment may keep of different results in memory, in UTF-16 units. */
const MOST_LENGTH = 16_777_216;

/**
 * Keeps each different result once. When they grow too large together, a result's hash stands in its
 * place, as what it is: equal bytes stay equal, and nothing is said of what stands in them.
 */
export class ResultTexts {
  readonly #kept = new Map<string, Pick<SentOutcome, 'resultText' | 'notLookedIntoSha256'>>();
  readonly #most: number;
  #length = 0;

  constructor(most: number = MOST_LENGTH) {
    this.#most = most;
  }

  keep(text: string): Pick<SentOutcome, 'resultText' | 'notLookedIntoSha256'> {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const known = this.#kept.get(sha256);
    if (known !== undefined) return known;
    const fits = this.#length + text.length <= this.#most;
    const kept = fits
      ? { resultText: text, notLookedIntoSha256: null }
      : { resultText: null, notLookedIntoSha256: sha256 };
    this.#kept.set(sha256, kept);
    if (fits) this.#length += text.length;
    return kept;
  }
}
