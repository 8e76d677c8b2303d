import type { SourceLine } from '../../read-lines.ts';

/** A part of a transcript: what comes before the messages, or one message. */
export interface TranscriptItem {
  readonly kind: 'meta' | 'message';
  readonly lines: SourceLine[];
}

/** Cuts a transcript into its messages by lines alone, so that a damaged one costs only itself. */
export class TranscriptItems {
  #open: TranscriptItem | null = null;
  #inMessages = false;
  #dash: RegExp | null = null;

  /** The item that this line ends, if any. */
  add(line: SourceLine): TranscriptItem | null {
    const { text } = line;
    if (/^messages:\s*(?:\[\s*\]\s*)?$/.test(text)) {
      const ended = this.#begin(null);
      this.#inMessages = true;
      this.#dash = null;
      return ended;
    }
    if (/^meta:\s*$/.test(text)) {
      this.#inMessages = false;
      return this.#begin({ kind: 'meta', lines: [line] });
    }
    if (this.#inMessages) {
      const dash = /^( *)- /.exec(text);
      if (dash !== null) this.#dash ??= new RegExp(`^${dash[1] ?? ''}- `);
      if (this.#dash?.test(text)) return this.#begin({ kind: 'message', lines: [line] });
    }
    this.#open?.lines.push(line);
    return null;
  }

  finish(): TranscriptItem | null {
    return this.#begin(null);
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  #begin(item: TranscriptItem | null): TranscriptItem | null {
    const ended = this.#open;
    this.#open = item;
    return ended;
  }
}
