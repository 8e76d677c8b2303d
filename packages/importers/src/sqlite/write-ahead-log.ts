import type { SourceReader } from '../importer.ts';
import type { RecordSpan } from '../record-ledger.ts';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says in which byte order the checksums were counted. */
const MAGIC = 0x377f0682;
const VERSION = 3_007_000;
const READ_BYTES = 1_048_576;

/** What a log holds that no page of the database comes from. */
export type LeftFrames = 'rewritten' | 'unfinished' | 'stale' | 'damaged';

/** The log that SQLite keeps beside a database: pages that the database itself doesn't have yet. */
export interface WriteAheadLog {
  readonly reader: SourceReader;
  readonly pageBytes: number;
  /** Changes with every beginning of the log: logs with the same one are states of one log. */
  readonly salt: string;
  /** Frames that count. */
  readonly frameCount: number;
  /** Where in the log the newest committed version of a page begins, by its number. */
  readonly pages: ReadonlyMap<number, number>;
  /** How many pages the database has with the log; null where nothing was committed. */
  readonly pageCount: number | null;
  /** Everything else in the file, in its order. */
  readonly left: readonly { readonly span: RecordSpan; readonly why: LeftFrames }[];
}

/** True where these bytes begin a write-ahead log. */
export function beginsLog(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  return (view.getUint32(0) & ~1) >>> 0 === MAGIC && view.getUint32(4) === VERSION;
}

/**
 * Reads a log as SQLite would after a crash (file format, section 4): frames count up to the last one
 * that ends a transaction, as long as their salts are the log's and their checksums, each counted on
 * from the one before, are right. Null where the bytes are no log, or its header is damaged.
 */
export async function readWriteAheadLog(
  reader: SourceReader,
  signal?: AbortSignal,
): Promise<WriteAheadLog | null> {
  const head = await reader.read(0, HEADER_BYTES);
  if (!beginsLog(head)) return null;
  const view = new DataView(head.buffer, head.byteOffset, HEADER_BYTES);
  const pageBytes = view.getUint32(8);
  const isPower = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
  const sum = new Checksum((view.getUint32(0) & 1) === 0);
  sum.add(head, 0, 24);
  if (!isPower || !sum.is(view.getUint32(24), view.getUint32(28))) return null;
  const salt = `${view.getUint32(16)} ${view.getUint32(20)}`;
  const frames = new Frames(pageBytes, salt);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const atOnce = frameBytes * Math.max(1, Math.floor(READ_BYTES / frameBytes));
  for (let at = HEADER_BYTES; at < reader.sizeBytes; at += atOnce) {
    signal?.throwIfAborted();
    const bytes = await reader.read(at, atOnce);
    const chunk = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let from = 0; from < bytes.length; from += frameBytes) {
      const rest = { offset: at + from, length: reader.sizeBytes - at - from };
      if (bytes.length - from < frameBytes) return frames.end(reader, rest, 'damaged');
      const isOurs =
        chunk.getUint32(from + 8) === view.getUint32(16) &&
        chunk.getUint32(from + 12) === view.getUint32(20);
      if (!isOurs) return frames.end(reader, rest, 'stale');
      sum.add(bytes, from, 8);
      sum.add(bytes, from + FRAME_HEADER_BYTES, pageBytes);
      const number = chunk.getUint32(from);
      const isWhole = sum.is(chunk.getUint32(from + 16), chunk.getUint32(from + 20));
      if (!isWhole || number === 0) return frames.end(reader, rest, 'damaged');
      frames.add(number, at + from, chunk.getUint32(from + 4));
    }
  }
  return frames.end(reader, null, 'stale');
}

class Frames {
  readonly #pageBytes: number;
  readonly #salt: string;
  readonly #pages = new Map<number, number>();
  readonly #left: { span: RecordSpan; why: LeftFrames }[] = [];
  #pageCount: number | null = null;
  /** Of the transaction that has not ended so far. */
  #open: { number: number; offset: number }[] = [];

  #frameCount = 0;

  constructor(pageBytes: number, salt: string) {
    this.#pageBytes = pageBytes;
    this.#salt = salt;
  }

  /** `pageCount` isn't 0 in the frame that ends a transaction. */
  add(number: number, offset: number, pageCount: number): void {
    this.#open.push({ number, offset });
    if (pageCount === 0) return;
    this.#pageCount = pageCount;
    this.#frameCount += this.#open.length;
    for (const frame of this.#open) {
      const before = this.#pages.get(frame.number);
      if (before !== undefined) this.#leave(before, 'rewritten');
      this.#pages.set(frame.number, frame.offset + FRAME_HEADER_BYTES);
    }
    this.#open = [];
  }

  end(reader: SourceReader, rest: RecordSpan | null, why: LeftFrames): WriteAheadLog {
    for (const { offset } of this.#open) {
      this.#leave(offset + FRAME_HEADER_BYTES, 'unfinished');
    }
    if (rest !== null) this.#left.push({ span: rest, why });
    return {
      reader,
      pageBytes: this.#pageBytes,
      salt: this.#salt,
      frameCount: this.#frameCount,
      pages: this.#pages,
      pageCount: this.#pageCount,
      left: this.#left.sort((a, b) => a.span.offset - b.span.offset),
    };
  }

  #leave(pageAt: number, why: LeftFrames): void {
    const offset = pageAt - FRAME_HEADER_BYTES;
    this.#left.push({ span: { offset, length: FRAME_HEADER_BYTES + this.#pageBytes }, why });
  }
}

/** Section 4.2: two sums over pairs of 32-bit numbers, each begun with what the last one ended with. */
class Checksum {
  readonly #isLittle: boolean;
  #first = 0;
  #second = 0;

  constructor(isLittle: boolean) {
    this.#isLittle = isLittle;
  }

  add(bytes: Uint8Array, from: number, length: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
    let first = this.#first;
    let second = this.#second;
    for (let at = 0; at + 8 <= length; at += 8) {
      first = (first + view.getUint32(at, this.#isLittle) + second) >>> 0;
      second = (second + view.getUint32(at + 4, this.#isLittle) + first) >>> 0;
    }
    this.#first = first;
    this.#second = second;
  }

  is(first: number, second: number): boolean {
    return this.#first === first && this.#second === second;
  }
}
