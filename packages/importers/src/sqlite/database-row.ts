import type { SourceHash } from '@misstep/model';
import type { SourceSpan } from '../record-ledger.ts';
import type { DatabaseFile, DatabasePage } from './database-file.ts';
import { type RowCell, readVarint } from './database-page.ts';

/** Bytes that stand together in a source. `start` counts in the value they are a piece of. */
export interface SourcePiece {
  readonly start: number;
  readonly sha256: SourceHash;
  readonly offset: number;
  readonly length: number;
}

export type DatabaseValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'integer'; readonly integer: bigint }
  | { readonly kind: 'real'; readonly real: number }
  | {
      readonly kind: 'text' | 'blob';
      readonly bytes: Uint8Array;
      /** Where the bytes are; several for a value that goes over pages. */
      readonly pieces: readonly SourcePiece[];
    };

const NULL: DatabaseValue = { kind: 'null' };

/** Columns by their serial types, and where in the payload each begins. */
interface RecordShape {
  readonly types: readonly number[];
  readonly starts: readonly number[];
}

/** One row. Holds no bytes: they are read when a value is asked for. */
export class DatabaseRow {
  /** Null in a table that has none. */
  readonly rowid: bigint | null;
  /** The row's cell as far as its own page holds it. */
  readonly span: SourceSpan;
  readonly #file: DatabaseFile;
  readonly #cell: RowCell;
  #shape: RecordShape | null | undefined;

  constructor(file: DatabaseFile, cell: RowCell) {
    this.#file = file;
    this.#cell = cell;
    this.rowid = cell.rowid;
    this.span = cell.span;
  }

  /** The value of a column; NULL for one that the row was written without; null = damaged. */
  async value(column: number): Promise<DatabaseValue | null> {
    this.#shape ??= await this.#readShape();
    if (this.#shape === null) return null;
    const type = this.#shape.types[column];
    const start = this.#shape.starts[column];
    if (type === undefined || start === undefined || type === 0) return NULL;
    if (type === 8 || type === 9) return { kind: 'integer', integer: BigInt(type - 8) };
    const taken = await this.#read(start, sizeOf(type));
    if (taken === null) return null;
    if (type >= 12) return { kind: type % 2 === 0 ? 'blob' : 'text', ...taken };
    const { bytes } = taken;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (type === 7) return { kind: 'real', real: view.getFloat64(0) };
    let integer = 0n;
    for (const byte of bytes) integer = (integer << 8n) | BigInt(byte);
    return { kind: 'integer', integer: BigInt.asIntN(8 * bytes.length, integer) };
  }

  async #readShape(): Promise<RecordShape | null> {
    const { payloadBytes, localBytes } = this.#cell;
    const local = await this.#read(0, localBytes);
    const head = local === null ? null : readVarint(local.bytes, 0);
    if (local === null || head === null) return null;
    const headBytes = Number(head.value);
    if (headBytes < head.end || headBytes > payloadBytes) return null;
    const header = headBytes <= localBytes ? local : await this.#read(0, headBytes);
    if (header === null) return null;
    const types: number[] = [];
    const starts: number[] = [];
    let start = headBytes;
    for (let at = head.end; at < headBytes; ) {
      const type = readVarint(header.bytes, at);
      if (type === null || type.end > headBytes) return null;
      const number = Number(type.value);
      if (number < 0 || number === 10 || number === 11 || number > 2 ** 40) return null;
      types.push(number);
      starts.push(start);
      start += sizeOf(number);
      if (start > payloadBytes) return null;
      at = type.end;
    }
    return { types, starts };
  }

  /** A part of the payload; null where its pages don't hold it. */
  async #read(
    from: number,
    length: number,
  ): Promise<{ bytes: Uint8Array; pieces: SourcePiece[] } | null> {
    const { localOffset, localBytes, overflowPage, payloadBytes } = this.#cell;
    const { usableBytes } = this.#file.header;
    if (from + length > payloadBytes || length > this.#file.sizeBytes) return null;
    const bytes = new Uint8Array(length);
    const pieces: SourcePiece[] = [];
    /** `within` of the page stand the next `held` bytes of the payload, which begin `at`. */
    const take = (page: DatabasePage, within: number, held: number, at: number): void => {
      const begin = Math.max(from, at);
      const end = Math.min(from + length, at + held);
      if (begin >= end) return;
      const first = within + begin - at;
      bytes.set(page.bytes.subarray(first, first + end - begin), begin - from);
      const { sha256, offset } = page;
      pieces.push({ start: begin - from, sha256, offset: offset + first, length: end - begin });
    };
    const page = await this.#file.page(this.#cell.page);
    if (page === null) return null;
    take(page, localOffset, localBytes, 0);
    let next = overflowPage;
    for (let at = localBytes; at < from + length; at += usableBytes - 4) {
      const overflow = await this.#file.overflowPage(next);
      if (overflow === null) return null;
      const { bytes: held } = overflow;
      next = new DataView(held.buffer, held.byteOffset, 4).getUint32(0);
      take(overflow, 4, usableBytes - 4, at);
    }
    return { bytes, pieces };
  }
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number {
  return type < 12 ? (INTEGER_BYTES[type] ?? 0) : Math.floor((type - 12) / 2);
}
