import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { SourceHash } from '@misstep/model';
import { HeadHash, type SourceHead, type Store, type StoredSource } from '@misstep/store';

/**
 * The first source of the line that this one continues: a file that has grown begins with the
 * bytes of what it was. Itself where it continues none. Only sources whose heads are beginnings
 * of this one are compared in full, however many there are.
 */
export async function findLineage(
  store: Store,
  source: StoredSource,
  format: string,
): Promise<SourceHash> {
  const own = await store.findLineage(source.sha256, format);
  if (own !== null) return own;
  const end = await store.largestHead(source.sizeBytes);
  if (end === 0) return source.sha256;
  const path = await store.sourcePath(source.sha256);
  const candidates = await store.listSourcesByHead(await hashHeads(path, end), format);
  const smaller = candidates.filter(({ sizeBytes }) => sizeBytes < source.sizeBytes);
  if (smaller.length === 0) return source.sha256;
  const sizes = [...new Set(smaller.map(({ sizeBytes }) => sizeBytes))].sort((a, b) => a - b);
  const prefixes = await hashPrefixes(path, sizes);
  const continued = smaller
    .filter(({ sha256, sizeBytes }) => prefixes.get(sizeBytes) === sha256)
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
  return continued[0]?.lineage ?? source.sha256;
}

/** Every head that the first `length` bytes of a file have. */
async function hashHeads(path: string, length: number): Promise<SourceHead[]> {
  const heads: SourceHead[] = [];
  const hash = new HeadHash((head) => heads.push(head));
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
