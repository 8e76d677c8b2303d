import type { ImportIssue, RunId } from '@misstep/model';
import type { RunToSave, Store, StoredSource } from '@misstep/store';
import { findLineage } from './lineage.ts';
import type { PlannedRead } from './plan-reads.ts';

/** A run that was read before of what is a part of another run now, and stays. */
export interface UsedPart {
  readonly id: RunId;
  readonly source: StoredSource;
}

/**
 * Runs that were read of a companion alone, before the main source was there: a part of the whole
 * now. Those that a person used (marks, tags, an outcome, replays) have to stay.
 */
export async function findPartRuns(
  store: Store,
  plan: PlannedRead,
  runs: readonly RunToSave[],
): Promise<{ readonly unused: readonly RunId[]; readonly used: readonly UsedPart[] }> {
  const unused: RunId[] = [];
  const used: UsedPart[] = [];
  if (plan.earlier.length === 0) return { unused, used };
  const companions = new Set<string>(plan.companions.map(({ source }) => source.sha256));
  const lineages = new Set<string>();
  for (const { source } of plan.companions) {
    lineages.add(await findLineage(store, source, plan.importer.id));
  }
  for (const { run, sources, tags, outcome, replayCount } of plan.earlier) {
    const source = sources.find(({ role }) => role === 'main');
    if (source === undefined || runs.some((saved) => saved.run.id === run.id)) continue;
    const lineage = await findLineage(store, source, plan.importer.id);
    if (!companions.has(source.sha256) && !lineages.has(lineage)) continue;
    const marks = await store.listMarks(run.id);
    const untouched = tags.length === 0 && outcome === null && replayCount === 0;
    if (untouched && marks.length === 0) unused.push(run.id);
    else used.push({ id: run.id, source });
  }
  return { unused, used };
}

export function partKept({ id, source }: UsedPart): ImportIssue {
  const message = `The run ${id} was read of a part of this one before and holds a person's work (a mark, a tag, an outcome or a replay): it stays beside this one, so its calls and tokens are listed in both.`;
  return { code: 'PART_KEPT', message, sha256: source.sha256, offset: null };
}
