import { crc32 } from 'node:zlib';
import type { SourceGroup } from '@misstep/importers';
import { NO_RECORDS, type RecordCounts, type UnusedRecord } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';
import { bytesAtHand } from '../bytes-at-hand.ts';
import { receiveSource } from '../receive-source.ts';
import { MAX_ENTRIES, type UnpackBudget } from './budget.ts';
import { DamagedData } from './damaged-data.ts';
import { type Compression, decompress } from './decompress.ts';
import type { PackedSpan } from './packed-span.ts';
import { type ByteReader, dataOffsetOf, readZipDirectory, type ZipEntry } from './zip-directory.ts';
import { usesOf } from './zip-parts.ts';
import { isZstdHead } from './zstd-head.ts';

/** A source that stands in a container, unpacked. */
export interface UnpackedPart {
  /** What the container calls it. */
  readonly name: string;
  readonly source: StoredSource;
  /** The entries that it was made of, and where in the container their bytes stand. */
  readonly entries: readonly {
    readonly name: string;
    readonly offset: number;
    readonly length: number;
  }[];
}

export interface UnpackedSource {
  readonly parts: readonly UnpackedPart[];
  /** To be read along with each part. */
  readonly shared: readonly { readonly source: StoredSource; readonly group: SourceGroup }[];
  /** What became of its entries; the parts count as understood, until it is known that they aren't. */
  readonly records: RecordCounts & { readonly setAside: number };
  readonly unused: readonly UnusedRecord[];
  readonly issues: readonly { readonly code: string; readonly message: string }[];
}

export interface UnpackContext {
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly budget: UnpackBudget;
  /** Told of each source that is made, so that it can be given up. */
  readonly onSource: (source: StoredSource) => void;
}

const ZIP_METHODS: ReadonlyMap<number, Compression> = new Map([
  [0, 'stored'],
  [8, 'deflate'],
  [93, 'zstd'],
]);

const NEWLINE = 0x0a;
/** A method may need a few bytes to say that nothing follows. */
const MOST_EMPTY_BYTES = 16;

/** Null = the source is no container. */
export async function unpackSource(
  source: StoredSource,
  context: UnpackContext,
): Promise<UnpackedSource | null> {
  const head = bytesAtHand(source) ?? (await context.store.readSource(source.sha256, 0, 4));
  const [first, second, third, fourth] = head;
  const isZip = first === 0x50 && second === 0x4b;
  if (isZip && ((third === 3 && fourth === 4) || (third === 5 && fourth === 6))) {
    return unpackZip(source, context);
  }
  const compression = compressionOf(head);
  return compression === null ? null : unpackWhole(source, compression, context);
}

function compressionOf(head: Uint8Array): Compression | null {
  const [first, second] = head;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  if (isZstdHead(head)) return 'zstd';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

async function unpackWhole(
  source: StoredSource,
  compression: Compression,
  context: UnpackContext,
): Promise<UnpackedSource> {
  const name = source.name.replace(/\.(gz|gzip|zst|zstd)$/i, '').replace(/\.tgz$/i, '.tar');
  const filePath = await context.store.sourcePath(source.sha256);
  const span = { filePath, offset: 0, length: source.sizeBytes };
  const { part, damage } = await unpackPart(
    name,
    [{ name, span, compression, crc32: null }],
    context,
  );
  const issues: UnpackedSource['issues'][number][] = [];
  if (damage !== null) {
    const message = `The compressed data end too early or are damaged (${damage}); what stands before was read.`;
    issues.push({ code: 'CONTAINER_DAMAGED', message });
  }
  if (compression.startsWith('utf-16')) {
    const message = 'The file is UTF-16 text; places are those in the same text as UTF-8.';
    issues.push({ code: 'UTF16_SOURCE', message });
  }
  return {
    // Nothing could be had: the damage says why, not that a file without a byte is empty.
    parts: damage !== null && part.source.sizeBytes === 0 ? [] : [part],
    shared: [],
    records: { ...NO_RECORDS, setAside: 0 },
    unused: [],
    issues,
  };
}

async function unpackZip(source: StoredSource, context: UnpackContext): Promise<UnpackedSource> {
  const { store } = context;
  const filePath = await store.sourcePath(source.sha256);
  const reader = {
    sizeBytes: source.sizeBytes,
    read: (offset: number, length: number) => store.readSource(source.sha256, offset, length),
  };
  const directory = await readZipDirectory(reader, MAX_ENTRIES);
  const parts: UnpackedPart[] = [];
  const shared: UnpackedSource['shared'][number][] = [];
  const unused: UnusedRecord[] = [];
  const leave = (entry: ZipEntry, state: UnusedRecord['state'], reason: string) => {
    const { headerOffset: offset, compressedBytes: length } = entry;
    unused.push({
      sha256: source.sha256,
      offset,
      length,
      state,
      reason: `${entry.name}: ${reason}`,
    });
  };
  const issues: UnpackedSource['issues'][number][] = [];
  const joined = new Map<string, Packed[]>();
  for (const { entry, use } of usesOf(directory.entries)) {
    context.signal.throwIfAborted();
    if (use.kind === 'setAside') {
      leave(entry, 'setAside', use.reason);
      continue;
    }
    // There may be thousands, and nothing is to be read in any.
    if (isEmpty(entry)) {
      leave(entry, 'setAside', 'it is empty');
      continue;
    }
    const packed = await locate(reader, filePath, entry);
    if (typeof packed === 'string') leave(entry, 'malformed', packed);
    else if (use.kind === 'joined') {
      const others = joined.get(use.name);
      if (others === undefined) joined.set(use.name, [packed]);
      else others.push(packed);
    } else {
      const { part, damage } = await unpackPart(entry.name, [packed], context);
      if (damage === null && part.source.sizeBytes !== entry.sizeBytes) {
        // Its checksum is right, so the size is what is wrong.
        const message = `${entry.name} states ${entry.sizeBytes} bytes and holds ${part.source.sizeBytes}, which were read.`;
        issues.push({ code: 'ENTRY_SIZE_WRONG', message });
      }
      if (damage !== null) leave(entry, 'malformed', damage);
      else if (use.kind === 'shared') {
        const group = { key: source.sha256, role: 'companion', part: entry.name } as const;
        shared.push({ source: part.source, group });
      } else parts.push(part);
    }
  }
  let joinedEntries = 0;
  for (const [name, packed] of joined) {
    packed.sort((a, b) => (a.name < b.name ? -1 : 1));
    // A damaged one is left out of the whole as far as it can't be read, and told there.
    parts.push((await unpackPart(name, packed, context)).part);
    joinedEntries += packed.length - 1;
  }
  const count = (state: UnusedRecord['state']) =>
    unused.filter((record) => record.state === state).length;
  const understood = parts.length + shared.length + joinedEntries;
  if (directory.damage !== null)
    issues.push({ code: 'CONTAINER_DAMAGED', message: directory.damage });
  if (directory.omitted > 0) {
    const { omitted } = directory;
    const entries = omitted === 1 ? '1 entry' : `${omitted} entries`;
    const message = `${entries} beyond the first ${MAX_ENTRIES} ${omitted === 1 ? 'was' : 'were'} not read.`;
    issues.push({ code: 'ENTRIES_OMITTED', message });
  }
  return {
    parts,
    shared,
    records: {
      total: understood + unused.length,
      understood,
      setAside: count('setAside'),
      notUnderstood: 0,
      malformed: count('malformed'),
    },
    unused,
    issues,
  };
}

function isEmpty({ sizeBytes, compressedBytes, crc32: checksum }: ZipEntry): boolean {
  return sizeBytes === 0 && checksum === 0 && compressedBytes <= MOST_EMPTY_BYTES;
}

interface Packed {
  readonly name: string;
  readonly span: PackedSpan;
  readonly compression: Compression;
  /** Null where nothing says what it should be. */
  readonly crc32: number | null;
}

/** Why an entry can't be unpacked, or where its data are. */
async function locate(
  reader: ByteReader,
  filePath: string,
  entry: ZipEntry,
): Promise<Packed | string> {
  if (entry.isEncrypted) return 'it is encrypted';
  const compression = ZIP_METHODS.get(entry.method);
  if (compression === undefined) return `compression method ${entry.method}`;
  const offset = await dataOffsetOf(reader, entry);
  if (offset === null) return 'its data are not in the file';
  const span = { filePath, offset, length: entry.compressedBytes };
  return { name: entry.name, span, compression, crc32: entry.crc32 };
}

/** Several are joined, each on lines of its own. */
async function unpackPart(
  name: string,
  packed: readonly Packed[],
  { store, signal, budget, onSource }: UnpackContext,
): Promise<{ part: UnpackedPart; damage: string | null }> {
  let damage: string | null = null;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const each of packed) {
      let checksum = 0;
      let last = NEWLINE;
      try {
        for await (const chunk of decompress(each.span, each.compression)) {
          budget.take(chunk.length);
          checksum = crc32(chunk, checksum);
          last = chunk.at(-1) ?? last;
          yield chunk;
        }
        if (each.crc32 !== null && each.crc32 !== checksum) damage ??= 'its checksum is another';
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        damage ??= error.message;
      }
      if (packed.length > 1 && last !== NEWLINE) yield new Uint8Array([NEWLINE]);
    }
  }
  const source = await receiveSource(store, baseNameOf(name), chunks(), { signal });
  onSource(source);
  const entries = packed.map(({ name: entryName, span: { offset, length } }) => ({
    name: entryName,
    offset,
    length,
  }));
  return { part: { name, source, entries }, damage };
}

function baseNameOf(name: string): string {
  return name.split(/[\\/]/).at(-1) || name;
}
