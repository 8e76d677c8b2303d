import { routes } from '@misstep/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { replayKey } from '../use-replay.ts';

export interface Answer {
  readonly kind: 'result' | 'error';
  /** JSON text, sent as it is. */
  readonly text: string;
}

/** Sends one answer to one ask. Called by the panel's buttons and by nothing else. */
export function useAnswerAsk(replayId: string, ordinal: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Answer) => api(routes.answerAsk, { params: { replayId, ordinal }, body }),
    onSuccess: (replay) => client.setQueryData(replayKey(replayId), replay),
    onError: () => client.invalidateQueries({ queryKey: replayKey(replayId) }),
  });
}
