import { routes, type TAKE_AWAY_FORMS } from '@misstep/contract';
import type { Replay, Verdict } from '@misstep/model';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';

export type TakeAwayForm = (typeof TAKE_AWAY_FORMS)[number];

const comparisonKey = (replayId: string) => ['comparison', replayId] as const;

/** What was and was not the same, once the replay has a receipt. A receipt never changes. */
export function useReceiptAccount(replay: Replay | null) {
  const replayId = replay?.id ?? '';
  return useQuery({
    queryKey: ['receipt', replayId],
    enabled: replay !== null && replay.receipt !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api(routes.getReceipt, { params: { replayId }, signal }),
  });
}

/** The comparison under the rules that are kept for the tool. */
export function useRuledComparison(replay: Replay) {
  return useQuery({
    queryKey: comparisonKey(replay.id),
    enabled: replay.comparison !== null,
    queryFn: ({ signal }) => api(routes.getComparison, { params: { replayId: replay.id }, signal }),
  });
}

/** A page of all rows, also those that the comparison's cap left out; null = of every verdict. */
export function useComparisonRows(
  replayId: string,
  page: { offset: number; limit: number; verdict: Verdict | null },
) {
  const { verdict, ...window } = page;
  const query = verdict === null ? window : { ...window, verdict };
  return useQuery({
    queryKey: [...comparisonKey(replayId), 'rows', page],
    queryFn: ({ signal }) =>
      api(routes.listComparisonRows, { params: { replayId }, query, signal }),
  });
}

/** Keeps rules for the step's tool; every comparison of that tool reads anew. */
export function useKeepRules(replay: Replay) {
  const client = useQueryClient();
  const { runId, stepId } = replay;
  return useMutation({
    mutationFn: (rules: readonly string[]) =>
      api(routes.putIgnoreRules, { params: { runId, stepId }, body: { rules: [...rules] } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['comparison'] }),
  });
}

export function useTextDifference(replayId: string) {
  return useQuery({
    queryKey: ['text-difference', replayId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api(routes.getTextDifference, { params: { replayId }, signal }),
  });
}

/** Asked for by a person, each time anew: the frames on disk may have been touched since. */
export function useVerifyReceipt(replayId: string) {
  return useMutation({ mutationFn: () => api(routes.verifyReceipt, { params: { replayId } }) });
}

export function useTakeAway(replayId: string) {
  return useMutation({
    mutationFn: (form: TakeAwayForm) =>
      api(routes.takeAwayReplay, { params: { replayId }, query: { form } }),
  });
}
