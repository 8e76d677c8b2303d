import { createHash, type Hash } from 'node:crypto';
import type { SourceHash } from '@misstep/model';

/** The first bytes of a source, by their hash. */
export interface SourceHead {
  readonly sizeBytes: number;
  readonly sha256: SourceHash;
}

/**
 * The next size after `sizeBytes` at which beginnings are hashed: numbers of four binary digits,
 * then zeros (1 ... 16, 18, 20 ... 32, 36 ...). A source has its largest one in its row, at least
 * eight ninths of it, so that those which a grown file may have been are found by an index.
 */
export function nextHeadSize(sizeBytes: number): number {
  const unit = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, sizeBytes))) - 3);
  return (Math.floor(sizeBytes / unit) + 1) * unit;
}

/** A power of two, so that it is one of the sizes at which beginnings are hashed. */
const OPENING_BYTES = 1024;

/** Hashes bytes as they come, and their beginnings at the sizes of nextHeadSize. */
export class HeadHash {
  #opening: SourceHash | null = null;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #next = nextHeadSize(0);
  #last: Hash = createHash('sha256');
  #lastBytes = 0;
  readonly #onHead: ((head: SourceHead) => void) | null;

  /** `onHead` is told every head; without it only the last one is digested. */
  constructor(onHead: ((head: SourceHead) => void) | null = null) {
    this.#onHead = onHead;
  }

  update(chunk: Uint8Array): void {
    let rest = chunk;
    while (this.#sizeBytes + rest.length >= this.#next) {
      const upTo = this.#next - this.#sizeBytes;
      this.#hash.update(rest.subarray(0, upTo));
      rest = rest.subarray(upTo);
      this.#sizeBytes = this.#next;
      this.#lastBytes = this.#next;
      this.#last = this.#hash.copy();
      this.#next = nextHeadSize(this.#next);
      if (this.#sizeBytes === OPENING_BYTES) this.#opening = hex(this.#last.copy());
      if (this.#onHead !== null) this.#onHead(this.#lastHead());
    }
    this.#hash.update(rest);
    this.#sizeBytes += rest.length;
  }

  /** Nothing can be added afterwards. */
  finish(): {
    sizeBytes: number;
    sha256: SourceHash;
    head: SourceHead;
    opening: SourceHash | null;
  } {
    const head = this.#lastHead();
    return { sizeBytes: this.#sizeBytes, sha256: hex(this.#hash), head, opening: this.#opening };
  }

  #lastHead(): SourceHead {
    return { sizeBytes: this.#lastBytes, sha256: hex(this.#last.copy()) };
  }
}

function hex(hash: Hash): SourceHash {
  // A SHA-256 in hexadecimal is what the type means.
  return hash.digest('hex') as SourceHash;
}
