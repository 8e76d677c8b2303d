import { routes } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { runKeys } from '../../api/runs.ts';
import { TOOL_KEY } from './use-tool.ts';

const POLL_MS = 200;

/** Of one replay in the cache of answers. */
export function replayKey(replayId: string) {
  return ['replay', replayId] as const;
}

/** One replay; asked for again while it runs, never after. Asking sends nothing. */
export function useReplay(replayId: string | null) {
  return useQuery({
    queryKey: replayKey(replayId ?? ''),
    enabled: replayId !== null,
    queryFn: ({ signal }) =>
      api(routes.getReplay, { params: { replayId: replayId ?? '' }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: (query) => (query.state.data?.state === 'done' ? false : POLL_MS),
  });
}

export interface SendInput {
  readonly targetName: string;
  /** Null = the recorded bytes. */
  readonly argumentsText: string | null;
  readonly confirmTool: string | null;
  /** The person has read why a conforming client leaves the tool out, and sends it all the same. */
  readonly sendsLeftOut?: boolean;
  readonly timeoutMs?: number;
  /** How long the call was prepared. */
  readonly prepared: { readonly ms: number; readonly from: 'edit' | 'open' };
  /** One for each press of Send: a repeated request never sends twice. */
  readonly idempotencyKey: string;
}

/** Sends once. Called by Send and by nothing else. */
export function useSendOnce(runId: string, stepId: string, onStarted: (replay: Replay) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SendInput) =>
      api(routes.startReplay, { params: { runId, stepId }, body: input }),
    onSuccess: (replay) => {
      client.setQueryData(replayKey(replay.id), replay);
      onStarted(replay);
    },
    onSettled: () => refreshLists(client, runId),
  });
}

export function useCancelReplay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (replayId: string) => api(routes.cancelReplay, { params: { replayId } }),
    onSuccess: (replay) => client.setQueryData(replayKey(replay.id), replay),
  });
}

/** After a replay began or ended, lists and counts are out of date. */
export function refreshLists(client: ReturnType<typeof useQueryClient>, runId: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: ['replays'] }),
    // Its frames hold the server's tools as they are now.
    client.invalidateQueries({ queryKey: [TOOL_KEY] }),
    client.invalidateQueries({ queryKey: [...runKeys.run(runId), 'step'] }),
    client.invalidateQueries({ queryKey: runKeys.detail(runId) }),
  ]);
}
