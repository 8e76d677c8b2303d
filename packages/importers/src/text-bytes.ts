/** Text to UTF-8 and back in one buffer that is used again and again: pages come and go by the thousand. */
export class TextBytes {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #buffer = new Uint8Array(65_536);

  /** Good until the next call. */
  encode(text: string): Uint8Array {
    // A UTF-16 unit takes three bytes at most.
    if (this.#buffer.length < text.length * 3) this.#buffer = new Uint8Array(text.length * 4);
    const { written } = this.#encoder.encodeInto(text, this.#buffer);
    return this.#buffer.subarray(0, written);
  }

  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes);
  }
}
