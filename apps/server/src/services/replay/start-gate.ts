/** Lets at most `count` starts through in any `windowMs`; the next ones wait their turn. */
export class StartGate {
  readonly #count: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<void>;
  #starts: number[] = [];
  #turn: Promise<void> = Promise.resolve();

  constructor(
    count: number,
    windowMs: number,
    now: () => number = () => performance.now(),
    wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {
    this.#count = count;
    this.#windowMs = windowMs;
    this.#now = now;
    this.#wait = wait;
  }

  pass(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const oldest = this.#starts.length < this.#count ? undefined : this.#starts[0];
      if (oldest !== undefined) {
        const ms = oldest + this.#windowMs - this.#now();
        if (ms > 0) await this.#wait(ms);
      }
      this.#starts = [...this.#starts.slice(1 - this.#count), this.#now()];
    });
    return this.#turn;
  }
}
