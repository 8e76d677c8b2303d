import type { IdleGap } from './idle-gaps.ts';
import { createTimeAxis, type TimeAxis, tickStepNs } from './time-axis.ts';

const GAP_PX = 22;
const WANTED_TICKS = 5;

/**
 * The waterfall's axis: the stretch that the rows in view cover, snapped outwards to round times so
 * that it changes in steps and not with every row scrolled by. Null = no row in view has a time.
 */
export function axisForRows(
  range: IdleGap | null,
  gaps: readonly IdleGap[],
  widthPx: number,
): TimeAxis | null {
  if (range === null) return null;
  const exact = createTimeAxis({
    fromNs: range.startNs,
    toNs: range.endNs,
    widthPx,
    gaps,
    gapWidthPx: GAP_PX,
  });
  const stepNs = tickStepNs(exact, widthPx / WANTED_TICKS);
  const fromNs = Math.floor(range.startNs / stepNs) * stepNs;
  const toNs = Math.ceil((range.endNs + stepNs / 8) / (stepNs / 2)) * (stepNs / 2);
  return createTimeAxis({ fromNs, toNs, widthPx, gaps, gapWidthPx: GAP_PX });
}
