import { type RunDetail, routes } from '@misstep/contract';
import type { Mark, MarkDraft } from '@misstep/model';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { runKeys } from '../../api/runs.ts';
import { firstIndexAtMark, spotOf } from './mark-place.ts';

function marksKey(runId: string) {
  return [...runKeys.run(runId), 'marks'] as const;
}

/** Every mark the run ever had, newest first. */
export function useMarks(runId: string) {
  return useQuery({
    queryKey: marksKey(runId),
    queryFn: ({ signal }) => api(routes.listMarks, { params: { runId }, signal }),
  });
}

/**
 * Sets the mark (null takes it back). The page shows it before the server has answered, and puts
 * the earlier one back if the server refuses; the error then stands in the form.
 */
export function useSetMark(
  runId: string,
  author: string,
  indexOf: (stepId: string) => number | undefined,
) {
  const client = useQueryClient();
  const key = runKeys.detail(runId);
  return useMutation({
    mutationFn: async (draft: MarkDraft | null) => {
      if (draft !== null) return api(routes.putMark, { params: { runId }, body: draft });
      await api(routes.deleteMark, { params: { runId } });
      return null;
    },
    onMutate: async (draft) => {
      await client.cancelQueries({ queryKey: key });
      const before = client.getQueryData<RunDetail>(key);
      show(
        client,
        runId,
        before,
        draft === null ? null : provisional(draft, before, author),
        indexOf,
      );
      return { before };
    },
    onError: (_error, _draft, context) => {
      if (context?.before !== undefined) client.setQueryData(key, context.before);
    },
    onSuccess: (mark) => show(client, runId, client.getQueryData<RunDetail>(key), mark, indexOf),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: marksKey(runId) }),
        client.invalidateQueries({ queryKey: runKeys.list }),
      ]),
  });
}

function show(
  client: QueryClient,
  runId: string,
  run: RunDetail | undefined,
  mark: Mark | null,
  indexOf: (stepId: string) => number | undefined,
): void {
  if (run === undefined) return;
  const at = mark === null ? null : spotOf(mark, indexOf);
  const first = at === null ? null : firstIndexAtMark(at);
  const markSeq = at === null || first === null ? null : at.kind === 'gap' ? first : first + 1;
  client.setQueryData(runKeys.detail(runId), { ...run, mark, markSeq });
}

/** What stands in the page until the server's own mark arrives. */
function provisional(draft: MarkDraft, run: RunDetail | undefined, author: string): Mark | null {
  if (run === undefined) return null;
  return {
    ...draft,
    // An id of the right form that no server gives: replaced by the answer, never sent.
    id: '00000000000000000000000000' as Mark['id'],
    runId: run.id,
    author,
    createdAt: new Date().toISOString(),
    supersededAt: null,
  };
}
