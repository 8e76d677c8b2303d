import type { RunId } from '@misstep/model';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';

/** The number by which rows point at their run; smaller and faster than its id. RUN_NOT_FOUND. */
export function runKeyOf(database: Database, runId: RunId): bigint {
  const key = findRunKey(database, runId);
  if (key === null) throw new Failure('RUN_NOT_FOUND', `There is no run ${runId}.`, { runId });
  return key;
}

export function findRunKey(database: Database, runId: RunId): bigint | null {
  return (
    database.first(database.builder.selectFrom('runs').select('key').where('id', '=', runId))
      ?.key ?? null
  );
}
