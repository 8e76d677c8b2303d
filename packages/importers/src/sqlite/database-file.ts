import type { SourceHash } from '@misstep/model';
import type { SourceReader } from '../importer.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

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

/** A page, with the place of its first byte in the source that has it. */
export interface DatabasePage {
  readonly number: number;
  /** The database, or the log beside it. */
  readonly sha256: SourceHash;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A multiple of every page size. */
const CHUNK_BYTES = 262_144;
const MOST_CHUNKS = 32;
const MOST_LOG_PAGES = 256;

/** Pages of a database file, or of the log beside it; the last read stay in memory up to a bound. */
export class DatabaseFile {
  readonly header: DatabaseHeader;
  readonly reader: SourceReader;
  readonly #log: WriteAheadLog | null;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks = new Map<number, Uint8Array>();
  readonly #logPages = new Map<number, Uint8Array>();
  #overflowPages = 0;

  constructor(
    reader: SourceReader,
    header: DatabaseHeader,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly log?: WriteAheadLog | null;
    } = {},
  ) {
    this.reader = reader;
    this.header = header;
    this.#log = options.log ?? null;
    this.#signal = options.signal;
  }

  /** What both files hold at most; nothing in the database can be longer. */
  get sizeBytes(): number {
    return this.reader.sizeBytes + (this.#log?.reader.sizeBytes ?? 0);
  }

  /** Pages count from 1. Null where the file doesn't hold the whole page. */
  async page(number: number): Promise<DatabasePage | null> {
    const { pageBytes } = this.header;
    const inLog = this.#log?.pages.get(number);
    const isCutOff = number > (this.#log?.pageCount ?? number);
    if (number < 1 || isCutOff) return null;
    if (inLog !== undefined) return this.#pageInLog(number, inLog);
    const offset = (number - 1) * pageBytes;
    if (offset + pageBytes > this.reader.sizeBytes) return null;
    const chunk = await this.#chunk(Math.floor(offset / CHUNK_BYTES));
    const from = offset % CHUNK_BYTES;
    const bytes = chunk.subarray(from, from + pageBytes);
    if (bytes.length < pageBytes) return null;
    return { number, sha256: this.reader.sha256, offset, bytes };
  }

  /**
   * A page that a value goes on in. Null also where far more were asked for than the file has: cells
   * that all lead into the same chain would take time without end.
   */
  async overflowPage(number: number): Promise<DatabasePage | null> {
    this.#overflowPages += 1;
    const pages = this.sizeBytes / this.header.pageBytes;
    return this.#overflowPages > 64 * pages ? null : this.page(number);
  }

  async #pageInLog(number: number, offset: number): Promise<DatabasePage | null> {
    const log = this.#log?.reader;
    if (log === undefined) return null;
    const { pageBytes } = this.header;
    const bytes = await recent(this.#logPages, MOST_LOG_PAGES, number, () => {
      this.#signal?.throwIfAborted();
      return log.read(offset, pageBytes);
    });
    return bytes.length < pageBytes ? null : { number, sha256: log.sha256, offset, bytes };
  }

  #chunk(index: number): Promise<Uint8Array> {
    return recent(this.#chunks, MOST_CHUNKS, index, () => {
      this.#signal?.throwIfAborted();
      return this.reader.read(index * CHUNK_BYTES, CHUNK_BYTES);
    });
  }
}

/** What the map keeps, or what is read now. The map keeps the order of use: the first was not used for longest. */
async function recent(
  kept: Map<number, Uint8Array>,
  most: number,
  key: number,
  read: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const bytes = kept.get(key) ?? (await read());
  kept.delete(key);
  kept.set(key, bytes);
  const oldest = kept.keys().next().value;
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  return bytes;
}
