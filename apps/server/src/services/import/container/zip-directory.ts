/** Reads what a ZIP file holds: PKWARE's APPNOTE 6.3, sections 4.3.7 to 4.3.16. */

export interface ZipEntry {
  /** As the file names it; never a path of this machine. */
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Where its local header stands. */
  readonly headerOffset: number;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** Why entries may be missing; null = the directory was read whole. */
  readonly damage: string | null;
  /** Entries beyond the cap. */
  readonly omitted: number;
}

export interface ByteReader {
  readonly sizeBytes: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
const ABSENT = 0xffffffff;

/** By the directory at the end; by the entries' own headers where that is missing or damaged. */
export async function readZipDirectory(
  reader: ByteReader,
  maxEntries: number,
): Promise<ZipDirectory> {
  const end = await findEnd(reader);
  if (end !== null && end.offset + end.length <= reader.sizeBytes) {
    const length = Math.min(end.length, MAX_DIRECTORY_BYTES);
    const entries = parseCentral(await reader.read(end.offset, length));
    if (entries.length === end.count || entries.length >= maxEntries) {
      const kept = entries.slice(0, maxEntries);
      return { entries: kept, damage: null, omitted: end.count - kept.length };
    }
  }
  const entries = await walkLocalHeaders(reader, maxEntries);
  const damage = 'The directory at its end is missing or damaged, so entries may be missing.';
  return { entries, damage, omitted: 0 };
}

/** Where an entry's data begin; null where there is no header of an entry. */
export async function dataOffsetOf(reader: ByteReader, entry: ZipEntry): Promise<number | null> {
  const header = viewOf(await reader.read(entry.headerOffset, 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL) return null;
  const offset = entry.headerOffset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  return offset + entry.compressedBytes <= reader.sizeBytes ? offset : null;
}

interface End {
  readonly offset: number;
  readonly length: number;
  readonly count: number;
}

async function findEnd(reader: ByteReader): Promise<End | null> {
  const from = Math.max(0, reader.sizeBytes - END_BYTES - MAX_COMMENT_BYTES);
  const tail = viewOf(await reader.read(from, reader.sizeBytes - from));
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END) continue;
    const end = {
      count: tail.getUint16(at + 10, true),
      length: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true),
    };
    const is64 = end.count === 0xffff || end.length === ABSENT || end.offset === ABSENT;
    return is64 ? await findEnd64(reader, from + at) : end;
  }
  return null;
}

async function findEnd64(reader: ByteReader, endOffset: number): Promise<End | null> {
  if (endOffset < 20) return null;
  const locator = viewOf(await reader.read(endOffset - 20, 20));
  if (locator.byteLength < 20 || locator.getUint32(0, true) !== LOCATOR64) return null;
  const record = viewOf(await reader.read(whole(locator, 8), 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== END64) return null;
  return { count: whole(record, 32), length: whole(record, 40), offset: whole(record, 48) };
}

function parseCentral(bytes: Uint8Array): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 46 <= bytes.length && view.getUint32(at, true) === CENTRAL) {
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const next = at + 46 + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > bytes.length) break;
    const flags = view.getUint16(at + 8, true);
    const sizes = sizesOf(
      {
        sizeBytes: view.getUint32(at + 24, true),
        compressedBytes: view.getUint32(at + 20, true),
        headerOffset: view.getUint32(at + 42, true),
      },
      bytes.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes),
    );
    entries.push({
      ...sizes,
      name: nameOf(bytes.subarray(at + 46, at + 46 + nameBytes), flags),
      method: view.getUint16(at + 10, true),
      isEncrypted: (flags & 1) === 1,
      crc32: view.getUint32(at + 16, true),
    });
    at = next;
  }
  return entries;
}

/** Stops at the first entry whose size stands behind its data (flag bit 3): only the directory knows it. */
async function walkLocalHeaders(reader: ByteReader, maxEntries: number): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < maxEntries) {
    const header = viewOf(await reader.read(at, 30));
    if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL) break;
    const flags = header.getUint16(6, true);
    if ((flags & 8) !== 0) break;
    const nameBytes = header.getUint16(26, true);
    const rest = await reader.read(at + 30, nameBytes + header.getUint16(28, true));
    const sizes = sizesOf(
      {
        sizeBytes: header.getUint32(22, true),
        compressedBytes: header.getUint32(18, true),
        headerOffset: at,
      },
      rest.subarray(nameBytes),
    );
    const next = at + 30 + rest.length + sizes.compressedBytes;
    if (next > reader.sizeBytes) break;
    entries.push({
      ...sizes,
      name: nameOf(rest.subarray(0, nameBytes), flags),
      method: header.getUint16(8, true),
      isEncrypted: (flags & 1) === 1,
      crc32: header.getUint32(14, true),
    });
    at = next;
  }
  return entries;
}

type Sizes = Pick<ZipEntry, 'sizeBytes' | 'compressedBytes' | 'headerOffset'>;

/** What doesn't fit in 32 bits stands in the extra field 1, in this order, and only that. */
function sizesOf(sizes: Sizes, extra: Uint8Array): Sizes {
  const view = viewOf(extra);
  let at = 0;
  while (at + 4 <= extra.length) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      let from = at + 4;
      const end = Math.min(extra.length, from + length);
      const long = (value: number): number => {
        if (value !== ABSENT || from + 8 > end) return value;
        from += 8;
        return whole(view, from - 8);
      };
      const sizeBytes = long(sizes.sizeBytes);
      const compressedBytes = long(sizes.compressedBytes);
      return { sizeBytes, compressedBytes, headerOffset: long(sizes.headerOffset) };
    }
    at += 4 + length;
  }
  return sizes;
}

function nameOf(bytes: Uint8Array, flags: number): string {
  const isUtf8 = (flags & 0x800) !== 0;
  return new TextDecoder(isUtf8 ? 'utf-8' : 'latin1').decode(bytes);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A 64-bit number; what passes 2^53 is no place in a file here, and is cut to that. */
function whole(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
