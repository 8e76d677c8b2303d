import { MisstepError, type RunId, RunIdSchema, type Step } from '@misstep/model';
import { findByBeginning, type Services } from '@misstep/server';

const LIST_AT_ONCE = 10_000;

/** A run by its full id or a beginning that only one run has. */
export async function findRun(services: Services, given: string): Promise<RunId> {
  const whole = RunIdSchema.safeParse(given);
  if (whole.success) return (await services.store.getRun(whole.data)).run.id;
  const ids: RunId[] = [];
  for (let offset = 0; ; offset += LIST_AT_ONCE) {
    const { total, runs } = await services.store.listRuns({ offset, limit: LIST_AT_ONCE });
    ids.push(...runs.map(({ run }) => run.id));
    if (offset + LIST_AT_ONCE >= total) break;
  }
  return findByBeginning(given, ids, { noun: 'run', code: 'RUN_NOT_FOUND' });
}

/** A step by its number or its id. */
export function findStep(steps: readonly Step[], given: string): Step {
  const step = /^\d+$/.test(given)
    ? steps.find(({ seq }) => seq === Number(given))
    : steps.find(({ id }) => id === given);
  if (step !== undefined) return step;
  throw new MisstepError('STEP_NOT_FOUND', `The run has no step ${given}.`);
}
