import type { ImportInput, SourceGroup, SourceReader } from './importer.ts';

/** One source of a run that is read of several. */
export interface RunSource {
  readonly reader: SourceReader;
  readonly group: SourceGroup | null;
  /** Prefix of its steps' ids; null for the source that the run is known by. */
  readonly part: string | null;
  /** `first`: the run begins with it; `next`: it goes on from one before; `below`: a sub-agent's or the like. */
  readonly role: 'first' | 'next' | 'below';
  /** 0 = the run is known by it; of two that hold one record the lower number names its steps. */
  readonly rank: number;
}

/**
 * The sources of a run in the order in which they are read, which is the same whichever came first.
 * What was imported first only says what the steps are called.
 */
export function sourcesInOrder(input: ImportInput): RunSource[] {
  const { main, mainGroup = null, companions, order = [main.sha256] } = input;
  const places = new Map(order.map((sha256, place) => [sha256, place]));
  const parts = new Set<string>();
  const sources = [{ reader: main, group: mainGroup }, ...companions].map(
    ({ reader, group }, rank): RunSource => {
      let part = rank === 0 ? null : (group?.part ?? reader.sha256.slice(0, 12));
      while (part !== null && parts.has(part)) part = `${part}_`;
      if (part !== null) parts.add(part);
      const place = places.get(reader.sha256);
      const role = place === undefined ? 'below' : place === 0 ? 'first' : 'next';
      return { reader, group, part, role, rank };
    },
  );
  const placeOf = ({ reader }: RunSource) => places.get(reader.sha256) ?? order.length;
  return sources.sort((a, b) => placeOf(a) - placeOf(b) || comparePlaces(a, b));
}

/** Those below by their names: the order in which they were given says nothing. */
function comparePlaces(a: RunSource, b: RunSource): number {
  return (
    compare(a.group?.part ?? '', b.group?.part ?? '') || compare(a.reader.sha256, b.reader.sha256)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
