import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { SourceHash } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';

/**
 * The first source of the line that this one continues: a file that has grown begins with the
 * bytes of what it was. Itself where it continues none. Reads the source once, as far as the
 * largest candidate goes.
 */
export async function findLineage(
  store: Store,
  source: StoredSource,
  format: string,
): Promise<SourceHash> {
  // One byte more, so that the source itself is among them if it was imported before.
  const candidates = await store.listSmallerSources(source.sizeBytes + 1, format);
  const own = candidates.find(({ sha256 }) => sha256 === source.sha256);
  if (own !== undefined) return own.lineage;
  const smaller = candidates.filter(
    ({ sizeBytes }) => sizeBytes > 0 && sizeBytes < source.sizeBytes,
  );
  if (smaller.length === 0) return source.sha256;
  const sizes = [...new Set(smaller.map(({ sizeBytes }) => sizeBytes))].sort((a, b) => a - b);
  const prefixes = await hashPrefixes(await store.sourcePath(source.sha256), sizes);
  const continued = smaller
    .filter(({ sha256, sizeBytes }) => prefixes.get(sizeBytes) === sha256)
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
  return continued[0]?.lineage ?? source.sha256;
}

/** SHA-256 of the first bytes of a file, for each of some ascending sizes. */
async function hashPrefixes(
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
