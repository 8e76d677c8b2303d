import type { ReplaySummary } from '@misstep/contract';

/** A replay sent by itself, or all that were sent by one experiment. */
export type ReplayEntry =
  | { readonly kind: 'own'; readonly replay: ReplaySummary }
  | {
      readonly kind: 'experiment';
      readonly experimentId: string;
      /** In the order of the list. */
      readonly replays: readonly ReplaySummary[];
    };

/** One entry an experiment, where its first replay in the list stands. */
export function groupReplays(list: readonly ReplaySummary[]): ReplayEntry[] {
  const groups = new Map<string, ReplaySummary[]>();
  return list.flatMap((replay): ReplayEntry[] => {
    const { experimentId } = replay;
    if (experimentId === null) return [{ kind: 'own', replay }];
    const known = groups.get(experimentId);
    if (known !== undefined) {
      known.push(replay);
      return [];
    }
    const replays = [replay];
    groups.set(experimentId, replays);
    return [{ kind: 'experiment', experimentId, replays }];
  });
}

/** A row of a list in which some experiments are unfolded. */
export type ReplayRowEntry =
  | ReplayEntry
  | { readonly kind: 'within'; readonly replay: ReplaySummary };

export function rowsOfEntries(
  entries: readonly ReplayEntry[],
  unfolded: ReadonlySet<string>,
): ReplayRowEntry[] {
  return entries.flatMap((entry): ReplayRowEntry[] =>
    entry.kind === 'experiment' && unfolded.has(entry.experimentId)
      ? [entry, ...entry.replays.map((replay) => ({ kind: 'within' as const, replay }))]
      : [entry],
  );
}
