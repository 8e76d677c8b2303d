import { routes } from '@misstep/contract';
import type { ExperimentPlan, ExperimentRequest } from '@misstep/model';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { api } from './client.ts';

const POLL_MS = 300;

/** What the page asks for; the server fills in what is left to it. */
export type RequestInput = z.input<typeof routes.planExperiment.body>['request'];

const experimentKey = (id: string) => ['experiment', id] as const;

/** Experiments, newest first. */
export function useExperiments() {
  return useQuery({
    queryKey: ['experiments'],
    queryFn: ({ signal }) => api(routes.listExperiments, { query: {}, signal }),
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data?.experiments.some(({ state }) => state === 'running') ? 1000 : false,
  });
}

/** One experiment; asked for again while it runs, never after. Asking sends nothing. */
export function useExperiment(id: string | null) {
  return useQuery({
    queryKey: experimentKey(id ?? ''),
    enabled: id !== null,
    queryFn: ({ signal }) =>
      api(routes.getExperiment, { params: { experimentId: id ?? '' }, signal }),
    refetchInterval: (query) =>
      query.state.data === undefined || query.state.data.state === 'running' ? POLL_MS : false,
  });
}

/** What a request would send. Planning sends nothing. Null = nothing to plan yet. */
export function usePlan(runId: string, request: RequestInput | null) {
  return useQuery({
    queryKey: ['experiment-plan', runId, request],
    enabled: request !== null,
    queryFn: ({ signal }) => {
      if (request === null) throw new Error('There is nothing to plan.');
      return api(routes.planExperiment, { params: { runId }, body: { request }, signal });
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export interface StartInput {
  readonly plan: ExperimentPlan;
  readonly confirmTool: string | null;
  /** One for each plan that is shown: a repeated request never begins a second experiment. */
  readonly idempotencyKey: string;
}

/** Begins what the plan says. Called by its Send button and by nothing else. */
export function useStartExperiment(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ plan, confirmTool, idempotencyKey }: StartInput) =>
      api(routes.startExperiment, {
        params: { runId },
        body: {
          request: plan.request satisfies ExperimentRequest,
          seed: plan.seed,
          planSha256: plan.sha256,
          confirmTool,
          idempotencyKey,
        },
      }),
    onSuccess: (experiment) => client.setQueryData(experimentKey(experiment.id), experiment),
    onSettled: () => client.invalidateQueries({ queryKey: ['experiments'] }),
  });
}

export function useStopExperiment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (experimentId: string) => api(routes.stopExperiment, { params: { experimentId } }),
    onSuccess: (experiment) => client.setQueryData(experimentKey(experiment.id), experiment),
  });
}

/** What the loop of change and answer has cost so far. */
export function useLoop() {
  return useQuery({
    queryKey: ['loop'],
    queryFn: ({ signal }) => api(routes.getLoop, { signal }),
    staleTime: 0,
  });
}
