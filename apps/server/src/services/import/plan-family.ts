import type { Importer, SourceGroup } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { Store, StoredRunDetail, StoredSource } from '@misstep/store';
import { findLineage } from './lineage.ts';
import { namesIn } from './names-in.ts';
import type { PlannedRead } from './plan-reads.ts';
import { headOf, type RecognisedSource } from './recognise-source.ts';

interface Grouped {
  readonly source: StoredSource;
  readonly group: SourceGroup;
}

/** Stored relatives of stored relatives are looked for that many times. */
const MOST_ROUNDS = 8;

/** Sources of one format that share a name, directly or over others. */
export function familiesOf(recognised: readonly RecognisedSource[]): RecognisedSource[][] {
  const families = new Set<RecognisedSource[]>();
  const byName = new Map<string, RecognisedSource[]>();
  for (const each of recognised) {
    if (each.group === null) continue;
    const names = namesOf(each.group).map((name) => JSON.stringify([each.importer.id, name]));
    let family: RecognisedSource[] = [];
    for (const name of names) {
      const known = byName.get(name);
      if (known === undefined || known === family) continue;
      // The smaller goes into the larger, so that many of one family take no longer than few.
      const [larger, smaller] = known.length >= family.length ? [known, family] : [family, known];
      for (const member of smaller) larger.push(member);
      for (const member of smaller) {
        for (const own of member.group === null ? [] : namesOf(member.group)) {
          byName.set(JSON.stringify([member.importer.id, own]), larger);
        }
      }
      families.delete(smaller);
      family = larger;
    }
    family.push(each);
    families.add(family);
    for (const name of names) byName.set(name, family);
  }
  // In the order in which they were given.
  const places = new Map(recognised.map((each, index) => [each, index]));
  const place = (each: RecognisedSource | undefined) =>
    each === undefined ? 0 : (places.get(each) ?? 0);
  for (const family of families) family.sort((a, b) => place(a) - place(b));
  return [...families].sort(([a], [b]) => place(a) - place(b));
}

function namesOf({ key, links = [] }: SourceGroup): string[] {
  return [key, ...links];
}

export async function planFamily(
  store: Store,
  family: readonly RecognisedSource[],
): Promise<PlannedRead[]> {
  const [first] = family;
  if (first === undefined) return [];
  const { importer } = first;
  const now: Grouped[] = family.flatMap(({ source, group }) =>
    group === null ? [] : [{ source, group }],
  );
  const { earlier, stored } = await findRelatives(store, importer, now);
  const before = await withoutReplaced(store, importer, stored, now);
  const all = [...now, ...before];
  const links = new Map(all.map(({ source, group }) => [source.sha256, namesOf(group)]));
  // The same bytes under two names are one recording, told of both.
  const nowMains = onceEach(now.filter(isMain));
  const parts = onceEach(all.filter((each) => !isMain(each)));
  const mains = onceEach([...nowMains, ...before.filter(isMain)]);
  const starters = await findStarters(store, mains, parts);
  const heads = onePerKey([...new Set([...starters.values(), ...mains])]);
  const [root, ...others] = await inOrder(store, importer, heads, earlier);
  if (root === undefined) {
    return family.map((each) => ({
      importer,
      main: each.source,
      companions: [],
      members: [each],
      earlier: [],
      links,
    }));
  }
  const continuations = others.map(({ source, group }): Grouped => {
    const { key } = group;
    return {
      source,
      group: { ...group, key: root.group.key, role: 'companion', part: key, isContinuation: true },
    };
  });
  // Two main sources of one id are two recordings: what neither is known to have started is the first's.
  const alone = nowMains.filter((main) => !heads.includes(main));
  const mainOf = new Map(alone.map((main) => [main.source.sha256, main]));
  for (const [part, main] of starters) if (alone.includes(main)) mainOf.set(part, main);
  return [root, ...alone].map((main) => ({
    importer,
    main: main.source,
    companions: [...parts, ...(main === root ? continuations : [])].filter(
      ({ source }) => (mainOf.get(source.sha256) ?? root) === main,
    ),
    members: family.filter(({ source }) => (mainOf.get(source.sha256) ?? root) === main),
    earlier,
    links,
  }));
}

function onceEach(all: readonly Grouped[]): Grouped[] {
  return [...new Map(all.map((each) => [each.source.sha256, each])).values()];
}

function onePerKey(all: readonly Grouped[]): Grouped[] {
  const heads = new Map<string, Grouped>();
  for (const each of all) if (!heads.has(each.group.key)) heads.set(each.group.key, each);
  return [...heads.values()];
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

/** The one that the run begins with first: what a run is known by stays, whatever comes later. */
async function inOrder(
  store: Store,
  importer: Importer,
  heads: readonly Grouped[],
  earlier: readonly StoredRunDetail[],
): Promise<readonly Grouped[]> {
  if (heads.length < 2) return heads;
  const known: string[] = [];
  for (const { sources } of earlier) {
    const main = sources.find(({ role }) => role === 'main');
    if (main !== undefined) known.push(await findLineage(store, main, importer.id));
  }
  const ranked: { each: Grouped; rank: number }[] = [];
  for (const each of heads) {
    const at = known.indexOf(await findLineage(store, each.source, importer.id));
    ranked.push({ each, rank: at < 0 ? known.length : at });
  }
  // What goes on from another holds that one's records, so it is the larger one.
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.each.group.continues ?? false) - Number(b.each.group.continues ?? false) ||
        a.each.source.sizeBytes - b.each.source.sizeBytes ||
        (a.each.source.sha256 < b.each.source.sha256 ? -1 : 1),
    )
    .map(({ each }) => each);
}

/** Runs that share a name with these sources, or with a source of such a run; with those sources. */
async function findRelatives(
  store: Store,
  importer: Importer,
  now: readonly Grouped[],
): Promise<{ earlier: readonly StoredRunDetail[]; stored: readonly Grouped[] }> {
  const names = new Set(now.flatMap(({ group }) => namesOf(group)));
  const stored = new Map<string, Grouped>();
  let earlier: readonly StoredRunDetail[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const asked = names.size;
    earlier = await store.findRunsByLinks(importer.id, [...names]);
    for (const source of earlier.flatMap((run) => run.sources)) {
      if (source.role === 'container' || stored.has(source.sha256)) continue;
      const group = importer.group?.(await headOf(store, source), source.name) ?? null;
      if (group === null) continue;
      stored.set(source.sha256, { source, group });
      for (const name of namesOf(group)) names.add(name);
    }
    if (names.size === asked) break;
  }
  return { earlier, stored: [...stored.values()] };
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
