import type { RunId, SourceHash, UnusedGroup, UnusedRecord } from '@misstep/model';
import type { Database } from '../database.ts';
import type { Page } from '../store.ts';
import { decodeText, encodeText } from '../stored-text.ts';
import type { UnusedFilter, UnusedPage } from '../unused-page.ts';
import { runKeyOf } from './run-key.ts';

/** Reasons that hold a parser's words can be as many as records. */
const MOST_GROUPS = 200;

/** Of all the run's sources, source by source. RUN_NOT_FOUND. */
export function listUnused(
  database: Database,
  runId: RunId,
  { state, reason, limit, offset }: Page & UnusedFilter,
): UnusedPage {
  return database.read(() => {
    const runKey = runKeyOf(database, runId);
    let query = selectUnused(database, runKey);
    if (state !== undefined) query = query.where('unusedRecords.state', '=', state);
    if (reason !== undefined) query = query.where('unusedRecords.reason', '=', encodeText(reason));
    const total = database.first(query.select((column) => column.fn.countAll<bigint>().as('n')));
    const rows = database.all(
      query
        .selectAll('unusedRecords')
        .orderBy('runSources.ordinal')
        .orderBy('unusedRecords.ordinal')
        .limit(limit)
        .offset(offset),
    );
    const groups = listGroups(database, runKey);
    return {
      groups: groups.slice(0, MOST_GROUPS),
      groupsOmitted: Math.max(0, groups.length - MOST_GROUPS),
      total: Number(total?.n ?? 0),
      records: rows.map((row) => ({
        // Written by saveImport from an UnusedRecord.
        sha256: row.sha256 as SourceHash,
        offset: Number(row.offset),
        length: Number(row.length),
        state: row.state as UnusedRecord['state'],
        reason: decodeText(row.reason),
      })),
    };
  });
}

function selectUnused(database: Database, runKey: bigint) {
  return database.builder
    .selectFrom('runSources')
    .innerJoin('runs', 'runs.key', 'runSources.runKey')
    .innerJoin('unusedRecords', (join) =>
      join
        .onRef('unusedRecords.sha256', '=', 'runSources.sha256')
        .onRef('unusedRecords.format', '=', 'runs.format'),
    )
    .where('runSources.runKey', '=', runKey);
}

/** The largest first; those of what is listed and of what is only counted together. */
function listGroups(database: Database, runKey: bigint): UnusedPage['groups'][number][] {
  const found = new Map<string, UnusedPage['groups'][number]>();
  const add = ({ state, reason, count }: UnusedGroup, listed: number): void => {
    const key = `${state} ${reason}`;
    const group = found.get(key) ?? { state, reason, count: 0, listed: 0 };
    found.set(key, { ...group, count: group.count + count, listed: group.listed + listed });
  };
  const listed = database.all(
    selectUnused(database, runKey)
      .select(['unusedRecords.state', 'unusedRecords.reason'])
      .select((column) => column.fn.countAll<bigint>().as('n'))
      .groupBy(['unusedRecords.state', 'unusedRecords.reason']),
  );
  for (const row of listed) {
    const state = row.state as UnusedRecord['state'];
    const count = Number(row.n);
    add({ state, reason: decodeText(row.reason), count }, count);
  }
  const readings = database.all(
    database.builder
      .selectFrom('runSources')
      .innerJoin('runs', 'runs.key', 'runSources.runKey')
      .innerJoin('sourceReadings', (join) =>
        join
          .onRef('sourceReadings.sha256', '=', 'runSources.sha256')
          .onRef('sourceReadings.format', '=', 'runs.format'),
      )
      .select('sourceReadings.unlistedJson')
      .where('runSources.runKey', '=', runKey)
      .where('sourceReadings.unlistedJson', '!=', '[]'),
  );
  for (const { unlistedJson } of readings) {
    // Written by saveImport from groups.
    for (const group of JSON.parse(unlistedJson) as UnusedGroup[]) add(group, 0);
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/** Raw: a damaged source can have as many of these as lines. */
export function insertUnused(
  database: Database,
  format: string,
  sha256: SourceHash,
  records: readonly UnusedRecord[],
): void {
  const insert = database.prepare(
    `INSERT INTO unusedRecords (sha256, format, ordinal, offset, length, state, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  records.forEach(({ offset, length, state, reason }, ordinal) => {
    insert.run(sha256, format, ordinal, offset, length, state, encodeText(reason));
  });
}
