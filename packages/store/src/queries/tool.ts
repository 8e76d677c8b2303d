import type { RunId } from '@misstep/model';
import type { Database } from '../database.ts';
import type { RunToSave } from '../store.ts';
import { runKeyOf } from './run-key.ts';

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
