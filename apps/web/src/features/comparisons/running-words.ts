import { formatCount } from '../../ui/format-count.ts';

/**
 * The headline of an experiment that still runs: how far it is, and nothing that the calls to come could
 * undo. Null once it has ended, when its verdict stands.
 */
export function runningHead(experiment: {
  readonly state: string;
  readonly sentCount: number;
  readonly callCount: number;
}): string | null {
  if (experiment.state !== 'running') return null;
  return `${formatCount(experiment.sentCount)} of ${formatCount(experiment.callCount)} sent`;
}

/** What is known of an experiment in a line of a list. */
export function knownSoFar(
  experiment: Parameters<typeof runningHead>[0] & { readonly sentence: string },
): string {
  return runningHead(experiment) === null ? experiment.sentence : `so far: ${experiment.sentence}`;
}

/** How often one combination was sent, and whether its answers were alike once all have come. */
export function sendsWords(sent: number, planned: number, isStable: boolean | null): string {
  if (sent < planned) return `${formatCount(sent)} of ${formatCount(planned)} sent`;
  if (sent < 2) return `${formatCount(sent)}/${formatCount(planned)}`;
  return `${formatCount(sent)}/${formatCount(planned)} ${isStable === false ? 'differ' : 'identical'}`;
}
