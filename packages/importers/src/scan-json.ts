import type { SourceReader } from './importer.ts';

/** A value of a list or an object, by its bytes in the source. */
export interface ChildSpan {
  /** The member's key with its quotes; null in a list. */
  readonly key: { readonly offset: number; readonly end: number } | null;
  readonly offset: number;
  readonly end: number;
  /** False where the source ends within it. */
  readonly closed: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const LAST_BLANK = 0x20;

/**
 * What stands directly in the list or object whose opening bracket is at `offset`, found by strings
 * and brackets alone, a chunk at a time. Whether each is JSON is for its reader to find out.
 */
export class Children {
  /** Behind the closing bracket, once all are given; null where there is none. */
  end: number | null = null;
  readonly #reader: SourceReader;
  readonly #offset: number;

  constructor(reader: SourceReader, offset: number) {
    this.#reader = reader;
    this.#offset = offset;
  }

  async *all(signal?: AbortSignal): AsyncGenerator<ChildSpan> {
    const { sizeBytes } = this.#reader;
    const scan = new Scan();
    for (let at = this.#offset; at < sizeBytes && scan.end === null; ) {
      signal?.throwIfAborted();
      const chunk = await this.#reader.read(at, Math.min(CHUNK_BYTES, sizeBytes - at));
      if (chunk.length === 0) break;
      yield* scan.feed(chunk, at);
      at += chunk.length;
    }
    this.end = scan.end;
    const rest = scan.rest(sizeBytes);
    if (rest !== null) yield rest;
  }
}

class Scan {
  /** Behind the closing bracket. */
  end: number | null = null;
  #isObject = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** Where the value or key began that is on its way. */
  #start = -1;
  #key: ChildSpan['key'] = null;
  #wantsKey = false;

  feed(chunk: Uint8Array, chunkAt: number): ChildSpan[] {
    const found: ChildSpan[] = [];
    for (let at = 0; at < chunk.length && this.end === null; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 1) this.#endText(chunkAt + at + 1, found);
        }
        continue;
      }
      if (this.#depth > 1) this.#inside(byte, chunkAt + at, found);
      else this.#between(byte, chunkAt + at, found);
    }
    return found;
  }

  /** What is on its way where the source ends. */
  rest(end: number): ChildSpan | null {
    if (this.end !== null || this.#start < 0 || this.#wantsKey) return null;
    return { key: this.#key, offset: this.#start, end, closed: false };
  }

  /** Within a value of ours. */
  #inside(byte: number, at: number, found: ChildSpan[]): void {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#depth -= 1;
      if (this.#depth === 1) this.#endValue(at + 1, found);
    }
  }

  /** Between values of ours, or within a number or a word. */
  #between(byte: number, at: number, found: ChildSpan[]): void {
    if (this.#depth === 0) {
      this.#isObject = byte === OPEN_OBJECT;
      this.#wantsKey = this.#isObject;
      this.#depth = 1;
      return;
    }
    if (byte <= LAST_BLANK || byte === COMMA || byte === COLON) {
      if (this.#start >= 0) this.#endValue(at, found);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (this.#start >= 0) this.#endValue(at, found);
      this.end = at + 1;
    } else if (byte === QUOTE) {
      this.#start = at;
      this.#inString = true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#start = at;
      this.#depth = 2;
    } else if (this.#start < 0) this.#start = at;
  }

  #endText(end: number, found: ChildSpan[]): void {
    if (!this.#wantsKey) {
      this.#endValue(end, found);
      return;
    }
    this.#key = { offset: this.#start, end };
    this.#start = -1;
    this.#wantsKey = false;
  }

  #endValue(end: number, found: ChildSpan[]): void {
    found.push({ key: this.#key, offset: this.#start, end, closed: true });
    this.#start = -1;
    this.#key = null;
    this.#wantsKey = this.#isObject;
  }
}
