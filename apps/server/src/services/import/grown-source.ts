import type { SourceLookUp, Store, StoredSource } from '@misstep/store';
import { hashPrefixes } from './lineage.ts';

/**
 * A stored source that begins with all the bytes of this one and goes on: this is an earlier copy of
 * it, or the head of it. Null = there is none, or this is too short to be told by its opening.
 */
export async function findGrownSource(
  store: Store,
  source: StoredSource,
  { runs, larger }: SourceLookUp,
): Promise<StoredSource | null> {
  if (runs.length > 0) return null;
  for (const candidate of larger) {
    const path = await store.sourcePath(candidate.sha256);
    const prefixes = await hashPrefixes(path, [source.sizeBytes]);
    if (prefixes.get(source.sizeBytes) === source.sha256) return candidate;
  }
  return null;
}
