import { rmSync } from 'node:fs';
import type { Outcome, RunId, SourceHash, UnreadRecord } from '@misstep/model';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import { layout } from '../layout.ts';
import type { Page, RunToSave, StoredRun, StoredRunDetail } from '../store.ts';
import { decodeText, encodeText } from '../stored-text.ts';
import { runKeyOf } from './run-key.ts';
import { readRun, selectRuns } from './run-row.ts';
import { readSourceRow, sweepSources } from './source.ts';

/** More than a person reads; the rest is counted. */
const ISSUES_SHOWN = 1000;

export function listRuns(database: Database, page: Page): { total: number; runs: StoredRun[] } {
  return database.read(() => ({
    total: countRuns(database),
    runs: database
      .all(
        selectRuns(database)
          .orderBy('runs.listedAtNs', 'desc')
          .orderBy('runs.key', 'desc')
          .limit(page.limit)
          .offset(page.offset),
      )
      .map(readRun),
  }));
}

/** RUN_NOT_FOUND. */
export function getRun(database: Database, runId: RunId): StoredRunDetail {
  return database.read(() => {
    const row = database.first(selectRuns(database).where('runs.id', '=', runId));
    if (row === undefined) {
      throw new Failure('RUN_NOT_FOUND', `There is no run ${runId}.`, { runId });
    }
    const replays = database.first(
      database.builder
        .selectFrom('replays')
        .select((column) => column.fn.countAll<bigint>().as('n'))
        .where('runKey', '=', row.key),
    );
    return {
      ...readRun(row),
      ...listIssues(database, row.key, row.format),
      sources: listRunSources(database, row.key, row.format),
      // Written by saveImport, one number a grade.
      evidenceCounts: JSON.parse(row.evidenceCountsJson) as number[],
      frameCount: Number(row.frameCount),
      replayCount: Number(replays?.n ?? 0),
    };
  });
}

export function findRunsByNaturalId(
  database: Database,
  format: string,
  naturalId: string,
): StoredRunDetail[] {
  return database
    .all(
      database.builder
        .selectFrom('runs')
        .select('id')
        .where('format', '=', format)
        .where('naturalId', '=', encodeText(naturalId))
        .orderBy('key'),
    )
    .map((row) => getRun(database, row.id as RunId));
}

/** A given title is kept from then on when the run is read anew. RUN_NOT_FOUND. */
export function updateRun(
  database: Database,
  runId: RunId,
  change: { title?: string; tags?: readonly string[]; outcome?: Outcome | null },
): void {
  const { title, tags, outcome } = change;
  database.write(() => {
    const runKey = runKeyOf(database, runId);
    const set = {
      ...(title === undefined ? {} : { title: encodeText(title), titleIsRenamed: 1 }),
      ...(tags === undefined ? {} : { tagsJson: JSON.stringify(tags) }),
      ...(outcome === undefined
        ? {}
        : { outcomeJson: outcome === null ? null : JSON.stringify(outcome) }),
    };
    if (Object.keys(set).length === 0) return;
    database.run(database.builder.updateTable('runs').set(set).where('key', '=', runKey));
  });
}

/** Two transactions: what a kill between them leaves is removed at the next start. RUN_NOT_FOUND. */
export function deleteRun(database: Database, runId: RunId): { sourcesDeleted: number } {
  database.write(() => {
    const runKey = runKeyOf(database, runId);
    const replays = database.all(
      database.builder.selectFrom('replays').select('id').where('runKey', '=', runKey),
    );
    for (const { id } of replays) {
      const path = `${id}.frames`;
      database.run(database.builder.insertInto('doomedFiles').values({ path }));
    }
    database.run(database.builder.deleteFrom('runs').where('key', '=', runKey));
  });
  removeDoomedFiles(database);
  return { sourcesDeleted: sweepSources(database) };
}

/** Frame logs whose replay was deleted. */
export function removeDoomedFiles(database: Database): void {
  const doomed = database.all(database.builder.selectFrom('doomedFiles').select('path'));
  if (doomed.length === 0) return;
  for (const { path } of doomed) {
    rmSync(`${layout.replays(database.dataFolder)}/${path}`, { force: true });
  }
  database.write(() => {
    for (const { path } of doomed) {
      database.run(database.builder.deleteFrom('doomedFiles').where('path', '=', path));
    }
  });
}

/** RUN_NOT_FOUND. */
export function listTools(database: Database, runId: RunId): RunToSave['tools'] {
  return database.read(() => {
    const runKey = runKeyOf(database, runId);
    return database
      .all(
        database.builder
          .selectFrom('tools')
          .select('toolJson')
          .where('runKey', '=', runKey)
          .orderBy('ordinal'),
      )
      .map((row): RunToSave['tools'][number] => JSON.parse(row.toolJson));
  });
}

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

export function stats(database: Database): { runCount: number; sourceBytes: number } {
  const sources = database.first(
    database.builder
      .selectFrom('sources')
      .select((column) => column.fn.sum<bigint | null>('sizeBytes').as('bytes')),
  );
  return { runCount: countRuns(database), sourceBytes: Number(sources?.bytes ?? 0) };
}

function countRuns(database: Database): number {
  const row = database.first(
    database.builder.selectFrom('runs').select((column) => column.fn.countAll<bigint>().as('n')),
  );
  return Number(row?.n ?? 0);
}

function listRunSources(
  database: Database,
  runKey: bigint,
  format: string,
): StoredRunDetail['sources'] {
  return database
    .all(
      database.builder
        .selectFrom('runSources')
        .innerJoin('sources', 'sources.sha256', 'runSources.sha256')
        .leftJoin('sourceReadings', (join) =>
          join
            .onRef('sourceReadings.sha256', '=', 'runSources.sha256')
            .on('sourceReadings.format', '=', format),
        )
        .selectAll('sources')
        .select([
          'runSources.role',
          'runSources.part',
          'sourceReadings.recordsTotal',
          'sourceReadings.recordsUnderstood',
          'sourceReadings.recordsNotUnderstood',
          'sourceReadings.recordsMalformed',
        ])
        .where('runSources.runKey', '=', runKey)
        .orderBy('runSources.ordinal'),
    )
    .map((row) => ({
      ...readSourceRow(row),
      // Written by saveImport from one of the two.
      role: row.role as 'main' | 'companion',
      part: row.part === null ? null : decodeText(row.part),
      records: {
        total: Number(row.recordsTotal ?? 0),
        understood: Number(row.recordsUnderstood ?? 0),
        notUnderstood: Number(row.recordsNotUnderstood ?? 0),
        malformed: Number(row.recordsMalformed ?? 0),
      },
    }));
}

function listIssues(
  database: Database,
  runKey: bigint,
  format: string,
): Pick<StoredRunDetail, 'issues' | 'issuesOmitted'> {
  const query = database.builder
    .selectFrom('runSources')
    .innerJoin('importIssues', 'importIssues.sha256', 'runSources.sha256')
    .where('runSources.runKey', '=', runKey)
    .where('importIssues.format', '=', format);
  const total = database.first(query.select((column) => column.fn.countAll<bigint>().as('n')));
  const issues = database
    .all(
      query
        .selectAll('importIssues')
        .orderBy('runSources.ordinal')
        .orderBy('importIssues.ordinal')
        .limit(ISSUES_SHOWN),
    )
    .map((row) => ({
      code: row.code,
      message: decodeText(row.message),
      // Written by saveImport from a SourceHash.
      sha256: row.sha256 as SourceHash,
      offset: row.offset === null ? null : Number(row.offset),
    }));
  return { issues, issuesOmitted: Number(total?.n ?? 0) - issues.length };
}
