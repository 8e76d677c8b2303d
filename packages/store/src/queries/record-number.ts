import type { SourceHash } from '@misstep/model';
import type { Database } from '../database.ts';
import type { StoredSource } from '../store.ts';
import { readSourceRow, readSources } from './source.ts';

/** Of a reading that was saved just now and has none yet. Sorts the numbers where they stand. */
export function insertRecordNumbers(
  database: Database,
  format: string,
  sha256: SourceHash,
  numbers: Float64Array,
): void {
  if (numbers.length === 0) return;
  const { lastInsertRowid } = database
    .prepare('INSERT INTO numberedReadings (format, sha256) VALUES (?, ?)')
    .run(format, sha256);
  const insert = database.prepare('INSERT OR IGNORE INTO recordNumbers VALUES (?, ?)');
  const key = BigInt(lastInsertRowid);
  // In the order of the table, which takes a third of the time.
  for (const number of numbers.sort()) insert.run(BigInt(number), key);
}

/** Sources with a run of the format of which a record has one of these numbers. */
export function findSourcesByNumbers(
  database: Database,
  format: string,
  numbers: readonly number[] | Float64Array,
): StoredSource[] {
  // At one go: a million lookups one by one would hold up whoever asks the store meanwhile.
  const find = database.prepare(
    'SELECT DISTINCT readingKey FROM recordNumbers WHERE number IN (SELECT value FROM json_each(?))',
  );
  // Written by insertRecordNumbers.
  const rows = find.all(JSON.stringify([...numbers])) as { readingKey: bigint }[];
  return rows.flatMap(({ readingKey }) =>
    database
      .all(
        readSources(database, format)
          .innerJoin('numberedReadings', 'numberedReadings.sha256', 'sources.sha256')
          .where('numberedReadings.key', '=', readingKey)
          .where('numberedReadings.format', '=', format),
      )
      .map(readSourceRow),
  );
}
