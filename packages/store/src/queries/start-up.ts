import type { Database } from '../database.ts';
import { interruptOrphanedExperiments } from './experiment.ts';
import { interruptOrphanedReplays } from './replay.ts';
import { removeDoomedFiles } from './run.ts';
import { sweepSources } from './source.ts';

/** Puts in order what a killed process has left behind; says how much there was. */
export function startUp(database: Database): {
  sourcesSwept: number;
  replaysInterrupted: number;
  experimentsInterrupted: number;
} {
  removeDoomedFiles(database);
  return {
    sourcesSwept: sweepSources(database),
    replaysInterrupted: interruptOrphanedReplays(database),
    experimentsInterrupted: interruptOrphanedExperiments(database),
  };
}

export function closeDatabase(database: Database): void {
  database.close();
}
