import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { SourceHash } from '@misstep/model';
import {
  HeadHash,
  type SourceHead,
  type SourceLookUp,
  type Store,
  type StoredSource,
} from '@misstep/store';
import { bytesAtHand } from './bytes-at-hand.ts';

/** Sessions that were forked from one another open with the same bytes; there are few of those. */
const MOST_COMPARED = 50;

/** What is known of a source, asked for at one go. */
export function lookUp(store: Store, source: StoredSource, format: string): Promise<SourceLookUp> {
  return store.lookUpSource(source.sha256, format, source.sizeBytes, MOST_COMPARED);
}

/**
 * The first source of the line that this one continues: a file that has grown begins with the
 * bytes of what it was. Itself where it continues none. Only sources whose heads are beginnings
 * of this one are compared in full, however many there are.
 */
export async function findLineage(
  store: Store,
  source: StoredSource,
  format: string,
  found?: SourceLookUp,
): Promise<SourceHash> {
  const { lineage, largestHead: end } = found ?? (await lookUp(store, source, format));
  if (lineage !== null) return lineage;
  if (end === 0) return source.sha256;
  const candidates = await store.listSourcesByHead(await hashHeads(store, source, end), format);
  const smaller = candidates.filter(({ sizeBytes }) => sizeBytes < source.sizeBytes);
  if (smaller.length === 0) return source.sha256;
  const sizes = [...new Set(smaller.map(({ sizeBytes }) => sizeBytes))].sort((a, b) => a - b);
  const prefixes = await hashPrefixes(await store.sourcePath(source.sha256), sizes);
  const continued = smaller
    .filter(({ sha256, sizeBytes }) => prefixes.get(sizeBytes) === sha256)
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
  return continued[0]?.lineage ?? source.sha256;
}

/** Every head that the first `length` bytes of a file have. */
async function hashHeads(
  store: Store,
  source: StoredSource,
  length: number,
): Promise<SourceHead[]> {
  const heads: SourceHead[] = [];
  const hash = new HeadHash((head) => heads.push(head));
  const atHand = bytesAtHand(source);
  if (atHand !== null) {
    hash.update(atHand.subarray(0, length));
    return heads;
  }
  const path = await store.sourcePath(source.sha256);
  const chunks = createReadStream(path, { end: length - 1, highWaterMark: 1_048_576 });
  for await (const chunk of chunks) hash.update(chunk);
  return heads;
}

/** SHA-256 of the first bytes of a file, for each of some ascending sizes. */
export async function hashPrefixes(
  path: string,
  sizes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>();
  const hash = createHash('sha256');
  const waiting = [...sizes];
  const end = (sizes.at(-1) ?? 0) - 1;
  let read = 0;
  for await (const chunk of createReadStream(path, { end, highWaterMark: 1_048_576 })) {
    let rest: Buffer = chunk;
    for (
      let size = waiting[0];
      size !== undefined && size <= read + rest.length;
      size = waiting[0]
    ) {
      const upTo = size - read;
      hash.update(rest.subarray(0, upTo));
      hashes.set(size, hash.copy().digest('hex'));
      rest = rest.subarray(upTo);
      read = size;
      waiting.shift();
    }
    hash.update(rest);
    read += rest.length;
  }
  return hashes;
}
