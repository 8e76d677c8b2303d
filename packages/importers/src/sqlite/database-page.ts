import type { SourceSpan } from '../record-ledger.ts';
import type { DatabaseHeader, DatabasePage } from './database-file.ts';
import { HEADER_BYTES } from './database-file.ts';

/** A row's cell: where its payload begins, and where it goes on. */
export interface RowCell {
  /** Null in a table that has none. */
  readonly rowid: bigint | null;
  /** The whole cell as far as its page holds it. */
  readonly span: SourceSpan;
  readonly payloadBytes: number;
  readonly page: number;
  /** Within the page. */
  readonly localOffset: number;
  readonly localBytes: number;
  /** The first of the pages that hold the rest; 0 = there is no rest. */
  readonly overflowPage: number;
}

export interface TablePage {
  /** In key order: pages below, and the cells between them. Only keyed tables have cells above leaves. */
  readonly entries: readonly (RowCell | { readonly child: number })[];
  /** Cells that can't be read. */
  readonly damaged: number;
}

/** How the rows of a table are kept: by rowid, or (WITHOUT ROWID) as an index of their primary key. */
export type TableKind = 'rowid' | 'keyed';

const INTERIOR = { rowid: 0x05, keyed: 0x02 } as const;
const LEAF = { rowid: 0x0d, keyed: 0x0a } as const;

/** A page of a table's tree (section 1.6); null where it is none. */
export function readTablePage(
  page: DatabasePage,
  header: DatabaseHeader,
  kind: TableKind,
): TablePage | null {
  const { bytes, number } = page;
  const start = number === 1 ? HEADER_BYTES : 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = view.getUint8(start);
  if (type !== INTERIOR[kind] && type !== LEAF[kind]) return null;
  const isLeaf = type === LEAF[kind];
  const count = view.getUint16(start + 3);
  const pointers = start + (isLeaf ? 8 : 12);
  if (pointers + 2 * count > header.usableBytes) return null;
  const entries: (RowCell | { child: number })[] = [];
  let damaged = 0;
  for (let index = 0; index < count; index += 1) {
    const at = view.getUint16(pointers + 2 * index);
    if (at < pointers + 2 * count || at + 4 > header.usableBytes) {
      damaged += 1;
      continue;
    }
    if (!isLeaf) entries.push({ child: view.getUint32(at) });
    if (!isLeaf && kind === 'rowid') continue;
    const cell = readCell(page, header, kind, isLeaf ? { at, from: at } : { at, from: at + 4 });
    if (cell === null) damaged += 1;
    else entries.push(cell);
  }
  if (!isLeaf) entries.push({ child: view.getUint32(start + 8) });
  return { entries, damaged };
}

/** `at`: where the cell begins; `from`: where its payload's size stands. */
function readCell(
  page: DatabasePage,
  { usableBytes }: DatabaseHeader,
  kind: TableKind,
  { at, from }: { readonly at: number; readonly from: number },
): RowCell | null {
  const payload = readVarint(page.bytes, from);
  if (payload === null) return null;
  const rowid = kind === 'rowid' ? readVarint(page.bytes, payload.end) : null;
  if (kind === 'rowid' && rowid === null) return null;
  const payloadBytes = Number(payload.value);
  if (payloadBytes < 1 || !Number.isSafeInteger(payloadBytes)) return null;
  const localBytes = localSize(payloadBytes, usableBytes, kind);
  const isWhole = localBytes === payloadBytes;
  const localOffset = rowid?.end ?? payload.end;
  const end = localOffset + localBytes + (isWhole ? 0 : 4);
  if (end > usableBytes) return null;
  const view = new DataView(page.bytes.buffer, page.bytes.byteOffset, page.bytes.length);
  return {
    rowid: rowid?.value ?? null,
    span: { sha256: page.sha256, offset: page.offset + at, length: end - at },
    payloadBytes,
    page: page.number,
    localOffset,
    localBytes,
    overflowPage: isWhole ? 0 : view.getUint32(localOffset + localBytes),
  };
}

/** How much of a payload stands in its page. */
function localSize(payloadBytes: number, usableBytes: number, kind: TableKind): number {
  const most =
    kind === 'rowid' ? usableBytes - 35 : Math.floor(((usableBytes - 12) * 64) / 255) - 23;
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
