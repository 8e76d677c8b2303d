import { type RunDetail, routes } from '@misstep/contract';
import type { Skeleton } from '@misstep/model';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { runKeys, useRun } from '../../api/runs.ts';
import {
  gapsToCompress,
  type IdleGap,
  listIdleGaps,
  recordedSpan,
} from '../call-tree/idle-gaps.ts';
import { shapeTree, type TreeShape } from '../call-tree/tree-shape.ts';

/** What every part of the run view reads: the columns, their tree, and where the run was idle. */
export interface RunModel {
  readonly runId: string;
  readonly skeleton: Skeleton;
  readonly shape: TreeShape;
  /** Where recorded times begin and end; null = a run without times. */
  readonly span: IdleGap | null;
  /** Idle stretches that are long enough to be compressed. */
  readonly gaps: readonly IdleGap[];
  readonly indexOf: (stepId: string) => number | undefined;
}

export function skeletonQuery(runId: string) {
  return queryOptions({
    queryKey: [...runKeys.run(runId), 'skeleton'],
    queryFn: ({ signal }) => api(routes.getSkeleton, { params: { runId }, signal }),
    // Steps of a run change only when its source is read anew.
    staleTime: 60_000,
  });
}

export interface RunModelState {
  readonly run: RunDetail | undefined;
  readonly model: RunModel | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useRunModel(runId: string): RunModelState {
  const run = useRun(runId);
  const skeleton = useQuery(skeletonQuery(runId));
  const columns = skeleton.data;
  const model = useMemo(
    () => (columns === undefined ? undefined : buildRunModel(runId, columns)),
    [runId, columns],
  );
  return {
    run: run.data,
    model,
    error: run.error ?? skeleton.error,
    retry: () => {
      void run.refetch();
      void skeleton.refetch();
    },
  };
}

export function buildRunModel(runId: string, skeleton: Skeleton): RunModel {
  const shape = shapeTree(skeleton);
  const span = recordedSpan(skeleton);
  const indexes = new Map(skeleton.ids.map((id, index) => [id, index]));
  return {
    runId,
    skeleton,
    shape,
    span,
    gaps: gapsToCompress(listIdleGaps(skeleton, shape), span),
    indexOf: (stepId) => indexes.get(stepId),
  };
}
