import type { Result } from '@misstep/model';
import {
  type ExperimentEnd,
  type PlannedCall,
  runExperiment,
  type SendOnce,
} from './experiment.ts';
import type { RaceConnections, RacedOutcome, RaceExperiment, RaceMatrix } from './race.ts';

/** Sends all of them at once and waits for all, in their order; the error is one sentence. */
export type SendAtOnce = (
  calls: readonly PlannedCall[],
  connections: RaceConnections,
  signal: AbortSignal,
) => Promise<Result<readonly RacedOutcome[], string>>;

/** The calls alone, one after the other, then those at once. Stops between the two if asked. */
export async function runRace(
  experiment: RaceExperiment,
  senders: { readonly sendOnce: SendOnce; readonly sendAtOnce: SendAtOnce },
  options: Parameters<typeof runExperiment>[2],
): Promise<ExperimentEnd<RaceMatrix>> {
  const alone = await runExperiment(experiment, senders.sendOnce, options);
  if (alone.ending !== 'complete') return alone;
  if (options.signal.aborted) return { ...alone, ending: 'stopped' };
  const calls = experiment.raceCalls();
  const [first] = calls;
  if (first !== undefined) options.onProgress?.(alone.sentCount, first);
  const raced = await senders.sendAtOnce(calls, experiment.connections, options.signal);
  if (!raced.ok) {
    if (options.signal.aborted) return { ...alone, ending: 'stopped' };
    return { ...alone, ending: 'failed', reason: raced.error };
  }
  experiment.recordRace(raced.value);
  return {
    ending: options.signal.aborted ? 'stopped' : 'complete',
    reason: null,
    sentCount: alone.sentCount + calls.length,
    matrix: experiment.matrix(),
  };
}
