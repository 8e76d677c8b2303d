import type { Readable } from 'node:stream';
import { Pace, piecesOf } from './pace.ts';

/**
 * Hands on what a stream brings in small pieces and with pauses; the stream waits meanwhile, so at
 * most one chunk is held. Nothing is lost: `drain` hands on at once what is still held.
 */
export class PacedStream {
  /** When the last chunk came, by `performance.now()`. */
  lastChunkAtMs = performance.now();
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
      if (this.#isOver) return;
      this.#held.push(...piecesOf(chunk));
      stream.pause();
      void this.#work();
    });
  }

  drain(): void {
    const held = this.#held;
    this.#held = [];
    for (const piece of held) this.#push(piece);
  }

  /** Whatever else comes is read and thrown away. */
  discard(): void {
    this.#isOver = true;
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
