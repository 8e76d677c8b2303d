import type { SourceReader } from '../importer.ts';

export const SQLITE_MAGIC = 'SQLite format 3\u0000';
export const HEADER_BYTES = 100;

/** What the first 100 bytes say (SQLite file format, section 1.3). */
export interface DatabaseHeader {
  readonly pageBytes: number;
  /** Page size without the bytes that extensions keep at the end of each page. */
  readonly usableBytes: number;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** What was written last may stand in a write-ahead log beside the file. */
  readonly usesLog: boolean;
}

/** Null where the bytes begin no database that can be read. */
export function headerOf(bytes: Uint8Array): DatabaseHeader | null {
  if (bytes.length < HEADER_BYTES) return null;
  for (let at = 0; at < SQLITE_MAGIC.length; at += 1) {
    if (bytes[at] !== SQLITE_MAGIC.charCodeAt(at)) return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const written = view.getUint16(16);
  const pageBytes = written === 1 ? 65_536 : written;
  const usableBytes = pageBytes - view.getUint8(20);
  const isPower = pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0;
  if (!isPower || usableBytes < 480) return null;
  const encoding = view.getUint32(56);
  return {
    pageBytes,
    usableBytes,
    encoding: encoding === 2 ? 'utf-16le' : encoding === 3 ? 'utf-16be' : 'utf-8',
    usesLog: view.getUint8(18) === 2 || view.getUint8(19) === 2,
  };
}

/** A page, with the place of its first byte in the source. */
export interface DatabasePage {
  readonly number: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A multiple of every page size. */
const CHUNK_BYTES = 262_144;
const MOST_CHUNKS = 32;

/** Pages of a database file; the last read stay in memory up to a bound. */
export class DatabaseFile {
  readonly header: DatabaseHeader;
  readonly reader: SourceReader;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks = new Map<number, Uint8Array>();
  #overflowPages = 0;

  constructor(reader: SourceReader, header: DatabaseHeader, signal?: AbortSignal) {
    this.reader = reader;
    this.header = header;
    this.#signal = signal;
  }

  /** Pages count from 1. Null where the file doesn't hold the whole page. */
  async page(number: number): Promise<DatabasePage | null> {
    const { pageBytes } = this.header;
    const offset = (number - 1) * pageBytes;
    if (number < 1 || offset + pageBytes > this.reader.sizeBytes) return null;
    const chunk = await this.#chunk(Math.floor(offset / CHUNK_BYTES));
    const from = offset % CHUNK_BYTES;
    const bytes = chunk.subarray(from, from + pageBytes);
    return bytes.length < pageBytes ? null : { number, offset, bytes };
  }

  /**
   * A page that a value goes on in. Null also where far more were asked for than the file has: cells
   * that all lead into the same chain would take time without end.
   */
  async overflowPage(number: number): Promise<DatabasePage | null> {
    this.#overflowPages += 1;
    const pages = this.reader.sizeBytes / this.header.pageBytes;
    return this.#overflowPages > 64 * pages ? null : this.page(number);
  }

  async #chunk(index: number): Promise<Uint8Array> {
    const known = this.#chunks.get(index);
    if (known !== undefined) {
      // The map keeps the order of use: the first is the one that was not used for longest.
      this.#chunks.delete(index);
      this.#chunks.set(index, known);
      return known;
    }
    this.#signal?.throwIfAborted();
    const chunk = await this.reader.read(index * CHUNK_BYTES, CHUNK_BYTES);
    this.#chunks.set(index, chunk);
    const oldest = this.#chunks.keys().next().value;
    if (this.#chunks.size > MOST_CHUNKS && oldest !== undefined) this.#chunks.delete(oldest);
    return chunk;
  }
}
