import type { RunId, SourceHash, UnreadRecord } from '@misstep/model';
import type { Database } from '../database.ts';
import type { Page } from '../store.ts';
import { decodeText, encodeText } from '../stored-text.ts';
import { runKeyOf } from './run-key.ts';

/** Of all the run's sources, source by source. RUN_NOT_FOUND. */
export function listUnread(
  database: Database,
  runId: RunId,
  page: Page,
): { total: number; records: UnreadRecord[] } {
  return database.read(() => {
    const runKey = runKeyOf(database, runId);
    const query = database.builder
      .selectFrom('runSources')
      .innerJoin('runs', 'runs.key', 'runSources.runKey')
      .innerJoin('unreadRecords', (join) =>
        join
          .onRef('unreadRecords.sha256', '=', 'runSources.sha256')
          .onRef('unreadRecords.format', '=', 'runs.format'),
      )
      .where('runSources.runKey', '=', runKey);
    const total = database.first(query.select((column) => column.fn.countAll<bigint>().as('n')));
    const rows = database.all(
      query
        .selectAll('unreadRecords')
        .orderBy('runSources.ordinal')
        .orderBy('unreadRecords.ordinal')
        .limit(page.limit)
        .offset(page.offset),
    );
    return {
      total: Number(total?.n ?? 0),
      records: rows.map((row) => ({
        // Written by saveImport from an UnreadRecord.
        sha256: row.sha256 as SourceHash,
        offset: Number(row.offset),
        length: Number(row.length),
        state: row.state as UnreadRecord['state'],
        reason: decodeText(row.reason),
      })),
    };
  });
}

/** Raw: a damaged source can have as many of these as lines. */
export function insertUnread(
  database: Database,
  format: string,
  sha256: SourceHash,
  records: readonly UnreadRecord[],
): void {
  const insert = database.prepare(
    `INSERT INTO unreadRecords (sha256, format, ordinal, offset, length, state, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  records.forEach(({ offset, length, state, reason }, ordinal) => {
    insert.run(sha256, format, ordinal, offset, length, state, encodeText(reason));
  });
}
