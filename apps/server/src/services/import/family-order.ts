import type { Importer, SourceGroup } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { Store, StoredRunDetail, StoredSource } from '@misstep/store';
import { findLineage } from './lineage.ts';

export interface Grouped {
  readonly source: StoredSource;
  readonly group: SourceGroup;
}

/**
 * The order in which sessions of one run go on from one another. It rests on what they hold alone, so
 * that the run is the same whichever came first: those that name another stand behind it, the rest by
 * when they began. What repeats another session and adds to it is the larger one, so the smaller stands
 * first; of two states of one session the later one, which is larger, as the earlier adds nothing to it.
 */
export function inOrder(heads: readonly Grouped[]): Grouped[] {
  const largest = new Map<string, number>();
  for (const { source, group } of heads) {
    largest.set(group.key, Math.max(source.sizeBytes, largest.get(group.key) ?? 0));
  }
  const sizeOf = ({ group }: Grouped) => largest.get(group.key) ?? 0;
  const waiting = [...heads].sort((a, b) => compareHeads(a, b, sizeOf));
  const ordered: Grouped[] = [];
  while (waiting.length > 0) {
    const isFree = (each: Grouped) => !waiting.some((other) => goesOnFrom(each, other));
    // Where they name each other in a circle the first of them has to do.
    const at = Math.max(0, waiting.findIndex(isFree));
    ordered.push(...waiting.splice(at, 1));
  }
  return ordered;
}

function goesOnFrom({ group }: Grouped, other: Grouped): boolean {
  if (group.continues !== true || group.key === other.group.key) return false;
  return group.links?.includes(other.group.key) === true;
}

function compareHeads(a: Grouped, b: Grouped, sizeOf: (each: Grouped) => number): number {
  const late = Number.POSITIVE_INFINITY;
  const [one, two] = [a.group.beganAtMs ?? late, b.group.beganAtMs ?? late];
  return (
    Number(a.group.continues ?? false) - Number(b.group.continues ?? false) ||
    (one === two ? 0 : one - two) ||
    sizeOf(a) - sizeOf(b) ||
    (a.group.key === b.group.key ? 0 : a.group.key < b.group.key ? -1 : 1) ||
    b.source.sizeBytes - a.source.sizeBytes ||
    (a.source.sha256 < b.source.sha256 ? -1 : 1)
  );
}

/**
 * Those of a run in the order in which they were imported: what a run and its steps are called by
 * stays, whatever comes later. New ones follow as they are given.
 */
export async function byFirstImport(
  store: Store,
  importer: Importer,
  members: readonly Grouped[],
  earlier: readonly StoredRunDetail[],
): Promise<Grouped[]> {
  if (earlier.length === 0) return [...members];
  const lineages = new Map<Grouped, SourceHash>();
  for (const each of members) {
    lineages.set(each, await findLineage(store, each.source, importer.id));
  }
  const own = new Set(lineages.values());
  const known: SourceHash[] = [];
  for (const { sources } of earlier) {
    const main = sources.find(({ role }) => role === 'main');
    if (main === undefined || !own.has(await findLineage(store, main, importer.id))) continue;
    for (const source of sources) {
      if (source.role !== 'container') known.push(await findLineage(store, source, importer.id));
    }
  }
  const rankOf = (each: Grouped): number => {
    const at = known.indexOf(lineages.get(each) ?? each.source.sha256);
    return at < 0 ? known.length : at;
  };
  return members
    .map((each) => ({ each, rank: rankOf(each) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
}
