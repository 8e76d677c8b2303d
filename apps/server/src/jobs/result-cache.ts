interface Kept {
  readonly result: unknown;
  readonly length: number;
}

/** Results by key up to so much together; what was asked for longest ago goes first. */
export class ResultCache {
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Kept | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    // A map keeps the order of setting: the last one used stands last.
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found;
  }

  set(key: string, kept: Kept): void {
    if (kept.length > this.#most / 2) return;
    this.#length += kept.length - (this.#kept.get(key)?.length ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#length <= this.#most) return;
      this.#kept.delete(oldest);
      this.#length -= length;
    }
  }
}
