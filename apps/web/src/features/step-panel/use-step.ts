import { routes } from '@misstep/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { runKeys } from '../../api/runs.ts';

/** How much of each value is asked for at first; more on request. */
export const FIRST_BYTES = 262_144;
const MOST_BYTES = 67_108_864;

export function stepQuery(runId: string, stepId: string, everything = false) {
  return queryOptions({
    queryKey: [...runKeys.run(runId), 'step', stepId, everything],
    queryFn: ({ signal }) =>
      api(routes.getStep, {
        params: { runId, stepId },
        query: { maxBytes: everything ? MOST_BYTES : FIRST_BYTES },
        signal,
      }),
    staleTime: 60_000,
  });
}

/** One step with the exact text of its values. */
export function useStep(runId: string, stepId: string, everything = false) {
  return useQuery(stepQuery(runId, stepId, everything));
}
