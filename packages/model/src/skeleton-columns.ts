import { EVIDENCE_GRADES } from './evidence.ts';
import type { StepId } from './ids.ts';
import type { Run } from './run.ts';
import { type Skeleton, STEP_FLAGS } from './skeleton.ts';
import { FAILED_STATUSES, STEP_KINDS, STEP_STATUSES, type Step } from './step.ts';
import { wholeInputOf } from './usage-parts.ts';

/**
 * The columns of a run's tree from its steps in execution order. `retried` are the ids of steps
 * that repeat an earlier call (see `RetryGroups`). Times are relative to the run's first recorded one.
 */
export function buildSkeleton(
  run: Pick<Run, 'startedAtNs'>,
  steps: readonly Step[],
  retried: ReadonlySet<StepId>,
): Skeleton {
  const indexOf = new Map<StepId, number>(steps.map((step, index) => [step.id, index]));
  const parents = steps.map((step) =>
    step.parentId === null ? -1 : (indexOf.get(step.parentId) ?? -1),
  );
  const parallel = findParallelSteps(steps);
  const zeroNs = run.startedAtNs ?? 0n;
  return {
    count: steps.length,
    ids: steps.map((step) => step.id),
    parents,
    kinds: steps.map((step) => STEP_KINDS.indexOf(step.kind)),
    names: steps.map((step) => step.name),
    servers: steps.map((step) => step.server),
    tools: steps.map((step) => step.tool),
    summaries: steps.map((step) => step.summary),
    startsNs: steps.map(({ time }) =>
      time.startedAtNs === null ? null : Number(time.startedAtNs - zeroNs),
    ),
    durationsNs: steps.map(durationOf),
    evidence: steps.map((step) => EVIDENCE_GRADES.indexOf(step.evidence)),
    timeEvidence: steps.map((step) => EVIDENCE_GRADES.indexOf(step.time.evidence)),
    statuses: steps.map((step) => STEP_STATUSES.indexOf(step.status)),
    flags: steps.map((step, index) => {
      const parent = steps[parents[index] ?? -1] ?? null;
      return flagsOf(step, parent, retried.has(step.id), parallel.has(step.id));
    }),
    tokens: steps.map(({ usage }) =>
      usage === null || (usage.inputTokens === null && usage.outputTokens === null)
        ? null
        : (wholeInputOf(usage) ?? 0) + (usage.outputTokens ?? 0),
    ),
  };
}

/**
 * Nanoseconds from start to end, never negative; null = not both recorded, or the clocks disagree,
 * which `hasClockSkew` tells.
 */
export function durationOf(step: Step): number | null {
  const { startedAtNs, endedAtNs } = step.time;
  if (startedAtNs === null || endedAtNs === null || endedAtNs < startedAtNs) return null;
  return Number(endedAtNs - startedAtNs);
}

/**
 * Calls of which a later one may repeat an earlier that failed or got no answer: groups of calls
 * to the same tool under the same parent with arguments of the same size, each group from its
 * first failure on. A call is a repetition where its argument bytes are those of a failed one
 * before it in its group; deciding that needs the bytes, which steps only point at.
 */
export class RetryGroups {
  readonly #groups = new Map<string, Step[]>();

  /** The next step in execution order; only calls of a group are held on to. */
  add(step: Step): void {
    if (step.kind !== 'tool') return;
    const size = argumentsSize(step);
    if (size === null) return;
    const key = JSON.stringify([step.parentId, step.server, step.tool ?? step.name, size]);
    const group = this.#groups.get(key);
    if (group !== undefined) group.push(step);
    else if (isFailedCall(step)) this.#groups.set(key, [step]);
  }

  list(): readonly (readonly Step[])[] {
    return [...this.#groups.values()].filter((group) => group.length > 1);
  }
}

/** True for a call that a client would send once more: it failed, or nothing came back. */
export function isFailedCall(step: Step): boolean {
  return FAILED_STATUSES.has(step.status) || UNFINISHED.has(step.status);
}

const UNFINISHED: ReadonlySet<Step['status']> = new Set<Step['status']>([
  'unanswered',
  'interrupted',
  'cancelled',
]);

/** Encoding and length of the arguments: equal bytes have an equal one. */
function argumentsSize({ arguments: value }: Step): string | null {
  if (value === null || value.state !== 'captured') return null;
  if (value.inlineText !== null) return `inline ${value.inlineText.length}`;
  return value.origin === null ? null : `${value.encoding} ${value.origin.length}`;
}

/**
 * Ids of calls that were open at the same time as another call under the same parent. A call
 * that starts in the nanosecond in which another ends is not parallel to it.
 */
function findParallelSteps(steps: readonly Step[]): ReadonlySet<StepId> {
  const siblings = new Map<StepId | null, { id: StepId; startNs: bigint; endNs: bigint }[]>();
  for (const step of steps) {
    const { startedAtNs: startNs, endedAtNs: endNs } = step.time;
    if (!CALLS.has(step.kind) || startNs === null || endNs === null || endNs <= startNs) continue;
    const group = siblings.get(step.parentId) ?? [];
    group.push({ id: step.id, startNs, endNs });
    siblings.set(step.parentId, group);
  }
  const parallel = new Set<StepId>();
  for (const group of siblings.values()) {
    group.sort((a, b) => (a.startNs < b.startNs ? -1 : a.startNs > b.startNs ? 1 : 0));
    let latest: (typeof group)[number] | null = null;
    for (const each of group) {
      if (latest !== null && each.startNs < latest.endNs) {
        parallel.add(latest.id);
        parallel.add(each.id);
      }
      if (latest === null || each.endNs > latest.endNs) latest = each;
    }
  }
  return parallel;
}

const CALLS: ReadonlySet<Step['kind']> = new Set<Step['kind']>([
  'tool',
  'model',
  'agent',
  'retrieval',
  'protocol',
]);

function flagsOf(step: Step, parent: Step | null, retried: boolean, parallel: boolean): number {
  const { time } = step;
  let flags = 0;
  if (isTruncated(step)) flags |= STEP_FLAGS.truncated;
  if (step.emptyResult === true) flags |= STEP_FLAGS.empty;
  if (retried) flags |= STEP_FLAGS.retried;
  if (parallel) flags |= STEP_FLAGS.parallel;
  if (step.pairing?.derived === true) flags |= STEP_FLAGS.inferredPairing;
  if (time.startedAtNs === null && time.endedAtNs === null) flags |= STEP_FLAGS.noTime;
  else if (time.evidence === 'derived') flags |= STEP_FLAGS.derivedTime;
  if (hasClockSkew(step, parent)) flags |= STEP_FLAGS.clockSkew;
  return flags;
}

function isTruncated(step: Step): boolean {
  const values = [step.arguments, step.result, ...step.content.map((part) => part.value)];
  return values.some((value) => value?.state === 'elided' || (value?.elisions.length ?? 0) > 0);
}

/**
 * A negative duration, an end that could not be placed after its start (its text alone is kept), a child that starts before its parent, or one that ends after a parent
 * which waits for it. A user turn or a model call is over before the calls it led to, so only
 * tools and agents count as waiting.
 */
export function hasClockSkew(step: Step, parent: Step | null): boolean {
  const { startedAtNs, endedAtNs, endedAtText } = step.time;
  if (startedAtNs !== null && endedAtNs !== null && endedAtNs < startedAtNs) return true;
  if (startedAtNs !== null && endedAtNs === null && endedAtText !== null) return true;
  if (parent === null) return false;
  const outer = parent.time;
  if (startedAtNs !== null && outer.startedAtNs !== null && startedAtNs < outer.startedAtNs) {
    return true;
  }
  const waits = parent.kind === 'tool' || parent.kind === 'agent';
  return waits && endedAtNs !== null && outer.endedAtNs !== null && endedAtNs > outer.endedAtNs;
}
