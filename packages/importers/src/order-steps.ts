import type { Step, StepId } from '@misstep/model';

/**
 * Puts the steps of a run in execution order and numbers them. `streams` are the steps of each
 * source (or thread) in file order, which is kept; streams are merged by start time, and a step
 * without a time stays behind the one before it. Parents come before their children. A parent
 * that isn't in the run, or that is its own descendant, is taken off.
 */
export function orderSteps(streams: readonly (readonly Step[])[]): Step[] {
  const byId = new Map<StepId, Step>();
  for (const stream of streams) for (const step of stream) byId.set(step.id, step);
  for (const step of byId.values()) {
    if (step.parentId !== null && !byId.has(step.parentId)) step.parentId = null;
  }
  breakCycles(byId);
  const sorted = streams
    .flatMap((stream, streamIndex) => keyed(stream, streamIndex))
    .sort((a, b) => compareKeys(a.key, b.key) || a.streamIndex - b.streamIndex || a.index - b.index)
    .map(({ step }) => step);
  return parentsFirst(sorted, byId);
}

interface Keyed {
  readonly step: Step;
  readonly key: bigint | null;
  readonly streamIndex: number;
  readonly index: number;
}

function keyed(stream: readonly Step[], streamIndex: number): Keyed[] {
  let key: bigint | null = null;
  return stream.map((step, index) => {
    const at = step.time.startedAtNs;
    if (at !== null && (key === null || at > key)) key = at;
    return { step, key, streamIndex, index };
  });
}

function compareKeys(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function parentsFirst(sorted: readonly Step[], byId: ReadonlyMap<StepId, Step>): Step[] {
  const ordered: Step[] = [];
  const done = new Set<StepId>();
  for (const step of sorted) {
    const chain: Step[] = [];
    let at: Step | undefined = step;
    while (at !== undefined && !done.has(at.id)) {
      chain.push(at);
      done.add(at.id);
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
    for (const each of chain.reverse()) {
      each.seq = ordered.length + 1;
      ordered.push(each);
    }
  }
  return ordered;
}

function breakCycles(byId: ReadonlyMap<StepId, Step>): void {
  const safe = new Set<StepId>();
  for (const step of byId.values()) {
    const path = new Set<StepId>();
    let at: Step | undefined = step;
    while (at !== undefined && !safe.has(at.id)) {
      path.add(at.id);
      if (at.parentId !== null && path.has(at.parentId)) at.parentId = null;
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
    for (const id of path) safe.add(id);
  }
}
