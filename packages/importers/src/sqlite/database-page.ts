import type { DatabaseHeader, DatabasePage } from './database-file.ts';
import { HEADER_BYTES } from './database-file.ts';

/** A row's cell: where its payload begins in the source, and where it goes on. */
export interface RowCell {
  readonly rowid: bigint;
  /** Of the whole cell as far as its page holds it. */
  readonly offset: number;
  readonly length: number;
  readonly payloadBytes: number;
  readonly localOffset: number;
  readonly localBytes: number;
  /** The first of the pages that hold the rest; 0 = there is no rest. */
  readonly overflowPage: number;
}

export interface TablePage {
  /** In key order. */
  readonly cells: readonly RowCell[];
  readonly children: readonly number[];
  /** Cells that can't be read. */
  readonly damaged: number;
}

const INTERIOR_TABLE = 0x05;
const LEAF_TABLE = 0x0d;

/** A page of a table's tree (section 1.6); null where it is none. */
export function readTablePage(page: DatabasePage, header: DatabaseHeader): TablePage | null {
  const { bytes, number } = page;
  const start = number === 1 ? HEADER_BYTES : 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = view.getUint8(start);
  if (kind !== INTERIOR_TABLE && kind !== LEAF_TABLE) return null;
  const isLeaf = kind === LEAF_TABLE;
  const count = view.getUint16(start + 3);
  const pointers = start + (isLeaf ? 8 : 12);
  if (pointers + 2 * count > header.usableBytes) return null;
  const cells: RowCell[] = [];
  const children: number[] = [];
  let damaged = 0;
  for (let index = 0; index < count; index += 1) {
    const at = view.getUint16(pointers + 2 * index);
    if (at < pointers + 2 * count || at + 4 > header.usableBytes) damaged += 1;
    else if (!isLeaf) children.push(view.getUint32(at));
    else {
      const cell = readCell(page, header, view, at);
      if (cell === null) damaged += 1;
      else cells.push(cell);
    }
  }
  if (!isLeaf) children.push(view.getUint32(start + 8));
  return { cells, children, damaged };
}

function readCell(
  page: DatabasePage,
  { usableBytes }: DatabaseHeader,
  view: DataView,
  at: number,
): RowCell | null {
  const payload = readVarint(page.bytes, at);
  const rowid = payload === null ? null : readVarint(page.bytes, payload.end);
  if (payload === null || rowid === null) return null;
  const payloadBytes = Number(payload.value);
  if (payloadBytes < 1 || !Number.isSafeInteger(payloadBytes)) return null;
  const localBytes = localSize(payloadBytes, usableBytes);
  const isWhole = localBytes === payloadBytes;
  const end = rowid.end + localBytes + (isWhole ? 0 : 4);
  if (end > usableBytes) return null;
  return {
    rowid: rowid.value,
    offset: page.offset + at,
    length: end - at,
    payloadBytes,
    localOffset: page.offset + rowid.end,
    localBytes,
    overflowPage: isWhole ? 0 : view.getUint32(rowid.end + localBytes),
  };
}

/** How much of a payload stands in its leaf page. */
function localSize(payloadBytes: number, usableBytes: number): number {
  const most = usableBytes - 35;
  if (payloadBytes <= most) return payloadBytes;
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const rest = least + ((payloadBytes - least) % (usableBytes - 4));
  return rest <= most ? rest : least;
}

/** A 64-bit two's-complement number in one to nine bytes; null where the bytes end in it. */
export function readVarint(bytes: Uint8Array, at: number): { value: bigint; end: number } | null {
  let value = 0n;
  for (let taken = 0; taken < 9; taken += 1) {
    const byte = bytes[at + taken];
    if (byte === undefined) return null;
    if (taken === 8) {
      return { value: BigInt.asIntN(64, (value << 8n) | BigInt(byte)), end: at + 9 };
    }
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, end: at + taken + 1 };
  }
  return null;
}
