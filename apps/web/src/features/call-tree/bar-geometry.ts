import { type Skeleton, STEP_FLAGS, STEP_KINDS, STEP_STATUSES } from '@misstep/model';
import type { TimeAxis } from './time-axis.ts';
import { hasChildren, type TreeShape } from './tree-shape.ts';

/** Narrower bars can't be seen. */
export const NARROWEST_BAR_PX = 2;
const NARROWEST_OPEN_PX = 12;
const ORDER_BOX_PX = 6;

/**
 * How one step is drawn on the waterfall, in pixels from the left of its cell:
 * `bar` has a length; `instant` is a point in time; `open` began and was never answered;
 * `bracket` spans its children; `stopped` never reached the server; `order` has no time and is
 * placed by its number alone, in a run without times; `untimed` has no time in a run that has.
 */
export type Bar =
  | { readonly kind: 'bar' | 'open' | 'bracket' | 'order'; leftPx: number; widthPx: number }
  | { readonly kind: 'instant' | 'stopped'; leftPx: number; widthPx: number }
  | { readonly kind: 'untimed' }
  /** Its time lies outside the stretch that the axis shows. */
  | { readonly kind: 'outside'; side: 'left' | 'right' };

const AGENT = STEP_KINDS.indexOf('agent');
const UNANSWERED = STEP_STATUSES.indexOf('unanswered');
const STOPPED = new Set([STEP_STATUSES.indexOf('neverReached'), STEP_STATUSES.indexOf('rejected')]);

type BarSkeleton = Pick<Skeleton, 'count' | 'kinds' | 'startsNs' | 'durationsNs' | 'statuses'>;

/** `axis` is null for a run without any recorded time. */
export function barOf(
  skeleton: BarSkeleton,
  shape: TreeShape,
  axis: TimeAxis | null,
  widthPx: number,
  index: number,
): Bar {
  const startNs = skeleton.startsNs[index] ?? null;
  if (axis === null) {
    const room = Math.max(0, widthPx - ORDER_BOX_PX);
    const leftPx = skeleton.count > 1 ? (index / (skeleton.count - 1)) * room : 0;
    return { kind: 'order', leftPx, widthPx: ORDER_BOX_PX };
  }
  if (startNs === null) return { kind: 'untimed' };
  const durationNs = skeleton.durationsNs[index] ?? null;
  const isOpen = skeleton.statuses[index] === UNANSWERED;
  const endNs = isOpen
    ? openUntilNs(skeleton, axis.toNs, index, startNs)
    : startNs + (durationNs ?? 0);
  if (startNs > axis.toNs) return { kind: 'outside', side: 'right' };
  if (endNs < axis.fromNs) return { kind: 'outside', side: 'left' };
  const startPx = axis.toPx(startNs);
  const lengthPx = axis.toPx(endNs) - startPx;
  const fit = (narrowestPx: number) => {
    const width = Math.max(narrowestPx, lengthPx);
    // A bar at the very end is moved left rather than cut below its least width.
    return { leftPx: Math.max(0, Math.min(startPx, widthPx - width)), widthPx: width };
  };
  if (isOpen) return { kind: 'open', ...fit(NARROWEST_OPEN_PX) };
  if (STOPPED.has(skeleton.statuses[index] ?? -1)) return { kind: 'stopped', ...fit(0) };
  if (durationNs === null) return { kind: 'instant', ...fit(NARROWEST_BAR_PX) };
  if (skeleton.kinds[index] === AGENT && hasChildren(shape, index)) {
    return { kind: 'bracket', ...fit(NARROWEST_BAR_PX) };
  }
  return { kind: 'bar', ...fit(NARROWEST_BAR_PX) };
}

/** A call without an answer is drawn up to the next step that has a time, else to `endNs`. */
export function openUntilNs(
  skeleton: Pick<BarSkeleton, 'count' | 'startsNs'>,
  endNs: number,
  index: number,
  startNs: number,
): number {
  const last = Math.min(skeleton.count, index + 50);
  for (let next = index + 1; next < last; next += 1) {
    const nextNs = skeleton.startsNs[next] ?? null;
    if (nextNs !== null && nextNs > startNs) return nextNs;
  }
  return Math.max(startNs, endNs);
}

/** True where the step's time was worked out by Misstep and not read from the source. */
export function hasDerivedTime(flags: number): boolean {
  return (flags & (STEP_FLAGS.derivedTime | STEP_FLAGS.noTime)) !== 0;
}
