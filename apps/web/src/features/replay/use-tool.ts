import { type ArgumentCheck, routes, type StepDetail, type StepTool } from '@misstep/contract';
import type { TargetName } from '@misstep/model';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';

/** Everything that is asked of the server about tools' definitions. */
export const TOOL_KEY = 'step-tool';
const TYPING_PAUSE_MS = 250;
/** What a page of text would be: checking more at every pause would help nobody. */
const LONGEST_CHECKED = 2_000_000;

/** What is known of the step's tool at a target. Asking this starts nothing. */
export function useStepTool(step: StepDetail, targetName: TargetName | null): StepTool | null {
  const query = useQuery({
    queryKey: [TOOL_KEY, step.runId, step.id, targetName],
    enabled: targetName !== null,
    queryFn: ({ signal }) =>
      api(routes.getStepTool, {
        params: { runId: step.runId, stepId: step.id },
        query: { targetName: targetName ?? '' },
        signal,
      }),
  });
  return targetName === null ? null : (query.data ?? null);
}

/** Starts or calls the server and lists its tools. Called by its button and by nothing else. */
export function useAskTools() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: TargetName) => api(routes.askTools, { params: { name }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: [TOOL_KEY] }),
  });
}

export interface CheckedText {
  /** The text that was checked, which may be older than the one that stands there now. */
  readonly text: string;
  readonly check: ArgumentCheck;
}

/**
 * The text held against the tool's schema, a moment after the typing pauses. An answer that comes
 * too late is dropped; until the next one comes the last one stays, with its own text.
 */
export function useArgumentCheck(input: {
  step: StepDetail;
  targetName: TargetName | null;
  /** Null = nothing to check. */
  text: string | null;
  /** Changes when the definition does. */
  definition: string | null;
}): CheckedText | null {
  const { step, targetName, definition } = input;
  const text = usePaused(input.text);
  const enabled = targetName !== null && text !== null && text.length <= LONGEST_CHECKED;
  const query = useQuery({
    queryKey: [TOOL_KEY, 'check', step.runId, step.id, targetName, definition, text],
    enabled,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const { check } = await api(routes.checkArguments, {
        params: { runId: step.runId, stepId: step.id },
        body: { targetName: targetName ?? '', argumentsText: text ?? '' },
        signal,
      });
      return check === null ? null : { text: text ?? '', check };
    },
  });
  return enabled ? (query.data ?? null) : null;
}

/** The value once it has not changed for a moment; the first one at once. */
function usePaused(value: string | null): string | null {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
