import type { LogDialect, LogHead } from './log-dialect.ts';
import { readLines } from './read-lines.ts';
import { recordNumber } from './record-number.ts';
import type { RunSource } from './run-sources.ts';

/** What tells an entry apart from all but its copies in other logs: when, of which server, and what it says. */
export function entryNumber({ timeText, server }: LogHead, body: string): number {
  return recordNumber(`${timeText} ${server} ${body.trimEnd()}`);
}

/** Where an entry stands that names the steps of its copies; `used` counts them. */
export interface EntryPlace {
  readonly part: string | null;
  readonly offset: number;
  /** Of its source; see RunSource. */
  readonly rank: number;
  used: number;
}

/**
 * Entries of logs that were imported before others which are read before them. Steps keep what they
 * were called when the one log was all that was here.
 */
export class EntryPlaces {
  readonly #places = new Map<number, EntryPlace>();

  /** Null = the entry is called by its own place. Each is given once: two steps can't have one id. */
  take(number: number, rank: number): EntryPlace | null {
    const place = this.#places.get(number);
    if (place === undefined || place.rank >= rank) return null;
    this.#places.delete(number);
    return place;
  }

  async fill(
    ordered: readonly RunSource[],
    dialect: LogDialect,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    // Those that were imported first come last, so that their places stand.
    const named = ordered.filter(({ rank }, index) =>
      ordered.slice(0, index).some((before) => before.rank > rank),
    );
    for (const source of named.sort((a, b) => b.rank - a.rank)) {
      await this.#fillFrom(source, dialect, signal);
    }
  }

  async #fillFrom(
    { reader, part, rank }: RunSource,
    dialect: LogDialect,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for await (const { text, offset, tooLong } of readLines(reader, signal)) {
      const head = tooLong ? null : dialect.headAt(text, 0);
      if (head === null) continue;
      this.#places.set(entryNumber(head, text.slice(head.bodyAt)), { part, offset, rank, used: 0 });
    }
  }
}
