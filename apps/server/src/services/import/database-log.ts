import { databaseOfLog, headWithLog, isDatabaseLog, type SourceHead } from '@misstep/importers';
import { MisstepError } from '@misstep/model';
import type { Store } from '@misstep/store';
import type { Leaf } from './container/expand-sources.ts';
import { type RecognisedSource, readerOf } from './recognise-source.ts';

/** A source of a batch before its format is known. */
export interface PlacedLeaf {
  readonly path: string;
  readonly leaf: Leaf;
}

/** What says of a file that it is the log beside a database: its name, and how it begins. */
const LOG_HEAD_BYTES = 32;

/** The logs beside databases among these, by the path of their database. */
export async function logsAmong(
  store: Store,
  leaves: readonly PlacedLeaf[],
): Promise<ReadonlyMap<string, PlacedLeaf>> {
  const logs = new Map<string, PlacedLeaf>();
  for (const each of leaves) {
    const database = databaseOfLog(each.path);
    if (database === null) continue;
    const { sha256, sizeBytes } = each.leaf.source;
    const bytes = await store.readSource(sha256, 0, Math.min(LOG_HEAD_BYTES, sizeBytes));
    if (isDatabaseLog(each.path, bytes)) logs.set(database, each);
  }
  return logs;
}

/** The head of a database with its log; null where there is no log, or it changes nothing. */
export async function headBesideLog(
  store: Store,
  { leaf }: PlacedLeaf,
  log: PlacedLeaf | undefined,
): Promise<SourceHead | null> {
  if (log === undefined) return null;
  return headWithLog(readerOf(store, leaf.source), readerOf(store, log.leaf.source));
}

/** Both as members of one read, with states of the log that came before with the same database. */
export function joinLog(
  database: RecognisedSource,
  { path, leaf }: PlacedLeaf,
): [RecognisedSource, RecognisedSource] {
  const key = `database ${database.source.sha256}`;
  return [
    { ...database, group: { key, role: 'main', part: null } },
    {
      ...database,
      path,
      leaf,
      source: leaf.source,
      group: { key, role: 'companion', part: 'write-ahead log' },
    },
  ];
}

export function loneLogError(path: string): MisstepError {
  return new MisstepError(
    'IMPORT_UNREADABLE',
    `${path} holds what a database wrote last, and can't be read without it.`,
    {},
    { hint: `Import it together with ${databaseOfLog(path)}, or the folder of both.` },
  );
}
