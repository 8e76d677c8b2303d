/** However often it is asked to wait, a replay comes to an end. */
const MOST_PAUSED_MS = 600_000;

/** A timeout that can stand still for a while, for ten minutes in all; then it runs on. */
export class PausableTimeout {
  readonly #onTimeout: () => void;
  #remainingMs: number;
  #pauseLeftMs = MOST_PAUSED_MS;
  #since = performance.now();
  #state: 'running' | 'paused' | 'over' = 'running';
  #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#remainingMs = timeoutMs;
    this.#onTimeout = onTimeout;
    this.#timer = setTimeout(() => this.#end(), timeoutMs);
  }

  /** Milliseconds until it fires, were it not paused again. */
  remainingMs(): number {
    if (this.#state !== 'running') return this.#remainingMs;
    return Math.max(0, this.#remainingMs - (performance.now() - this.#since));
  }

  pause(): void {
    if (this.#state !== 'running' || this.#pauseLeftMs <= 0) return;
    this.#remainingMs = this.remainingMs();
    this.#turn('paused', this.#pauseLeftMs, () => this.resume());
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#pauseLeftMs -= performance.now() - this.#since;
    this.#turn('running', this.#remainingMs, () => this.#end());
  }

  /** It never fires after this. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#state = 'over';
  }

  #turn(state: 'running' | 'paused', afterMs: number, next: () => void): void {
    clearTimeout(this.#timer);
    this.#state = state;
    this.#since = performance.now();
    this.#timer = setTimeout(next, afterMs);
  }

  #end(): void {
    this.clear();
    this.#onTimeout();
  }
}
