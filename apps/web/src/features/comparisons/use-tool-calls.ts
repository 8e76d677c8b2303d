import { type Skeleton, STEP_KINDS } from '@misstep/model';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { skeletonQuery } from '../run/use-run-model.ts';

/** A tool call of a run, as one is chosen from a list. */
export interface ToolCall {
  readonly id: string;
  readonly seq: number;
  readonly summary: string;
}

/** The run's calls of a tool in their order; undefined while the run is read. */
export function useToolCalls(runId: string, tool: string | null): readonly ToolCall[] | undefined {
  const skeleton = useQuery(skeletonQuery(runId)).data;
  return useMemo(
    () => (skeleton === undefined ? undefined : toolCallsOf(skeleton, tool)),
    [skeleton, tool],
  );
}

export function toolCallsOf(skeleton: Skeleton, tool: string | null): ToolCall[] {
  const kind = STEP_KINDS.indexOf('tool');
  return skeleton.ids.flatMap((id, at) =>
    skeleton.kinds[at] === kind && skeleton.tools[at] === tool
      ? [{ id, seq: at + 1, summary: skeleton.summaries[at] ?? '' }]
      : [],
  );
}
