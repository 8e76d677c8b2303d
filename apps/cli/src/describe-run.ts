import {
  costOfRun,
  costOfStep,
  durationOf,
  hasClockSkew,
  type PriceFinder,
  type RunId,
  type Step,
  timeText,
} from '@misstep/model';
import type { Services } from '@misstep/server';

type StoredRun = Awaited<ReturnType<Services['store']['listRuns']>>['runs'][number];

/** A run as JSON for scripts. */
export function runLine(stored: StoredRun, prices: PriceFinder) {
  const { run, tags, outcome, mark, markSeq, startedAtText, unreadCount, importedAt } = stored;
  const { startedAtNs, endedAtNs, modelUsage, recordedCostUsd, ...fields } = run;
  return {
    type: 'run' as const,
    ...fields,
    cost: costOfRun(modelUsage, recordedCostUsd, prices),
    startedAt: timeText(run.clock, startedAtNs, startedAtText),
    endedAt: timeText(run.clock, endedAtNs, null, startedAtText),
    tags,
    outcome,
    mark,
    markSeq,
    unreadCount,
    importedAt,
  };
}

/** A step as JSON for scripts, with the exact text of its values. */
export async function stepLine(
  values: Services['values'],
  clock: StoredRun['run']['clock'],
  step: Step,
  parent: Step | null,
  prices: PriceFinder,
) {
  const { time } = step;
  return {
    type: 'step' as const,
    id: step.id,
    seq: step.seq,
    parentId: step.parentId,
    kind: step.kind,
    name: step.name,
    server: step.server,
    tool: step.tool,
    callId: step.callId,
    model: step.model,
    startedAt: timeText(clock, time.startedAtNs, time.startedAtText),
    endedAt: timeText(clock, time.endedAtNs, time.endedAtText),
    durationNs: durationOf(step),
    clockSkew: hasClockSkew(step, parent),
    timeEvidence: time.evidence,
    status: step.status,
    statusReason: step.statusReason,
    pairing: step.pairing,
    arguments: await valueLine(values, step.arguments),
    result: await valueLine(values, step.result),
    content: await Promise.all(
      step.content.map(async ({ kind, value }) => ({ kind, ...(await valueLine(values, value)) })),
    ),
    usage: step.usage,
    cost: costOfStep(step, prices),
    evidence: step.evidence,
    origin: step.origin,
    moreOrigins: step.moreOrigins,
    summary: step.summary,
    emptyResult: step.emptyResult,
  };
}

async function valueLine(values: Services['values'], value: Step['arguments']) {
  // A step without such a value reads like one whose source holds none: scripts need one shape.
  if (value === null) return { state: 'notCaptured' as const, text: null };
  const { state, evidence, elisions } = value;
  return { state, text: await values.wholeText(value), evidence, elisions };
}

export function describeDuration(durationNs: number | null): string {
  if (durationNs === null) return '';
  if (durationNs < 1_000_000) return `${Math.round(durationNs / 1000)} µs`;
  if (durationNs < 1_000_000_000) return `${Math.round(durationNs / 1_000_000)} ms`;
  return `${(durationNs / 1_000_000_000).toFixed(2)} s`;
}

/** Depth of each step in the tree. */
export function depthsOf(steps: readonly Step[]): ReadonlyMap<Step['id'], number> {
  const depths = new Map<Step['id'], number>();
  for (const { id, parentId } of steps) {
    depths.set(id, parentId === null ? 0 : (depths.get(parentId) ?? -1) + 1);
  }
  return depths;
}

export async function loadRun(services: Services, runId: RunId) {
  const stored = await services.store.getRun(runId);
  return { stored, steps: await services.store.listSteps(runId) };
}

/** What a run cost, in as few words as keep it honest: "$1.2345", "at least $0.02 (3 of 5 calls)", "" = unknown. */
export function costWords(cost: ReturnType<typeof costOfRun>): string {
  const { usd, evidence, atLeast, costedCallCount, callCount, statedUsd } = cost;
  if (usd === null) return '';
  const calls =
    statedUsd !== null || costedCallCount === callCount
      ? ''
      : ` (${costedCallCount} of ${callCount} calls)`;
  return `${atLeast ? 'at least ' : ''}$${usd} ${evidence}${calls}`;
}
