import { counterpartOf, type Importer, type SourceGroup } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { Store, StoredRunDetail, StoredSource } from '@misstep/store';
import { byFirstImport, type Grouped, inOrder } from './family-order.ts';
import { findGrownSource } from './grown-source.ts';
import { joinByNames } from './join-by-names.ts';
import { findLineage, lookUp } from './lineage.ts';
import { namesIn } from './names-in.ts';
import { sessionsOf } from './one-session.ts';
import type { PlannedRead } from './plan-reads.ts';
import { headOf, type RecognisedSource } from './recognise-source.ts';

/** Stored relatives of stored relatives are looked for that many times. */
const MOST_ROUNDS = 8;

/** Sources of one format that share a name, directly or over others. */
export function familiesOf(recognised: readonly RecognisedSource[]): RecognisedSource[][] {
  const grouped = recognised.filter(({ group }) => group !== null);
  return joinByNames(grouped, ({ importer, group }) =>
    group === null ? [] : namesOf(group).map((name) => JSON.stringify([importer.id, name])),
  );
}

function namesOf({ key, links = [] }: SourceGroup): string[] {
  return [key, ...links];
}

/** `known`: stored sources that are of the run as well, though no name says so. */
export async function planFamily(
  store: Store,
  family: readonly RecognisedSource[],
  known: readonly StoredSource[] = [],
): Promise<PlannedRead[]> {
  const [first] = family;
  if (first === undefined) return [];
  const { importer } = first;
  const now: Grouped[] = family.flatMap(({ source, group }) =>
    group === null ? [] : [{ source, group }],
  );
  const { earlier, stored } = await findRelatives(store, importer, now, known);
  const before = await withoutReplaced(store, importer, stored, now);
  const all = [...now, ...before];
  const links = new Map(all.map(({ source, group }) => [source.sha256, namesOf(group)]));
  // The same bytes under two names are one recording, told of both.
  const { whole: nowMains, earlierStates } = await apartFromEarlierStates(
    store,
    importer,
    onceEach(now.filter(isMain)),
    before,
  );
  const parts = onceEach(all.filter((each) => !isMain(each)));
  const mains = onceEach([...nowMains, ...before.filter(isMain)]);
  const starters = await findStarters(store, mains, parts);
  const named = [...new Set([...starters.values(), ...mains])];
  const read = new Set(
    known.length === 0
      ? []
      : [...known, ...now.map((each) => each.source)].map(({ sha256 }) => sha256),
  );
  const sessions = sessionsOf(named, { earlier, read });
  const [heads = []] = sessions;
  if (heads.length === 0 && earlierStates.length === 0) {
    return family.map((each) => ({
      importer,
      main: each.source,
      mainGroup: each.group,
      order: [],
      companions: [],
      members: [each],
      earlier: [],
      links,
    }));
  }
  const sessionOf = new Map(
    sessions.flatMap((session) => session.map((main) => [main.source.sha256, session] as const)),
  );
  for (const [part, main] of starters) {
    const session = sessionOf.get(main.source.sha256);
    if (session !== undefined) sessionOf.set(part, session);
  }
  const plans: PlannedRead[] = earlierStates.map(({ source, group }) => ({
    importer,
    main: source,
    mainGroup: group,
    order: [source.sha256],
    companions: [],
    members: family.filter((each) => each.source.sha256 === source.sha256),
    earlier,
    links,
  }));
  const isEarlierState = new Set(plans.map(({ main }) => main.sha256));
  for (const session of sessions) {
    // One id's other recordings that came before are read as they are.
    if (session !== heads && !session.some((main) => nowMains.includes(main))) continue;
    // What no recording of the id is known to have started is the first's.
    const isOwn = ({ source }: { source: StoredSource }) =>
      !isEarlierState.has(source.sha256) && (sessionOf.get(source.sha256) ?? heads) === session;
    const members = family.filter(isOwn);
    if (members.length === 0) continue;
    const ordered = inOrder(session);
    const [root] = ordered;
    const [main, ...others] = await byFirstImport(
      store,
      importer,
      [...ordered, ...parts.filter(isOwn)],
      earlier,
    );
    if (main === undefined || root === undefined) continue;
    plans.push({
      importer,
      main: main.source,
      mainGroup: main.group,
      order: ordered.map(({ source }) => source.sha256),
      companions: others.map((each) => (isMain(each) ? asCompanion(each, root.group.key) : each)),
      members,
      earlier,
      links,
    });
  }
  return plans;
}

/** Files of which a later state is here byte for byte: that one stands for them. */
async function apartFromEarlierStates(
  store: Store,
  importer: Importer,
  mains: readonly Grouped[],
  before: readonly Grouped[],
): Promise<{ whole: Grouped[]; earlierStates: Grouped[] }> {
  const whole: Grouped[] = [];
  const earlierStates: Grouped[] = [];
  for (const main of mains) {
    const found = before.length === 0 ? null : await lookUp(store, main.source, importer.id);
    const later = found === null ? null : await findGrownSource(store, main.source, found);
    (later === null ? whole : earlierStates).push(main);
  }
  return { whole, earlierStates };
}

function asCompanion({ source, group }: Grouped, key: string): Grouped {
  return { source, group: { ...group, key, role: 'companion', part: group.key } };
}

function onceEach(all: readonly Grouped[]): Grouped[] {
  return [...new Map(all.map((each) => [each.source.sha256, each])).values()];
}

function isMain(each: Grouped): boolean {
  return each.group.role === 'main';
}

/**
 * Which of several recordings with one id started what a companion recorded, by the companion's hash:
 * the one that names it. Only where an id has several is there anything to find.
 */
async function findStarters(
  store: Store,
  mains: readonly Grouped[],
  parts: readonly Grouped[],
): Promise<Map<SourceHash, Grouped>> {
  const starters = new Map<SourceHash, Grouped>();
  const open = parts.filter(
    ({ group }) =>
      group.part !== null && mains.filter((main) => main.group.key === group.key).length > 1,
  );
  for (const main of open.length === 0 ? [] : mains) {
    const own = open.filter(
      ({ source, group }) => group.key === main.group.key && !starters.has(source.sha256),
    );
    const names = own.flatMap(({ group }) => group.part ?? []);
    const named = await namesIn(await store.sourcePath(main.source.sha256), names);
    for (const part of own)
      if (named.has(part.group.part ?? '')) starters.set(part.source.sha256, main);
  }
  return starters;
}

/**
 * Runs that share a name with these sources, or with a source of such a run; with those sources. A
 * record that both hold is such a name too.
 */
async function findRelatives(
  store: Store,
  importer: Importer,
  now: readonly Grouped[],
  known: readonly StoredSource[],
): Promise<{ earlier: readonly StoredRunDetail[]; stored: readonly Grouped[] }> {
  const names = new Set(now.flatMap(({ group }) => namesOf(group)));
  const numbers = new Set(now.flatMap(({ group }) => (group.numbers ?? []).map(counterpartOf)));
  const holders =
    numbers.size === 0 ? [] : await store.findSourcesByNumbers(importer.id, [...numbers]);
  for (const source of [...known, ...holders]) {
    const group = await groupOf(store, importer, source);
    for (const name of group === null ? [] : namesOf(group)) names.add(name);
  }
  const stored = new Map<string, Grouped>();
  let earlier: readonly StoredRunDetail[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const asked = names.size;
    earlier = await store.findRunsByLinks(importer.id, [...names]);
    for (const source of earlier.flatMap((run) => run.sources)) {
      if (source.role === 'container' || stored.has(source.sha256)) continue;
      const group = (await groupOf(store, importer, source)) ?? groupOfLog(importer, source, now);
      if (group === null) continue;
      stored.set(source.sha256, { source, group });
      for (const name of namesOf(group)) names.add(name);
    }
    if (names.size === asked) break;
  }
  return { earlier, stored: [...stored.values()] };
}

/** A log beside a database says nothing of itself: it is of the run that it was read with. */
function groupOfLog(
  importer: Importer,
  { role, part, sizeBytes }: StoredRunDetail['sources'][number],
  [first]: readonly Grouped[],
): SourceGroup | null {
  if (importer.group !== undefined || role !== 'companion' || first === undefined) return null;
  if (sizeBytes === 0) return null;
  return { key: first.group.key, role, part };
}

async function groupOf(
  store: Store,
  importer: Importer,
  source: StoredSource,
): Promise<SourceGroup | null> {
  return importer.group?.(await headOf(store, source), source.name) ?? null;
}

/** Without those that came again or of which a grown version came. */
async function withoutReplaced(
  store: Store,
  importer: Importer,
  stored: readonly Grouped[],
  now: readonly Grouped[],
): Promise<Grouped[]> {
  if (stored.length === 0) return [];
  const again = new Set<string>(now.map(({ source }) => source.sha256));
  const lineages = new Set<string>();
  for (const { source } of now) lineages.add(await findLineage(store, source, importer.id));
  const members: Grouped[] = [];
  for (const each of stored) {
    if (again.has(each.source.sha256)) continue;
    if (lineages.has(await findLineage(store, each.source, importer.id))) continue;
    members.push(each);
  }
  return members;
}
