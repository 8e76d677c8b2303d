import { routes } from '@misstep/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from './client.ts';
import { runKeys } from './runs.ts';

const RECEIVER = ['receiver'] as const;
const LOOK_EVERY_MS = 2000;

/** Where running agents send their spans, and what came. Asked again and again once there is a token. */
export function useReceiver() {
  return useQuery({
    queryKey: RECEIVER,
    queryFn: ({ signal }) => api(routes.getReceiver, { signal }),
    // The command line makes tokens, too.
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: (query) => (query.state.data?.tokenMadeAt ? LOOK_EVERY_MS : false),
  });
}

/** Makes the token that exporters send; it comes this once. */
export function useMakeReceiverToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api(routes.makeReceiverToken, { body: {} }),
    onSuccess: ({ receiver }) => client.setQueryData(RECEIVER, receiver),
  });
}

export function useRemoveReceiverToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api(routes.removeReceiverToken, {}),
    onSuccess: (receiver) => client.setQueryData(RECEIVER, receiver),
  });
}

/** Shows runs anew that grew by spans which came: the list, and what is open of them. */
export function useGrowingRuns(): void {
  const client = useQueryClient();
  const { data } = useReceiver();
  const seen = useRef<number | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const before = seen.current;
    seen.current = data.savedCount;
    if (before === null || before === data.savedCount) return;
    void client.invalidateQueries({ queryKey: runKeys.list });
    for (const runId of data.grownRunIds) {
      void client.invalidateQueries({ queryKey: runKeys.run(runId) });
    }
  }, [client, data]);
}
