import type { RunFrame, RunId, StepId } from '@misstep/model';
import type { Database } from '../database.ts';
import { decodeFrame } from '../frame-row.ts';
import type { Page } from '../store.ts';
import { runKeyOf } from './run-key.ts';

/** In the order of the source. RUN_NOT_FOUND. */
export function listFrames(
  database: Database,
  runId: RunId,
  filter: Page & { stepId?: StepId },
): { total: number; frames: RunFrame[] } {
  return database.read(() => {
    const runKey = runKeyOf(database, runId);
    let query = database.builder.selectFrom('frames').where('runKey', '=', runKey);
    if (filter.stepId !== undefined) query = query.where('stepId', '=', filter.stepId);
    const total = database.first(query.select((column) => column.fn.countAll<bigint>().as('n')));
    const rows = database.all(
      query.select('frameJson').orderBy('ordinal').limit(filter.limit).offset(filter.offset),
    );
    return { total: Number(total?.n ?? 0), frames: rows.map((row) => decodeFrame(row.frameJson)) };
  });
}
