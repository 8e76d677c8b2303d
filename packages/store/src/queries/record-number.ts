import type { SourceHash } from '@misstep/model';
import type { Database } from '../database.ts';
import type { StoredSource } from '../store.ts';
import { readSourceRow } from './source.ts';

/** Of a reading that was saved just now and has none yet. */
export function insertRecordNumbers(
  database: Database,
  format: string,
  sha256: SourceHash,
  numbers: ArrayLike<number>,
): void {
  if (numbers.length === 0) return;
  const { lastInsertRowid } = database
    .prepare('INSERT INTO numberedReadings (format, sha256) VALUES (?, ?)')
    .run(format, sha256);
  const insert = database.prepare('INSERT OR IGNORE INTO recordNumbers VALUES (?, ?)');
  const key = BigInt(lastInsertRowid);
  // In the order of the table, which takes a third of the time.
  for (const number of Float64Array.from(numbers).sort()) insert.run(BigInt(number), key);
}

/** Sources with a run of the format of which a record has one of these numbers. */
export function findSourcesByNumbers(
  database: Database,
  format: string,
  numbers: ArrayLike<number>,
): StoredSource[] {
  const find = database.prepare('SELECT readingKey FROM recordNumbers WHERE number = ?');
  const keys = new Set<bigint>();
  for (const number of Array.from(numbers)) {
    // Written by insertRecordNumbers.
    for (const row of find.all(BigInt(number)) as { readingKey: bigint }[])
      keys.add(row.readingKey);
  }
  return [...keys].flatMap((key) =>
    database
      .all(
        database.builder
          .selectFrom('sources')
          .innerJoin('numberedReadings', 'numberedReadings.sha256', 'sources.sha256')
          .selectAll('sources')
          .where('numberedReadings.key', '=', key)
          .where('numberedReadings.format', '=', format)
          .where((where) =>
            where.exists(
              where
                .selectFrom('runSources')
                .innerJoin('runs', 'runs.key', 'runSources.runKey')
                .select('runs.key')
                .whereRef('runSources.sha256', '=', 'sources.sha256')
                .where('runs.format', '=', format),
            ),
          ),
      )
      .map(readSourceRow),
  );
}
