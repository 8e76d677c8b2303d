import type { Result } from '@misstep/model';
import {
  type ExperimentEnd,
  type PlannedCall,
  type RunOptions,
  runExperiment,
  type SendOnce,
} from './experiment.ts';
import type { RaceConnections, RacedOutcome, RaceExperiment } from './race.ts';

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
  options: RunOptions,
): Promise<ExperimentEnd> {
  const alone = await runExperiment(experiment, senders.sendOnce, options);
  if (alone.ending !== 'complete') return alone;
  const calls = experiment.raceCalls();
  await options.pause?.(options.signal);
  if (options.signal.aborted) return { ...alone, ending: 'stopped' };
  for (const [at, call] of calls.entries()) options.onProgress?.(alone.sentCount + at, call);
  const raced = await senders.sendAtOnce(calls, experiment.connections, options.signal);
  if (!raced.ok) {
    if (options.signal.aborted) return { ...alone, ending: 'stopped' };
    return { ...alone, ending: 'failed', reason: raced.error };
  }
  experiment.recordRace(raced.value);
  for (const [index, call] of calls.entries()) {
    const outcome = raced.value[index];
    if (outcome !== undefined) await options.onSent?.(call, outcome);
  }
  return {
    ending: options.signal.aborted ? 'stopped' : 'complete',
    reason: null,
    sentCount: alone.sentCount + calls.length,
  };
}
