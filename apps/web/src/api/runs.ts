import { type RunDetail, type RunSummary, routes } from '@misstep/contract';
import type { Outcome } from '@misstep/model';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';

/** Query keys of runs. Everything of one run begins with `runKeys.run(id)`. */
export const runKeys = {
  list: ['runs'] as const,
  run: (runId: string) => ['run', runId] as const,
  detail: (runId: string) => ['run', runId, 'detail'] as const,
};

export function runQuery(runId: string) {
  return queryOptions({
    queryKey: runKeys.detail(runId),
    queryFn: ({ signal }) => api(routes.getRun, { params: { runId }, signal }),
  });
}

/** The run list: all runs, newest first. The page filters and sorts. */
export function useRuns() {
  return useQuery({
    queryKey: runKeys.list,
    queryFn: ({ signal }) => api(routes.listRuns, { query: {}, signal }),
    // The command line imports too: the list is asked for whenever it comes into view.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** One run with its sources and counts. */
export function useRun(runId: string) {
  return useQuery(runQuery(runId));
}

/** What the run's recording can answer; it changes only when the run is read anew. */
export function useAudit(runId: string) {
  return useQuery({
    queryKey: [...runKeys.run(runId), 'audit'],
    queryFn: ({ signal }) => api(routes.getAudit, { params: { runId }, signal }),
  });
}

export interface RunChanges {
  title?: string;
  tags?: string[];
  outcome?: Outcome | null;
}

/** Renames, tags, gives an outcome. List and detail show the answer at once. */
export function useUpdateRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, changes }: { runId: string; changes: RunChanges }) =>
      api(routes.updateRun, { params: { runId }, body: changes }),
    onSuccess: (run) => putRun(client, run),
  });
}

/** Deletes a run with its marks and replays. */
export function useDeleteRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) => api(routes.deleteRun, { params: { runId } }),
    onSuccess: async (_answer, runId) => {
      client.removeQueries({ queryKey: runKeys.run(runId) });
      await Promise.all([
        client.invalidateQueries({ queryKey: runKeys.list }),
        client.invalidateQueries({ queryKey: ['status'] }),
        client.invalidateQueries({ queryKey: ['replays'] }),
      ]);
    },
  });
}

/** Puts a changed run where the list and its own screen read it. */
export function putRun(client: ReturnType<typeof useQueryClient>, run: RunDetail): void {
  client.setQueryData(runKeys.detail(run.id), run);
  client.setQueryData(runKeys.list, (list: { total: number; runs: RunSummary[] } | undefined) =>
    list === undefined
      ? list
      : {
          ...list,
          runs: list.runs.map((each) => (each.id === run.id ? { ...each, ...run } : each)),
        },
  );
}
