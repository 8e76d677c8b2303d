import { bestEvidence } from './evidence.ts';
import { ModelUsageSum } from './model-usage.ts';
import type { Run } from './run.ts';
import { FAILED_STATUSES, type Step } from './step.ts';
import { wholeInputOf } from './usage-parts.ts';

/** Counts, times and tokens of a run from its steps. */
export function totalsOf(
  steps: readonly Step[],
): Pick<
  Run,
  | 'startedAtNs'
  | 'endedAtNs'
  | 'stepCount'
  | 'toolCallCount'
  | 'modelCallCount'
  | 'errorCount'
  | 'inputTokens'
  | 'outputTokens'
  | 'modelUsage'
  | 'bestEvidence'
  | 'calledTools'
> {
  let startedAtNs: bigint | null = null;
  let endedAtNs: bigint | null = null;
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;
  let toolCallCount = 0;
  let modelCallCount = 0;
  let errorCount = 0;
  let timeCount = 0;
  const grades = new Set<Step['evidence']>();
  const calledTools = new Set<string>();
  const modelUsage = new ModelUsageSum();
  // Once over all of them: those of a long run may have to be fetched to be looked at.
  for (const step of steps) {
    const { time, usage, kind, tool, status, evidence } = step;
    modelUsage.add(step);
    grades.add(evidence);
    if (kind === 'tool') toolCallCount += 1;
    if (kind === 'model') modelCallCount += 1;
    if (FAILED_STATUSES.has(status)) errorCount += 1;
    if (kind === 'tool' && tool !== null) calledTools.add(tool);
    for (const atNs of [time.startedAtNs, time.endedAtNs]) {
      if (atNs === null) continue;
      timeCount += 1;
      if (startedAtNs === null || atNs < startedAtNs) startedAtNs = atNs;
      if (endedAtNs === null || atNs > endedAtNs) endedAtNs = atNs;
    }
    if (usage === null) continue;
    // Where a format counts cached tokens apart, the model still read them.
    const wholeInput = wholeInputOf(usage);
    if (wholeInput !== null) inputTokens = (inputTokens ?? 0) + wholeInput;
    if (usage.outputTokens !== null) outputTokens = (outputTokens ?? 0) + usage.outputTokens;
  }
  return {
    startedAtNs,
    // One time alone says when, and not how long.
    endedAtNs: timeCount < 2 ? null : endedAtNs,
    stepCount: steps.length,
    toolCallCount,
    modelCallCount,
    errorCount,
    inputTokens,
    outputTokens,
    modelUsage: modelUsage.groups(),
    bestEvidence: bestEvidence([...grades]),
    calledTools: [...calledTools],
  };
}

/** Nanoseconds in which at least one step with both times recorded was open; null = none has both. */
export function activeTimeOf(steps: readonly Step[]): number | null {
  const spans: { startNs: bigint; endNs: bigint }[] = [];
  for (const { time } of steps) {
    if (time.startedAtNs === null || time.endedAtNs === null) continue;
    if (time.endedAtNs >= time.startedAtNs) {
      spans.push({ startNs: time.startedAtNs, endNs: time.endedAtNs });
    }
  }
  if (spans.length === 0) return null;
  spans.sort((a, b) => (a.startNs < b.startNs ? -1 : a.startNs > b.startNs ? 1 : 0));
  let activeNs = 0n;
  let coveredUntilNs: bigint | null = null;
  for (const { startNs, endNs } of spans) {
    const fromNs: bigint =
      coveredUntilNs !== null && coveredUntilNs > startNs ? coveredUntilNs : startNs;
    if (endNs > fromNs) activeNs += endNs - fromNs;
    if (coveredUntilNs === null || endNs > coveredUntilNs) coveredUntilNs = endNs;
  }
  return Number(activeNs);
}
