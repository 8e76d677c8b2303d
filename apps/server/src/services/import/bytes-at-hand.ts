import type { StoredSource } from '@misstep/store';

/** As many files as are taken in at a time may be that large. */
const MOST_BYTES = 32_768;

const known = new WeakMap<StoredSource, Uint8Array>();

/**
 * The bytes of a small source that was just taken in; null = they are to be read from its file.
 * They go with the source's own object, when its import goes on to the next files.
 */
export function bytesAtHand(source: StoredSource): Uint8Array | null {
  return known.get(source) ?? null;
}

/** Keeps what comes in for `bytesAtHand`, as long as it is small. */
export class SmallBytes {
  #chunks: Uint8Array[] = [];
  #sizeBytes = 0;

  add(chunk: Uint8Array): void {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > MOST_BYTES) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** All that came is the bytes of this source. */
  keepFor(source: StoredSource): void {
    if (this.#sizeBytes > MOST_BYTES) return;
    const bytes = new Uint8Array(this.#sizeBytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    known.set(source, bytes);
  }
}
