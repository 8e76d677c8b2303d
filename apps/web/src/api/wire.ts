import { routes } from '@misstep/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { runKeys } from './runs.ts';

/** The wire recording joined to a run, or with `wireRunId` what joining that would give. */
export function useWire(runId: string, wireRunId: string | null = null) {
  return useQuery({
    queryKey: [...runKeys.run(runId), 'wire', wireRunId],
    queryFn: ({ signal }) =>
      api(routes.getWire, {
        params: { runId },
        query: wireRunId === null ? {} : { wireRunId },
        signal,
      }),
  });
}

/** Joins a wire recording, or with null takes it away; what was compared reads anew. */
export function useJoinWire(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (wireRunId: string | null) => {
      if (wireRunId === null) await api(routes.deleteWire, { params: { runId } });
      else await api(routes.putWire, { params: { runId }, body: { wireRunId } });
    },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [...runKeys.run(runId), 'wire'] }),
        client.invalidateQueries({ queryKey: ['comparison'] }),
        client.invalidateQueries({ queryKey: ['text-difference'] }),
      ]),
  });
}

/** The recorded frames of a step; null = of none, and nothing is asked for. */
export function useStepFrames(runId: string, stepId: string | null) {
  return useQuery({
    queryKey: [...runKeys.run(runId), 'frames', stepId],
    enabled: stepId !== null,
    queryFn: ({ signal }) =>
      api(routes.listFrames, {
        params: { runId },
        query: stepId === null ? {} : { stepId },
        signal,
      }),
    staleTime: 60_000,
  });
}

/** The call on the joined wire recording that is this one, as its arguments or the order say; null = none. */
export function useJoinedCall(runId: string, stepId: string) {
  const join = useWire(runId).data;
  const call = join?.calls.find((each) => each.stepId === stepId);
  if (join?.wireRun == null || call?.wire == null) return null;
  const { id, title } = join.wireRun;
  return { runId: id, title, stepId: call.wire.stepId, seq: call.wire.seq, by: call.by };
}
