import type { IdleGap } from './idle-gaps.ts';
import { createTimeAxis, type TimeAxis, tickStepNs } from './time-axis.ts';

const GAP_PX = 22;
const WANTED_TICKS = 5;

/**
 * The stretch of the waterfall's axis: what the rows in view cover, snapped outwards to round times
 * so that it changes in steps and not with every row scrolled by.
 */
export function snapRange(
  range: IdleGap,
  gaps: readonly IdleGap[],
  widthPx: number,
): { fromNs: number; toNs: number } {
  const exact = axisBetween(range.startNs, range.endNs, gaps, widthPx);
  const stepNs = tickStepNs(exact, widthPx / WANTED_TICKS);
  return {
    fromNs: Math.floor(range.startNs / stepNs) * stepNs,
    toNs: Math.ceil((range.endNs + stepNs / 8) / (stepNs / 2)) * (stepNs / 2),
  };
}

export function axisBetween(
  fromNs: number,
  toNs: number,
  gaps: readonly IdleGap[],
  widthPx: number,
): TimeAxis {
  return createTimeAxis({ fromNs, toNs, widthPx, gaps, gapWidthPx: GAP_PX });
}
