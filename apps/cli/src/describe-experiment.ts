import type { Experiment } from '@misstep/model';

/** One line of `--json` for an experiment, however it was asked for. */
export function experimentLine(experiment: Experiment) {
  return { kind: experiment.plan.kind, ending: experiment.state, ...experiment };
}
