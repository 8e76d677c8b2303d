import type { Database } from '../database.ts';
import { isProcessAlive } from '../process-token.ts';

/** An experiment without an end whose process lives; null if there is none. */
export function findRunningExperiment(
  database: Database,
  isMeant: (experiment: { id: string; runKey: bigint; targetName: string }) => boolean,
): { id: string } | null {
  const unended = database.all(
    database.builder
      .selectFrom('experiments')
      .select(['id', 'runKey', 'targetName', 'process'])
      .where('ending', 'is', null)
      .orderBy('key'),
  );
  return unended.find((each) => isMeant(each) && isProcessAlive(each.process)) ?? null;
}
