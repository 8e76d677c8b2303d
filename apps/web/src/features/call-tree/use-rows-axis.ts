import { useMemo } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import type { RunModel } from '../run/use-run-model.ts';
import type { IdleGap } from './idle-gaps.ts';
import { axisBetween, snapRange } from './rows-axis.ts';
import { rangeOfRows } from './rows-range.ts';
import { type AxisTick, listTicks, rowTickLabel, type TimeAxis } from './time-axis.ts';
import type { VisibleRows } from './visible-rows.ts';
import type { Zoom } from './zoom.ts';

const NO_GAPS: readonly IdleGap[] = [];
const TICKS = { minimumPx: 36, labelPx: 36, label: rowTickLabel, tickAfterGaps: true };

/**
 * The axis of the rows in view. The same object as long as its stretch is the same: every row draws
 * anew when it changes. Null = a run without times.
 */
export function useRowsAxis(
  model: RunModel,
  visible: VisibleRows,
  first: number,
  last: number,
  widthPx: number,
  zoom: Zoom = null,
): { axis: TimeAxis | null; ticks: readonly AxisTick[] } {
  const toScale = usePreferences((state) => state.idleToScale);
  const gaps = toScale ? NO_GAPS : model.gaps;
  const { startsNs, durationsNs } = model.skeleton;
  const range = zoom ?? rangeOfRows(visible, startsNs, durationsNs, first, last) ?? model.span;
  // What a person zoomed to is shown as it is; what the rows cover is rounded.
  const snapped = range === null || zoom !== null ? null : snapRange(range, gaps, widthPx);
  const fromNs = zoom?.startNs ?? snapped?.fromNs ?? null;
  const toNs = zoom?.endNs ?? snapped?.toNs ?? null;
  return useMemo(() => {
    if (fromNs === null || toNs === null) return { axis: null, ticks: [] };
    const axis = axisBetween(fromNs, toNs, gaps, widthPx);
    return { axis, ticks: listTicks(axis, TICKS) };
  }, [fromNs, toNs, gaps, widthPx]);
}
