import type { RunSummary } from '@misstep/contract';
import { EVIDENCE_GRADES } from '@misstep/model';
import type { RunSortKey } from '../../state/runs-search.ts';
import { runCostUsd, runDurationNs, runStartedOrder, runTokens } from './run-time.ts';

export interface RunSort {
  readonly key: RunSortKey;
  readonly descending: boolean;
}

export const DEFAULT_RUN_SORT: RunSort = { key: 'started', descending: true };

/** "-started" to key and direction; anything else is the default. */
export function readRunSort(text: string | undefined): RunSort {
  if (text === undefined) return DEFAULT_RUN_SORT;
  // The URL's schema lets only known keys through.
  return { key: text.replace(/^-/, '') as RunSortKey, descending: text.startsWith('-') };
}

/** The other way round; undefined = the default, which needs no place in the URL. */
export function writeRunSort(sort: RunSort): string | undefined {
  const isDefault =
    sort.key === DEFAULT_RUN_SORT.key && sort.descending === DEFAULT_RUN_SORT.descending;
  return isDefault ? undefined : `${sort.descending ? '-' : ''}${sort.key}`;
}

const TEXT_KEYS: readonly RunSortKey[] = ['title', 'client', 'outcome'];

/** A click on a column's head: numbers and times begin with the largest, words with A. */
export function nextRunSort(current: RunSort, key: RunSortKey): RunSort {
  if (current.key === key) return { key, descending: !current.descending };
  return { key, descending: !TEXT_KEYS.includes(key) && key !== 'evidence' };
}

type SortValue = number | string | null;

const VALUES: Readonly<Record<RunSortKey, (run: RunSummary) => SortValue>> = {
  title: (run) => run.title.toLowerCase(),
  evidence: (run) => EVIDENCE_GRADES.indexOf(run.bestEvidence),
  client: (run) => (run.client === null ? null : `${run.client} ${run.model ?? ''}`.toLowerCase()),
  started: runStartedOrder,
  duration: runDurationNs,
  steps: (run) => run.stepCount,
  calls: (run) => run.toolCallCount,
  errors: (run) => run.errorCount,
  tokens: runTokens,
  cost: runCostUsd,
  mark: (run) => (run.mark === null ? null : run.mark.createdAt),
  outcome: (run) =>
    run.outcome === null ? null : `${run.outcome.verdict} ${run.outcome.text}`.toLowerCase(),
};

/** Sorted copy. What isn't recorded comes last in both directions; ties go by import, newest first. */
export function sortRuns(runs: readonly RunSummary[], sort: RunSort): readonly RunSummary[] {
  const sortValue = VALUES[sort.key];
  const turn = sort.descending ? -1 : 1;
  return runs
    .map((run) => ({ run, value: sortValue(run) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) {
        if (a.value !== null) return -1;
        if (b.value !== null) return 1;
      } else if (a.value !== b.value) {
        return a.value < b.value ? -turn : turn;
      }
      if (a.run.importedAt !== b.run.importedAt)
        return a.run.importedAt < b.run.importedAt ? 1 : -1;
      return a.run.id < b.run.id ? -1 : 1;
    })
    .map(({ run }) => run);
}
