const TURN_MS = 10;
const PIECE_BYTES = 4096;

/**
 * Keeps a flood of small frames from holding the event loop: work that has gone on for a while
 * gives timers, and so time-outs and the person's cancelling, a turn.
 */
export class Pace {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  /** Waits one turn where the work has gone on for long enough. */
  async rest(): Promise<void> {
    if (!this.isDue) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

/** A chunk in pieces that are small enough to be worked on between two looks at the clock. */
export function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
    yield chunk.subarray(at, at + PIECE_BYTES);
  }
}
