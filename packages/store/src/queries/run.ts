import { rmSync } from 'node:fs';
import type { ExternalMark, Outcome, RunId } from '@misstep/model';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import { layout } from '../layout.ts';
import type { Page, StoredRun, StoredRunDetail } from '../store.ts';
import { encodeText } from '../stored-text.ts';
import { listIssues } from './import-issue.ts';
import { findRunningReplay } from './replay.ts';
import { runKeyOf } from './run-key.ts';
import { readRun, selectRuns } from './run-row.ts';
import { listRunSources } from './run-source.ts';
import { findRunningExperiment } from './running-experiment.ts';
import { sweepSources } from './source.ts';

export function listRuns(database: Database, page: Page): { total: number; runs: StoredRun[] } {
  return database.read(() => ({
    total: countRuns(database),
    runs: database
      .all(
        selectRuns(database)
          // As the screen does: by a clock that names a day; what has none comes last.
          .orderBy(
            (column) =>
              column
                .case()
                .when('runs.clock', 'in', ['zoned', 'local'])
                .then(column.ref('runs.startedAtNs'))
                .end(),
            'desc',
          )
          .orderBy('runs.importedAt', 'desc')
          .orderBy('runs.id')
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
      // Written by saveImport from the same type.
      externalMarks: JSON.parse(row.externalMarksJson) as ExternalMark[],
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

/** SQLite takes some ten thousand values in one statement, and a family may have more names. */
const NAMES_AT_ONCE = 500;

export function findRunsByLinks(
  database: Database,
  format: string,
  links: readonly string[],
): StoredRunDetail[] {
  const { builder } = database;
  const found = new Map<bigint, string>();
  for (let from = 0; from < links.length; from += NAMES_AT_ONCE) {
    const names = links.slice(from, from + NAMES_AT_ONCE).map(encodeText);
    const natural = builder
      .selectFrom('runs')
      .select(['key', 'id'])
      .where('format', '=', format)
      .where('naturalId', 'in', names);
    const linked = builder
      .selectFrom('sourceLinks')
      .innerJoin('runSources', 'runSources.sha256', 'sourceLinks.sha256')
      .innerJoin('runs', 'runs.key', 'runSources.runKey')
      .select(['runs.key', 'runs.id'])
      .where('sourceLinks.format', '=', format)
      .where('sourceLinks.link', 'in', names)
      .where('runs.format', '=', format);
    for (const { key, id } of database.all(natural)) found.set(key, id);
    for (const { key, id } of database.all(linked)) found.set(key, id);
  }
  // A run that is given a source anew keeps its key: the order is that of the first imports.
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, id]) => getRun(database, id as RunId));
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

/**
 * Two transactions: what a kill between them leaves is removed at the next start. RUN_NOT_FOUND;
 * RUN_BUSY while one of its replays or experiments runs, whose record would go from under it.
 */
export function deleteRun(database: Database, runId: RunId): { sourcesDeleted: number } {
  database.write(() => {
    const runKey = runKeyOf(database, runId);
    const running = findRunningReplay(database, (replay) => replay.runKey === runKey);
    if (running !== null) {
      throw new Failure('RUN_BUSY', `Replay ${running.id} of this run is running.`, {
        runId,
        replayId: running.id,
      });
    }
    const experiment = findRunningExperiment(database, (each) => each.runKey === runKey);
    if (experiment !== null) {
      throw new Failure('RUN_BUSY', `Experiment ${experiment.id} of this run is running.`, {
        runId,
        experimentId: experiment.id,
      });
    }
    const replays = database.all(
      database.builder.selectFrom('replays').select('id').where('runKey', '=', runKey),
    );
    const experiments = database.all(
      database.builder.selectFrom('experiments').select('id').where('runKey', '=', runKey),
    );
    for (const { id } of [...replays, ...experiments]) {
      const path = `${id}.frames`;
      database.run(database.builder.insertInto('doomedFiles').values({ path }));
    }
    database.run(database.builder.deleteFrom('runs').where('key', '=', runKey));
  });
  removeDoomedFiles(database);
  return { sourcesDeleted: sweepSources(database) };
}

/** Frame logs whose replay or experiment was deleted. */
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
