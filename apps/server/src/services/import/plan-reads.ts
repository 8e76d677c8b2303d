import type { Importer, SourceGroup } from '@misstep/importers';
import type { RunId, SourceHash } from '@misstep/model';
import type { SourceLookUp, Store, StoredRunDetail, StoredSource } from '@misstep/store';
import { familiesOf, planFamily } from './plan-family.ts';
import type { RecognisedSource } from './recognise-source.ts';

/** One call of an importer: a main source with the sources that belong to its run. */
export interface PlannedRead {
  readonly importer: Importer;
  /** What the run is known by: the source of it that was imported first. */
  readonly main: StoredSource;
  readonly mainGroup: SourceGroup | null;
  /** Those that go on from one another, in that order; none where a part is read alone. */
  readonly order: readonly SourceHash[];
  /** In the order of their first imports. */
  readonly companions: readonly { readonly source: StoredSource; readonly group: SourceGroup }[];
  /** Those of the batch that this read answers for. */
  readonly members: readonly RecognisedSource[];
  /** Runs that hold these sources already, by the agent's own id or another name that they share. */
  readonly earlier: readonly StoredRunDetail[];
  /** What each source shares with others of its run, by its hash. */
  readonly links: ReadonlyMap<string, readonly string[]>;
}

/**
 * Puts sources of one run together, whether they come now or one was imported before: companions (a
 * sub-agent's file) with their main source, and sessions that were resumed or forked from one
 * another. A companion whose main source is nowhere is read alone. Each is planned when the one before
 * is read: what that one saved may link two that come now.
 */
export async function* planReads(
  store: Store,
  recognised: readonly RecognisedSource[],
): AsyncGenerator<PlannedRead> {
  const grouped: RecognisedSource[] = [];
  for (const each of recognised) {
    if (each.group !== null) {
      grouped.push(each);
      continue;
    }
    yield {
      importer: each.importer,
      main: each.source,
      mainGroup: null,
      order: [each.source.sha256],
      companions: each.leaf.shared,
      members: [each],
      earlier: [],
      links: new Map(),
    };
  }
  for (const family of familiesOf(grouped)) {
    for (const plan of await planFamily(store, family)) yield plan;
  }
}

/**
 * The run that holds all of this read's sources already, read by the same format at this
 * revision or a later one; null = there is something to read.
 */
export async function findSameRead(
  store: Store,
  plan: PlannedRead,
  { runs }: SourceLookUp,
): Promise<RunId[] | null> {
  const sources = [plan.main, ...plan.companions.map(({ source }) => source)];
  let common: RunId[] | null = null;
  for (const { sha256 } of sources) {
    const known = new Set<RunId>(
      (sha256 === plan.main.sha256 ? runs : await store.findRunsOfSource(sha256))
        .filter(
          ({ format, formatRevision }) =>
            format === plan.importer.id && formatRevision >= plan.importer.revision,
        )
        .map(({ runId }) => runId),
    );
    common = common === null ? [...known] : common.filter((runId) => known.has(runId));
  }
  return common === null || common.length === 0 ? null : common;
}
