import { idNumberOf } from './step-ids.ts';

/** Two logs that were copied together into one file repeat each other within this many messages. */
const MOST_REMEMBERED = 20_000;

/** Tells which entries of logs repeat others: within one source, and of one source in another. */
export class LogCopies {
  readonly #recent = new Set<string>();
  /** Of all sources before this one, and of this one. */
  readonly #before = new Set<number>();
  #own: number[] = [];
  readonly #hasSeveral: boolean;

  constructor(hasSeveral: boolean) {
    this.#hasSeveral = hasSeveral;
  }

  beginSource(): void {
    for (const number of this.#own) this.#before.add(number);
    this.#own = [];
    this.#recent.clear();
  }

  /** True for a message that was there before, in this source or another. */
  repeats(key: string): boolean {
    if (this.#recent.has(key) || this.standsInOther(key)) return true;
    this.#recent.add(key);
    if (this.#recent.size > MOST_REMEMBERED) {
      for (const oldest of this.#recent) {
        this.#recent.delete(oldest);
        break;
      }
    }
    return false;
  }

  /** True for an entry that another source holds; one may well repeat within its own. */
  standsInOther(key: string): boolean {
    if (!this.#hasSeveral) return false;
    const number = idNumberOf(key);
    if (this.#before.has(number)) return true;
    this.#own.push(number);
    return false;
  }
}
