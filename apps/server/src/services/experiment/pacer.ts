/** Keeps starts at least `gapMs` apart. */
export class Pacer {
  readonly #gapMs: number;
  readonly #now: () => number;
  #last: number;

  constructor(gapMs: number, now: () => number = () => performance.now()) {
    this.#gapMs = gapMs;
    this.#now = now;
    this.#last = now();
  }

  /** Waits until the next start is due, or until it is aborted. */
  async pause(signal: AbortSignal): Promise<void> {
    const ms = this.#last + this.#gapMs - this.#now();
    if (ms > 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
      });
    }
    this.#last = this.#now();
  }
}
