const CHUNK_BITS = 12;
const CHUNK_LENGTH = 2 ** CHUNK_BITS;

/**
 * Numbers by place, as many as come. It grows by small chunks: one array that doubles would be, for
 * a long session, half empty and twice there each time it grows.
 */
export class NumberColumn {
  readonly #chunks: (Uint32Array | Float64Array)[] = [];
  readonly #Kind: typeof Uint32Array | typeof Float64Array;

  /** What can't be held by numbers of the kind is changed as by that array. */
  constructor(kind: typeof Uint32Array | typeof Float64Array) {
    this.#Kind = kind;
  }

  /** 0 where nothing was set. */
  get(place: number): number {
    return this.#chunks[place >>> CHUNK_BITS]?.[place & (CHUNK_LENGTH - 1)] ?? 0;
  }

  set(place: number, value: number): void {
    while (place >>> CHUNK_BITS >= this.#chunks.length) {
      this.#chunks.push(new this.#Kind(CHUNK_LENGTH));
    }
    const chunk = this.#chunks[place >>> CHUNK_BITS];
    if (chunk !== undefined) chunk[place & (CHUNK_LENGTH - 1)] = value;
  }
}
