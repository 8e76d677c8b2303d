import type { Step } from '@misstep/model';
import { IdTable } from './id-table.ts';
import { startOf } from './pooled-step.ts';

/** There may be a million steps: what is known of each beside itself stands in columns, by its number. */
interface Numbered {
  /** Each id once, stream by stream in file order. */
  readonly steps: readonly Step[];
  /** How many of `steps` the streams up to here hold. */
  readonly ends: readonly number[];
  /** The number of the step above; NONE = it stands at the top. */
  readonly parents: Int32Array;
}

const NONE = -1;

/**
 * Puts the steps of a run in execution order and numbers them. `streams` are the steps of each
 * source (or thread) in file order, which is kept; streams are merged by start time, and a step
 * without a time stays behind the one before it. Parents come before their children. A parent
 * that isn't in the run, or that is its own descendant, is taken off.
 */
export function orderSteps(streams: readonly (readonly Step[])[]): Step[] {
  const numbered = numberSteps(streams);
  breakCycles(numbered);
  return parentsFirst(numbered, inOrder(numbered));
}

function numberSteps(streams: readonly (readonly Step[])[]): Numbered {
  const ids = new IdTable();
  const steps: Step[] = [];
  const ends: number[] = [];
  for (const stream of streams) {
    for (const step of stream) {
      if (ids.find(step.id) >= 0) continue;
      ids.add(step.id);
      steps.push(step);
    }
    ends.push(steps.length);
  }
  const parents = new Int32Array(steps.length).fill(NONE);
  for (const [number, step] of steps.entries()) {
    if (step.parentId === null) continue;
    const parent = ids.find(step.parentId);
    if (parent < 0) step.parentId = null;
    else parents[number] = parent;
  }
  return { steps, ends, parents };
}

const NEW = 0;
const ON_PATH = 1;
const SAFE = 2;

/** The first step that leads into a circle says where it is cut. */
function breakCycles({ steps, parents }: Numbered): void {
  const states = new Uint8Array(steps.length);
  const path: number[] = [];
  for (let number = 0; number < steps.length; number += 1) {
    let at = number;
    while (at !== NONE && states[at] === NEW) {
      states[at] = ON_PATH;
      path.push(at);
      const above = parents[at] ?? NONE;
      const step = steps[at];
      if (above !== NONE && states[above] === ON_PATH && step !== undefined) {
        step.parentId = null;
        parents[at] = NONE;
      }
      at = parents[at] ?? NONE;
    }
    for (const each of path) states[each] = SAFE;
    path.length = 0;
  }
}

/** Before every time that can be recorded. */
const NO_TIME_YET = -(2n ** 63n);

/** Streams stand below one another; deeper than that nobody nests agents. */
const MOST_PASSES = 8;

/**
 * Numbers of steps. One stream keeps its order; several are merged, each by the latest start so far. What
 * stands below a step of another stream comes behind it, whatever times it copied from before.
 */
function inOrder({ steps, ends, parents }: Numbered): Uint32Array {
  const order = Uint32Array.from({ length: steps.length }, (_, number) => number);
  if (ends.every((end) => end === 0 || end === steps.length)) return order;
  const keys = new BigInt64Array(steps.length).fill(NO_TIME_YET);
  for (let pass = 0, isSettled = false; pass < MOST_PASSES && !isSettled; pass += 1) {
    isSettled = true;
    let number = 0;
    for (const end of ends) {
      const from = number;
      let key = NO_TIME_YET;
      for (; number < end; number += 1) {
        const step = steps[number];
        const at = step === undefined ? null : startOf(step);
        if (at !== null && at > key) key = at;
        const above = parents[number] ?? NONE;
        const isOfOther = above !== NONE && (above < from || above >= end);
        const aboveKey = isOfOther ? (keys[above] ?? key) : key;
        if (aboveKey > key) key = aboveKey;
        if (keys[number] === key) continue;
        keys[number] = key;
        isSettled = false;
      }
    }
  }
  // Numbers go by stream and then by file order.
  return order.sort((a, b) => compare(keys[a] ?? 0n, keys[b] ?? 0n) || a - b);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parentsFirst({ steps, parents }: Numbered, order: Uint32Array): Step[] {
  const ordered: Step[] = [];
  const done = new Uint8Array(steps.length);
  const chain: Step[] = [];
  for (const number of order) {
    for (let at = number; at !== NONE && done[at] !== 1; at = parents[at] ?? NONE) {
      done[at] = 1;
      const step = steps[at];
      if (step !== undefined) chain.push(step);
    }
    for (let step = chain.pop(); step !== undefined; step = chain.pop()) {
      step.seq = ordered.length + 1;
      ordered.push(step);
    }
  }
  return ordered;
}
