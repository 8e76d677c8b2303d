import type { Store, StoredSource } from '@misstep/store';
import { hashPrefixes } from './lineage.ts';

/** Sessions that were forked from one another open with the same bytes; there are few of those. */
const MOST_COMPARED = 50;

/**
 * A stored source that begins with all the bytes of this one and goes on: this is an earlier copy of
 * it, or the head of it. Null = there is none, or this is too short to be told by its opening.
 */
export async function findGrownSource(
  store: Store,
  source: StoredSource,
  format: string,
): Promise<StoredSource | null> {
  if ((await store.findRunsOfSource(source.sha256)).length > 0) return null;
  const larger = await store.listLargerSources(source.sha256, format, MOST_COMPARED);
  for (const candidate of larger) {
    const path = await store.sourcePath(candidate.sha256);
    const prefixes = await hashPrefixes(path, [source.sizeBytes]);
    if (prefixes.get(source.sizeBytes) === source.sha256) return candidate;
  }
  return null;
}
