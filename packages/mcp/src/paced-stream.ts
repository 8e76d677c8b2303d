import type { Readable } from 'node:stream';
import { Pace, piecesOf } from './pace.ts';

/**
 * Hands on what a stream brings in small pieces and with pauses; the stream waits meanwhile, so at
 * most one chunk is held. `drain` hands on at once what is still held.
 */
export class PacedStream {
  /** When the last chunk came, by `performance.now()`. */
  lastChunkAtMs = performance.now();
  /** Nobody got these. */
  leftOutBytes = 0;
  readonly #stream: Readable;
  readonly #push: (piece: Uint8Array) => void;
  readonly #pace = new Pace();
  #held: Uint8Array[] = [];
  #isOver = false;

  constructor(stream: Readable, push: (piece: Uint8Array) => void) {
    this.#stream = stream;
    this.#push = push;
    stream.on('data', (chunk: Buffer) => {
      this.lastChunkAtMs = performance.now();
      if (this.#isOver) {
        this.leftOutBytes += chunk.length;
        return;
      }
      this.#held.push(...piecesOf(chunk));
      stream.pause();
      void this.#work();
    });
  }

  /** Hands on what is held, for that long at most; the rest is left out. */
  drain(forMs: number): void {
    const until = performance.now() + forMs;
    const held = this.#held;
    this.#held = [];
    for (const piece of held) {
      if (performance.now() < until) this.#push(piece);
      else this.leftOutBytes += piece.length;
    }
  }

  /** Whatever else comes is read and thrown away. */
  discard(): void {
    this.#isOver = true;
    for (const piece of this.#held) this.leftOutBytes += piece.length;
    this.#held = [];
    this.#stream.resume();
  }

  async #work(): Promise<void> {
    for (let piece = this.#held.shift(); piece !== undefined; piece = this.#held.shift()) {
      this.#push(piece);
      await this.#pace.rest();
    }
    this.#stream.resume();
  }
}
