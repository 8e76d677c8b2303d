import type { Importer, SourceGroup } from '@misstep/importers';
import type { RunId } from '@misstep/model';
import type { SourceLookUp, Store, StoredRunDetail, StoredSource } from '@misstep/store';
import { findLineage } from './lineage.ts';
import { headOf, type RecognisedSource } from './recognise-source.ts';

/** One call of an importer: a main source with the sources that belong to its run. */
export interface PlannedRead {
  readonly importer: Importer;
  readonly main: StoredSource;
  readonly companions: readonly { readonly source: StoredSource; readonly group: SourceGroup }[];
  /** Those of the batch that this read answers for. */
  readonly members: readonly RecognisedSource[];
  /** Runs that hold these sources already, by the agent's own id. */
  readonly earlier: readonly StoredRunDetail[];
}

interface Grouped {
  readonly source: StoredSource;
  readonly group: SourceGroup;
}

/**
 * Puts companions (a sub-agent's file) with the main source of their run, whether both come now
 * or one was imported before. A companion whose main source is nowhere is read alone.
 */
export async function planReads(
  store: Store,
  recognised: readonly RecognisedSource[],
): Promise<PlannedRead[]> {
  const plans: PlannedRead[] = [];
  const families = new Map<string, RecognisedSource[]>();
  for (const each of recognised) {
    if (each.group === null) {
      plans.push({
        importer: each.importer,
        main: each.source,
        companions: each.leaf.shared,
        members: [each],
        earlier: [],
      });
      continue;
    }
    const family = JSON.stringify([each.importer.id, each.group.key]);
    const members = families.get(family);
    if (members === undefined) families.set(family, [each]);
    else members.push(each);
  }
  for (const family of families.values()) {
    for (const plan of await planFamily(store, family)) plans.push(plan);
  }
  return plans;
}

async function planFamily(
  store: Store,
  family: readonly RecognisedSource[],
): Promise<PlannedRead[]> {
  const [first] = family;
  if (first?.group == null) return [];
  const { importer, group } = first;
  const earlier = await store.findRunsByNaturalId(importer.id, group.key);
  const now: Grouped[] = family.flatMap(({ source, group: own }) =>
    own === null ? [] : [{ source, group: own }],
  );
  const before = await earlierMembers(store, importer, group.key, earlier, now);
  // The same bytes under two names are one recording, told of both.
  const nowMains = onceEach(now.filter(isMain));
  const mains = nowMains.length > 0 ? nowMains : before.filter(isMain).slice(0, 1);
  const companions = onceEach([...now, ...before].filter((each) => !isMain(each)));
  if (mains.length === 0) {
    return family.map((each) => ({
      importer,
      main: each.source,
      companions: [],
      members: [each],
      earlier: [],
    }));
  }
  return mains.map((main, index) => ({
    importer,
    main: main.source,
    // Two main sources of one id are two recordings: the first takes the companions.
    companions: index === 0 ? companions : [],
    members: family.filter(
      ({ source, group: own }) =>
        source.sha256 === main.source.sha256 || (index === 0 && own?.role === 'companion'),
    ),
    earlier,
  }));
}

function onceEach(all: readonly Grouped[]): Grouped[] {
  return [...new Map(all.map((each) => [each.source.sha256, each])).values()];
}

function isMain(each: Grouped): boolean {
  return each.group.role === 'main';
}

/** Sources of the earlier runs, without those that came again or of which a grown version came. */
async function earlierMembers(
  store: Store,
  importer: Importer,
  key: string,
  earlier: readonly StoredRunDetail[],
  now: readonly Grouped[],
): Promise<Grouped[]> {
  const replaced = new Set<string>(now.map(({ source }) => source.sha256));
  const lineages = new Set<string>();
  for (const { source } of now) {
    if (earlier.length > 0) lineages.add(await findLineage(store, source, importer.id));
  }
  const members: Grouped[] = [];
  for (const source of earlier.flatMap((run) => run.sources)) {
    if (source.role === 'container' || replaced.has(source.sha256)) continue;
    replaced.add(source.sha256);
    if (lineages.has(await findLineage(store, source, importer.id))) continue;
    const group = importer.group?.(await headOf(store, source), source.name) ?? null;
    if (group?.key === key) members.push({ source, group });
  }
  return members;
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
