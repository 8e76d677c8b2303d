import { counterpartOf } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { StoredRunDetail } from '@misstep/store';
import type { Grouped } from './family-order.ts';
import { joinByNames } from './join-by-names.ts';

/** What is known of a family beside the heads of its sources. */
export interface KnownTogether {
  /** Runs that are here already. */
  readonly earlier: readonly StoredRunDetail[];
  /** Sources that were found to share records when they were read. */
  readonly read: ReadonlySet<SourceHash>;
}

/**
 * The main sources of a family, put together by what is one run. Sources with different ids are: a name
 * joined them. Of several with one id those are that share a record (the same session copied with other
 * line ends or without its beginning, or gone on with twice) or are one run already; others with that
 * id are recordings of their own. The first is the one that all the family's parts belong to.
 */
export function sessionsOf(mains: readonly Grouped[], together: KnownTogether): Grouped[][] {
  const runIds = new Map<string, string[]>();
  for (const { run, sources } of together.earlier) {
    for (const { sha256 } of sources) runIds.set(sha256, [...(runIds.get(sha256) ?? []), run.id]);
  }
  const namesOf = ({ source, group }: Grouped): string[] =>
    [
      ...(group.numbers ?? []).map((number) => `record ${Math.min(number, counterpartOf(number))}`),
      ...(runIds.get(source.sha256) ?? []).map((id) => `run ${id}`),
      ...(together.read.has(source.sha256) ? ['read'] : []),
    ].map((name) => `${name} of ${group.key}`);
  const first: Grouped[] = [];
  const others: Grouped[][] = [];
  const keys = new Set<string>();
  for (const session of joinByNames(mains, namesOf)) {
    const key = session[0]?.group.key ?? '';
    if (keys.has(key)) others.push(session);
    else first.push(...session);
    keys.add(key);
  }
  return first.length === 0 ? [] : [first, ...others];
}
