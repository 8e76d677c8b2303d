import { type Skeleton, STEP_KINDS } from '@misstep/model';
import { hasChildren, type TreeShape } from './tree-shape.ts';

/** A stretch of the run, in nanoseconds since its start, in which no step was open. */
export interface IdleGap {
  readonly startNs: number;
  readonly endNs: number;
}

/** Shorter stretches are never called idle. */
export const SHORTEST_IDLE_NS = 60e9;

/** Compression begins where idle stretches together take more than this share of the run. */
export const COMPRESSED_SHARE = 0.25;

const AGENT = STEP_KINDS.indexOf('agent');

type TimedSkeleton = Pick<Skeleton, 'count' | 'kinds' | 'startsNs' | 'durationsNs'>;

/**
 * Where the run's recorded times begin and end, in nanoseconds since its start; null = no times.
 */
export function recordedSpan(skeleton: TimedSkeleton): IdleGap | null {
  let startNs = Number.POSITIVE_INFINITY;
  let endNs = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < skeleton.count; index += 1) {
    const from = skeleton.startsNs[index] ?? null;
    if (from === null) continue;
    startNs = Math.min(startNs, from);
    endNs = Math.max(endNs, from + (skeleton.durationsNs[index] ?? 0));
  }
  return startNs > endNs ? null : { startNs, endNs };
}

/**
 * Stretches over 60 s in which no step was open, in order of time. A sub-agent that has steps of
 * its own counts by those: while it waits for a person, the run is idle.
 */
export function listIdleGaps(skeleton: TimedSkeleton, shape: TreeShape): IdleGap[] {
  const { count } = skeleton;
  const order: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if ((skeleton.startsNs[index] ?? null) !== null) order.push(index);
  }
  order.sort((a, b) => (skeleton.startsNs[a] ?? 0) - (skeleton.startsNs[b] ?? 0));
  const gaps: IdleGap[] = [];
  let busyUntilNs: number | null = null;
  for (const index of order) {
    const startNs = skeleton.startsNs[index] ?? 0;
    if (busyUntilNs !== null && startNs - busyUntilNs > SHORTEST_IDLE_NS) {
      gaps.push({ startNs: busyUntilNs, endNs: startNs });
    }
    const isContainer = skeleton.kinds[index] === AGENT && hasChildren(shape, index);
    const endNs = isContainer ? startNs : startNs + (skeleton.durationsNs[index] ?? 0);
    busyUntilNs = busyUntilNs === null ? endNs : Math.max(busyUntilNs, endNs);
  }
  return gaps;
}

/** The gaps to compress: all of them where together they exceed a quarter of the run, or none. */
export function gapsToCompress(gaps: readonly IdleGap[], span: IdleGap | null): IdleGap[] {
  if (span === null) return [];
  const idleNs = gaps.reduce((sum, gap) => sum + (gap.endNs - gap.startNs), 0);
  return idleNs > COMPRESSED_SHARE * (span.endNs - span.startNs) ? [...gaps] : [];
}
