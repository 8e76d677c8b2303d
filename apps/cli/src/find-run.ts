import { MisstepError, type RunId, RunIdSchema, type Step } from '@misstep/model';
import type { Services } from '@misstep/server';

const LIST_AT_ONCE = 10_000;

/** A run by its full id or a beginning that only one run has. */
export async function findRun(services: Services, given: string): Promise<RunId> {
  const whole = RunIdSchema.safeParse(given);
  if (whole.success) return (await services.store.getRun(whole.data)).run.id;
  const found: RunId[] = [];
  for (let offset = 0; ; offset += LIST_AT_ONCE) {
    const { total, runs } = await services.store.listRuns({ offset, limit: LIST_AT_ONCE });
    found.push(...runs.map(({ run }) => run.id).filter((id) => id.startsWith(given)));
    if (offset + LIST_AT_ONCE >= total) break;
  }
  const [only] = found;
  if (only !== undefined && found.length === 1 && given !== '') return only;
  throw new MisstepError(
    'RUN_NOT_FOUND',
    only === undefined
      ? `There is no run ${given}.`
      : `${found.length} runs begin with "${given}".`,
  );
}

/** A step by its number or its id. */
export function findStep(steps: readonly Step[], given: string): Step {
  const step = /^\d+$/.test(given)
    ? steps.find(({ seq }) => seq === Number(given))
    : steps.find(({ id }) => id === given);
  if (step !== undefined) return step;
  throw new MisstepError('STEP_NOT_FOUND', `The run has no step ${given}.`);
}
