import type { StreamPart, StreamPiece } from './tcp-stream.ts';

const LINE_FEED = 0x0a;
const MOST_CHUNK_LINE_BYTES = 4096;

/** The body of an HTTP message: what of the part's bytes it is, without transfer coding. */
export class MessageBody {
  /** Where in the part the message ends, as far as it was captured. */
  end: number;
  isComplete = true;
  /** How much of it was not captured, where its head says so. */
  missingBytes: number | null = null;
  /** True where what says its size can't be read: then nobody knows where it ends. */
  isSizeUnreadable = false;
  /** No size was told: all that comes is the body. */
  isUntilClose = false;
  readonly #part: StreamPart;
  readonly #ranges: { start: number; from: number; length: number }[] = [];
  #size = 0;

  constructor(part: StreamPart, at: number) {
    this.#part = part;
    this.end = at;
  }

  get sizeBytes(): number {
    return this.#size;
  }

  read(headers: ReadonlyMap<string, string>, isAnswer: boolean): void {
    const size = this.#part.bytes.length;
    const coding = headers.get('transfer-encoding')?.toLowerCase() ?? '';
    const stated = headers.get('content-length');
    // Several headers of one name are joined; they may say the same.
    const length = /^(\d+)(?:\s*,\s*\1)*$/.exec(stated ?? '')?.[1];
    if (/\bchunked\b/.test(coding)) this.#readChunks();
    else if (length !== undefined) {
      const wanted = this.end + Number(length);
      this.#noteEnd(wanted);
      this.#take(this.end, Math.min(wanted, size));
    } else if (isAnswer) {
      this.isUntilClose = true;
      this.isSizeUnreadable = stated !== undefined;
      this.isComplete = stated === undefined;
      this.#take(this.end, size);
    }
  }

  /** The bytes, and where in the file they stand. */
  content(): { bytes: Uint8Array; pieces: { start: number; offset: number; length: number }[] } {
    const bytes = new Uint8Array(this.#size);
    const pieces: { start: number; offset: number; length: number }[] = [];
    let next = 0;
    for (const { start, from, length } of this.#ranges) {
      bytes.set(this.#part.bytes.subarray(from, from + length), start);
      const all = this.#part.pieces;
      while (next < all.length && endOf(all[next]) <= from) next += 1;
      for (let index = next; index < all.length; index += 1) {
        const piece = all[index];
        if (piece === undefined || piece.start >= from + length) break;
        const begin = Math.max(piece.start, from);
        const end = Math.min(endOf(piece), from + length);
        const place = { start: start + begin - from, offset: piece.offset + begin - piece.start };
        pushPiece(pieces, { ...place, length: end - begin });
      }
    }
    return { bytes, pieces };
  }

  /** Where in the part the body's byte before `offset` stands. */
  partOffset(offset: number): number {
    let low = 0;
    let high = this.#ranges.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#ranges[middle]?.start ?? 0) < offset) low = middle;
      else high = middle - 1;
    }
    const range = this.#ranges[low];
    return range === undefined ? this.end : range.from + Math.max(0, offset - 1 - range.start);
  }

  /** `wanted`: where it should end. */
  #noteEnd(wanted: number): void {
    const missing = wanted - this.#part.bytes.length;
    if (missing <= 0) return;
    this.isComplete = false;
    this.missingBytes = Number.isSafeInteger(missing) ? missing : null;
  }

  #take(from: number, to: number): void {
    if (to > from) {
      this.#ranges.push({ start: this.#size, from, length: to - from });
      this.#size += to - from;
    }
    this.end = to;
  }

  /** RFC 9112, section 7.1. */
  #readChunks(): void {
    const { bytes } = this.#part;
    for (;;) {
      const line = this.#line();
      const size = line === null ? null : /^[0-9a-f]{1,16}/i.exec(line);
      if (size === null) {
        this.isComplete = false;
        return;
      }
      const length = Number.parseInt(size[0], 16);
      if (length === 0) break;
      const wanted = this.end + length;
      this.#noteEnd(wanted);
      this.#take(this.end, Math.min(wanted, bytes.length));
      if (!this.isComplete) return;
      // The line end after the data.
      this.#line();
    }
    for (let line = this.#line(); line !== ''; line = this.#line()) {
      if (line === null) return;
    }
  }

  /** The next line; null where its end was not captured. */
  #line(): string | null {
    const { bytes } = this.#part;
    const limit = Math.min(bytes.length, this.end + MOST_CHUNK_LINE_BYTES);
    const at = bytes.subarray(this.end, limit).indexOf(LINE_FEED);
    if (at < 0) {
      this.end = bytes.length;
      return null;
    }
    const text = String.fromCharCode(...bytes.subarray(this.end, this.end + at));
    this.end += at + 1;
    return text.replace(/\r$/, '');
  }
}

function endOf(piece: StreamPiece | undefined): number {
  return piece === undefined ? 0 : piece.start + piece.length;
}

/** Pieces that follow each other in the file are one. */
function pushPiece(
  pieces: { start: number; offset: number; length: number }[],
  piece: { start: number; offset: number; length: number },
): void {
  const last = pieces.at(-1);
  const follows =
    last !== undefined &&
    last.start + last.length === piece.start &&
    last.offset + last.length === piece.offset;
  if (follows) last.length += piece.length;
  else pieces.push(piece);
}
