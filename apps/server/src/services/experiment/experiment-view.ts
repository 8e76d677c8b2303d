import type { ExperimentSummary } from '@misstep/contract';
import type { Experiment } from '@misstep/model';
import { findBoundaries, maskStrings, raceLeftOpen, repeatLeftOpen } from '@misstep/replay';
import type { StoredExperiment } from '@misstep/store';
import type { ExitService } from '../secrets/exit-secrets.ts';

/** An experiment as it is shown, from what is kept of it. */
export function viewExperiment(stored: StoredExperiment): Experiment {
  const { id, runId, stepId, stepSeq, targetName, tool, plan, confirmedTool } = stored;
  return {
    id,
    runId,
    stepId,
    stepSeq,
    targetName,
    tool,
    plan,
    state: stored.ending ?? 'running',
    reason: stored.reason,
    confirmedTool,
    startedAt: stored.startedAt,
    endedAt: stored.endedAt,
    sentCount: stored.sends.length,
    sends: [...stored.sends],
    matrix: withLeftOpen(stored.matrix),
    boundaries:
      stored.ending !== null && stored.matrix.kind === 'attribute'
        ? findBoundaries(stored.matrix)
        : [],
  };
}

/** The same once more masked: what an earlier version kept of it was masked by fewer forms. */
export async function viewMasked(
  stored: StoredExperiment,
  exits: Pick<ExitService, 'ofExperiment'>,
): Promise<Experiment> {
  const experiment = viewExperiment(stored);
  // While it runs it is masked by what its calls are given.
  if (stored.ending === null) return experiment;
  const { inTexts } = await exits.ofExperiment(stored);
  return { ...experiment, matrix: maskStrings(experiment.matrix, inTexts) };
}

/** What was kept before this was said of these kinds does not hold it. */
function withLeftOpen(matrix: Experiment['matrix']): Experiment['matrix'] {
  switch (matrix.kind) {
    case 'repeat':
      return { ...matrix, notShown: repeatLeftOpen(matrix) };
    case 'race':
      return { ...matrix, notShown: raceLeftOpen(matrix) };
    default:
      return matrix;
  }
}

/** A row of the list. */
export function summariseExperiment(stored: StoredExperiment, runTitle: string): ExperimentSummary {
  const { id, runId, stepId, stepSeq, targetName, tool, reason, startedAt, endedAt } = stored;
  return {
    id,
    runId,
    runTitle,
    stepId,
    stepSeq,
    targetName,
    tool,
    kind: stored.plan.kind,
    state: stored.ending ?? 'running',
    reason,
    startedAt,
    endedAt,
    sentCount: stored.sends.length,
    callCount: stored.plan.callCount,
    sentence: stored.matrix.sentence,
  };
}
