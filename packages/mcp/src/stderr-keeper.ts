import type { TapWriter } from './tap.ts';

export const STDERR_HEAD_BYTES = 256 * 1024;
export const STDERR_TAIL_BYTES = 256 * 1024;

interface HeldChunk {
  readonly bytes: Uint8Array;
  readonly at: ReturnType<TapWriter['now']>;
}

/**
 * Keeps the first 256 KiB of stderr as they come and the last 256 KiB for the end, with the times
 * at which they came; what lies between is counted. So a server that floods its stderr costs a
 * bounded amount of memory and disk, and the last words before a crash are never lost.
 */
export class StderrKeeper {
  readonly #tap: TapWriter;
  #headBytes = 0;
  #tail: HeldChunk[] = [];
  #tailFrom = 0;
  #tailBytes = 0;
  #omittedBytes = 0;

  constructor(tap: TapWriter) {
    this.#tap = tap;
  }

  push(chunk: Uint8Array): void {
    const room = STDERR_HEAD_BYTES - this.#headBytes;
    const head = chunk.subarray(0, Math.max(0, room));
    if (head.length > 0) {
      this.#headBytes += head.length;
      this.#tap.bytes('!', head);
    }
    const rest = chunk.subarray(head.length);
    if (rest.length === 0) return;
    this.#tail.push({ bytes: rest, at: this.#tap.now() });
    this.#tailBytes += rest.length;
    this.#dropOldest();
  }

  /** Writes the number of omitted bytes and the kept tail. */
  finish(): void {
    if (this.#omittedBytes > 0) {
      this.#tap.event('stderrOmitted', `${this.#omittedBytes} bytes of stderr are not kept`);
    }
    for (const { bytes, at } of this.#tail.slice(this.#tailFrom)) {
      this.#tap.bytesAt('!', bytes, at);
    }
    this.#tail = [];
    this.#tailFrom = 0;
    this.#tailBytes = 0;
    this.#omittedBytes = 0;
  }

  #dropOldest(): void {
    while (this.#tailBytes > STDERR_TAIL_BYTES) {
      const oldest = this.#tail[this.#tailFrom];
      if (oldest === undefined) break;
      const excess = Math.min(oldest.bytes.length, this.#tailBytes - STDERR_TAIL_BYTES);
      this.#omittedBytes += excess;
      this.#tailBytes -= excess;
      if (excess === oldest.bytes.length) {
        this.#tailFrom += 1;
      } else {
        // A copy, so that the large chunk it was cut from can be freed.
        this.#tail[this.#tailFrom] = {
          bytes: Buffer.from(oldest.bytes.subarray(excess)),
          at: oldest.at,
        };
      }
    }
    if (this.#tailFrom > 1024) {
      this.#tail = this.#tail.slice(this.#tailFrom);
      this.#tailFrom = 0;
    }
  }
}
