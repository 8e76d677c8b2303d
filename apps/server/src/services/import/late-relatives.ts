import { counterpartOf } from '@misstep/importers';
import type { Store, StoredSource } from '@misstep/store';
import type { ReadResult } from '../../jobs/import-message.ts';
import { findLineage } from './lineage.ts';
import { planFamily } from './plan-family.ts';
import type { PlannedRead } from './plan-reads.ts';

/** A long session has a million numbers, and the store answers others in between. */
const ASKED_AT_ONCE = 2000;

/**
 * The reads that take the place of one whose sources turned out, once they were read, to share records
 * with stored ones: a fork that begins anywhere in them came first. Null = what was read is all.
 */
export async function planAnew(
  store: Store,
  plan: PlannedRead,
  result: ReadResult,
): Promise<readonly PlannedRead[] | null> {
  if (plan.mainGroup === null || plan.members.length === 0) return null;
  const late = await findLate(store, plan, result);
  if (late.length === 0) return null;
  const plans = await planFamily(store, plan.members, late);
  const own = hashesOf(plan).sort().join();
  const isSame = plans.every((each) => hashesOf(each).sort().join() === own);
  return isSame ? null : plans;
}

function hashesOf({ main, companions }: PlannedRead): string[] {
  return [main.sha256, ...companions.map(({ source }) => source.sha256)];
}

async function findLate(
  store: Store,
  plan: PlannedRead,
  result: ReadResult,
): Promise<StoredSource[]> {
  const own = new Set(hashesOf(plan));
  const found = new Map<string, StoredSource>();
  for (const { numbers } of result.sources) {
    for (let from = 0; from < (numbers?.length ?? 0); from += ASKED_AT_ONCE) {
      const part = numbers?.subarray(from, from + ASKED_AT_ONCE) ?? [];
      const some = Array.from(part, counterpartOf);
      for (const source of await store.findSourcesByNumbers(plan.importer.id, some)) {
        if (!own.has(source.sha256)) found.set(source.sha256, source);
      }
    }
  }
  if (found.size === 0) return [];
  const lineages = new Set<string>();
  for (const source of [plan.main, ...plan.companions.map((each) => each.source)]) {
    lineages.add(await findLineage(store, source, plan.importer.id));
  }
  const late: StoredSource[] = [];
  for (const source of found.values()) {
    // An earlier version of a file that has grown is no relative of it.
    if (!lineages.has(await findLineage(store, source, plan.importer.id))) late.push(source);
  }
  return late;
}
