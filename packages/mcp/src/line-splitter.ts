const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface LineSink {
  /** A whole line without its line feed (and without a carriage return before it). */
  line(bytes: Uint8Array): void;
  /** A line grew beyond the cap. `bytes` are its first `cap` bytes; nothing more is given. */
  tooLarge(bytes: Uint8Array, seenBytes: number): void;
}

/** Cuts a byte stream at line feeds. Holds at most one line, and no more of it than the cap. */
export class LineSplitter {
  readonly #capBytes: number;
  readonly #sink: LineSink;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isOver = false;

  constructor(capBytes: number, sink: LineSink) {
    this.#capBytes = capBytes;
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    while (!this.#isOver) {
      const lineFeed = chunk.indexOf(LINE_FEED, from);
      const to = lineFeed < 0 ? chunk.length : lineFeed;
      this.#hold(chunk.subarray(from, to));
      if (this.#isOver || lineFeed < 0) return;
      this.#sink.line(withoutCarriageReturn(this.#take()));
      from = lineFeed + 1;
    }
  }

  /** The last line where no line feed ended it; null where there is none. */
  rest(): Uint8Array | null {
    if (this.#isOver || this.#heldBytes === 0) return null;
    return this.#take();
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes <= this.#capBytes) return;
    this.#isOver = true;
    const seen = this.#heldBytes;
    this.#sink.tooLarge(this.#take().subarray(0, this.#capBytes), seen);
  }

  #take(): Uint8Array {
    const [only] = this.#held;
    const line = this.#held.length === 1 && only !== undefined ? only : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }
}

/** Some servers end lines with CR LF; the SDK takes the carriage return for part of the ending. */
function withoutCarriageReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
