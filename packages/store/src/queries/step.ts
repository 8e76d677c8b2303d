import type { RunId, SourceHash, StepId } from '@misstep/model';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import { STEP_COLUMNS, type StepRow } from '../step-row.ts';
import { runKeyOf } from './run-key.ts';

/** A stretch of a run's steps; `reading` tells whether two stretches are of the same steps. */
export interface StepRows {
  readonly reading: bigint;
  /** The run's, by which the rows name theirs. */
  readonly sources: readonly SourceHash[];
  readonly rows: readonly StepRow[];
}

/** Steps after `seq`, `limit` at most, in execution order. RUN_NOT_FOUND. */
export function listStepRows(
  database: Database,
  runId: RunId,
  afterSeq: number,
  limit: number,
): StepRows {
  return database.read(() => {
    const run = database.first(
      database.builder.selectFrom('runs').select(['key', 'reading']).where('id', '=', runId),
    );
    if (run === undefined) {
      throw new Failure('RUN_NOT_FOUND', `There is no run ${runId}.`, { runId });
    }
    return {
      reading: run.reading,
      sources: listRunHashes(database, run.key),
      rows: selectStepRows(database, run.key, afterSeq, limit),
    };
  });
}

/** RUN_NOT_FOUND, STEP_NOT_FOUND. */
export function getStepRow(
  database: Database,
  runId: RunId,
  stepId: StepId,
): { sources: readonly SourceHash[]; row: StepRow } {
  return database.read(() => {
    const runKey = runKeyOf(database, runId);
    const sql = `SELECT ${STEP_COLUMNS.join(', ')} FROM steps WHERE runKey = ? AND id = ?`;
    // A raw row has the columns of STEP_COLUMNS in their order.
    const row = database.prepare(sql).raw(true).get(runKey, stepId) as StepRow | undefined;
    if (row === undefined) {
      throw new Failure('STEP_NOT_FOUND', `Run ${runId} has no step ${stepId}.`, { runId, stepId });
    }
    return { sources: listRunHashes(database, runKey), row };
  });
}

/** STEP_NOT_FOUND for the first that the run doesn't have. */
export function requireSteps(database: Database, runKey: bigint, stepIds: readonly StepId[]): void {
  for (const stepId of new Set(stepIds)) {
    const found = database.first(
      database.builder
        .selectFrom('steps')
        .select('seq')
        .where('runKey', '=', runKey)
        .where('id', '=', stepId),
    );
    if (found === undefined) {
      throw new Failure('STEP_NOT_FOUND', `The run has no step ${stepId}.`, { stepId });
    }
  }
}

/** Raw: a run's every step goes through here when it is opened. */
function selectStepRows(
  database: Database,
  runKey: bigint,
  afterSeq: number,
  limit: number,
): StepRow[] {
  const sql = `SELECT ${STEP_COLUMNS.join(', ')} FROM steps
    WHERE runKey = ? AND seq > ? ORDER BY seq LIMIT ?`;
  // A raw row has the columns of STEP_COLUMNS in their order.
  return database.prepare(sql).raw(true).all(runKey, afterSeq, limit) as StepRow[];
}

function listRunHashes(database: Database, runKey: bigint): SourceHash[] {
  return (
    database
      .all(
        database.builder
          .selectFrom('runSources')
          .select('sha256')
          .where('runKey', '=', runKey)
          .orderBy('ordinal'),
      )
      // Written by saveImport from a SourceHash.
      .map((row) => row.sha256 as SourceHash)
  );
}
