import type { SourceGroup } from '@misstep/importers';
import type { StoredSource } from '@misstep/store';
import { MAX_DEPTH } from './budget.ts';
import { type UnpackContext, type UnpackedSource, unpackSource } from './unpack-source.ts';

/** A container that a part was unpacked from, and what it calls the part. */
export interface Holder {
  readonly container: StoredSource;
  readonly partName: string;
  readonly unpacked: UnpackedSource;
}

/** A source as an importer reads it. */
export interface Leaf {
  readonly source: StoredSource;
  /** From the one that holds it to the file that was given; empty where that is itself. */
  readonly holders: readonly Holder[];
  readonly shared: readonly { readonly source: StoredSource; readonly group: SourceGroup }[];
  /** Where it is a container in which nothing can be read: what became of its entries. */
  readonly barren: UnpackedSource | null;
}

/** The source itself, or all that is packed in it, MAX_DEPTH deep at most. */
export async function expandSource(source: StoredSource, context: UnpackContext): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  /** The next one last. */
  const waiting: Leaf[] = [{ source, holders: [], shared: [], barren: null }];
  for (let leaf = waiting.pop(); leaf !== undefined; leaf = waiting.pop()) {
    context.signal.throwIfAborted();
    const { holders } = leaf;
    const unpacked = holders.length < MAX_DEPTH ? await unpackSource(leaf.source, context) : null;
    if (unpacked === null) {
      leaves.push(leaf);
      continue;
    }
    const container = leaf.source;
    for (const part of [...unpacked.parts].reverse()) {
      waiting.push({
        source: part.source,
        holders: [{ container, partName: part.name, unpacked }, ...holders],
        shared: unpacked.shared,
        barren: null,
      });
    }
    if (unpacked.parts.length === 0) leaves.push({ ...leaf, barren: unpacked });
  }
  return leaves;
}
