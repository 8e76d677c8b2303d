const SMALL_LENGTH = 16_384;
const FIRST_LENGTH = 256;
const GROWTH_BYTES = 1_048_576;
/** Of addresses, not of memory; a column of records reaches it with a source of tens of gigabytes. */
const MOST_BYTES = 2 ** 31;

/** As ES2024 has it. */
type ResizableBuffer = ArrayBuffer & { resize(byteLength: number): void };
type MakeBuffer = new (byteLength: number, options: { maxByteLength: number }) => ResizableBuffer;

/**
 * Numbers by place, as many as come. A long one stands in a buffer that grows where it is and whose
 * pages go back to the system: arrays that double are half empty, and twice there while they grow;
 * small pieces stay with the process when nobody needs them any more.
 */
export class NumberColumn {
  readonly #Kind: typeof Uint32Array | typeof Float64Array;
  #numbers: Uint32Array | Float64Array;
  #buffer: ResizableBuffer | null = null;

  /** What can't be held by numbers of the kind is changed as by that array. */
  constructor(kind: typeof Uint32Array | typeof Float64Array) {
    this.#Kind = kind;
    this.#numbers = new kind(0);
  }

  /** 0 where nothing was set. */
  get(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  /** RangeError beyond what a column holds. */
  set(place: number, value: number): void {
    if (place >= this.#numbers.length) this.#grow(place + 1);
    this.#numbers[place] = value;
  }

  /** Nothing is set any more, and the memory goes back at once. */
  clear(): void {
    this.#buffer?.resize(0);
    this.#buffer = null;
    this.#numbers = new this.#Kind(0);
  }

  #grow(length: number): void {
    if (length <= SMALL_LENGTH) {
      const more = new this.#Kind(Math.max(FIRST_LENGTH, 2 ** Math.ceil(Math.log2(length))));
      more.set(this.#numbers);
      this.#numbers = more;
      return;
    }
    const bytes = Math.ceil((length * this.#Kind.BYTES_PER_ELEMENT) / GROWTH_BYTES) * GROWTH_BYTES;
    if (this.#buffer !== null) {
      this.#buffer.resize(bytes);
      return;
    }
    // The library of types is older than Node 20, which has them.
    this.#buffer = new (ArrayBuffer as unknown as MakeBuffer)(bytes, { maxByteLength: MOST_BYTES });
    // Without a length of its own it follows the buffer's.
    const more = new this.#Kind(this.#buffer);
    more.set(this.#numbers);
    this.#numbers = more;
  }
}
