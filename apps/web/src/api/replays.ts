import { routes } from '@misstep/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** Replays, newest first: all, of a run, or of a step. */
export function useReplays(of: { runId?: string; stepId?: string } = {}) {
  return useQuery({
    queryKey: ['replays', of.runId ?? null, of.stepId ?? null],
    queryFn: ({ signal }) =>
      api(routes.listReplays, {
        query: {
          // With the calls of comparisons there are many; they are shown as one entry each.
          limit: 1000,
          ...(of.runId === undefined ? {} : { runId: of.runId }),
          ...(of.stepId === undefined ? {} : { stepId: of.stepId }),
        },
        signal,
      }),
  });
}

/** Replays of a tool for whatever call, the newest first: where it was sent last. Empty while they are read. */
export function useReplaysOfTool(tool: string | null) {
  const { data, isPending } = useReplays();
  return { isPending, replays: data?.replays.filter((each) => each.tool === tool) ?? [] };
}
