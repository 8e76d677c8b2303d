import type { Step, StepId } from '@misstep/model';
import { startOf } from './pooled-step.ts';

/**
 * Puts the steps of a run in execution order and numbers them. `streams` are the steps of each
 * source (or thread) in file order, which is kept; streams are merged by start time, and a step
 * without a time stays behind the one before it. Parents come before their children. A parent
 * that isn't in the run, or that is its own descendant, is taken off.
 */
export function orderSteps(streams: readonly (readonly Step[])[]): Step[] {
  const parents = findParents(streams);
  for (const stream of streams) {
    for (const step of stream) {
      if (step.parentId !== null && !parents.has(step.parentId)) step.parentId = null;
    }
  }
  breakCycles(streams, parents);
  return parentsFirst(inOrder(streams), parents);
}

/** The steps that have others below them, by their ids: few beside all of them. */
function findParents(streams: readonly (readonly Step[])[]): Map<StepId, Step> {
  const named = new Set<StepId>();
  for (const stream of streams) {
    for (const { parentId } of stream) if (parentId !== null) named.add(parentId);
  }
  const parents = new Map<StepId, Step>();
  for (const stream of streams) {
    for (const step of stream) if (named.has(step.id)) parents.set(step.id, step);
  }
  return parents;
}

/** One stream keeps its order; several are merged, each by the latest start so far. */
function inOrder(streams: readonly (readonly Step[])[]): readonly Step[] {
  const filled = streams.filter(({ length }) => length > 0);
  const [only] = filled;
  if (only === undefined || filled.length === 1) return only ?? [];
  const all: Step[] = [];
  const keys: (bigint | null)[] = [];
  for (const stream of filled) {
    let key: bigint | null = null;
    for (const step of stream) {
      const at = startOf(step);
      if (at !== null && (key === null || at > key)) key = at;
      all.push(step);
      keys.push(key);
    }
  }
  // The place in `all` goes by stream and then by file order.
  const places = Uint32Array.from(all, (_step, place) => place);
  places.sort((a, b) => compareKeys(keys[a] ?? null, keys[b] ?? null) || a - b);
  return Array.from(places, (place) => all[place]).filter((step) => step !== undefined);
}

function compareKeys(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function parentsFirst(sorted: readonly Step[], parents: ReadonlyMap<StepId, Step>): Step[] {
  const ordered: Step[] = [];
  const done = new Set<StepId>();
  for (const step of sorted) {
    const chain: Step[] = [];
    let at: Step | undefined = step;
    while (at !== undefined && !done.has(at.id)) {
      chain.push(at);
      done.add(at.id);
      at = at.parentId === null ? undefined : parents.get(at.parentId);
    }
    for (const each of chain.reverse()) {
      each.seq = ordered.length + 1;
      ordered.push(each);
    }
  }
  return ordered;
}

/** Only steps that have others below them can stand in a circle; the first step that leads into it says where it is cut. */
function breakCycles(
  streams: readonly (readonly Step[])[],
  parents: ReadonlyMap<StepId, Step>,
): void {
  const safe = new Set<StepId>();
  const above = ({ parentId }: Step) => (parentId === null ? undefined : parents.get(parentId));
  for (const stream of streams) {
    for (const step of stream) {
      let at = parents.get(step.id) ?? above(step);
      if (at === undefined || safe.has(at.id)) continue;
      const path = new Set<StepId>();
      while (at !== undefined && !safe.has(at.id)) {
        path.add(at.id);
        if (at.parentId !== null && path.has(at.parentId)) at.parentId = null;
        at = above(at);
      }
      for (const id of path) safe.add(id);
    }
  }
}
