import type { IdleGap } from './idle-gaps.ts';

/** A stretch of the run's time that a person zoomed to; null = that of the rows in view. */
export type Zoom = IdleGap | null;

export type ZoomCommand = 'in' | 'out' | 'whole';

/** No closer than that: a bar of a microsecond fills the axis then. */
const CLOSEST_NS = 1000;

/**
 * The next stretch: half or twice the one that is shown, about the selected step, within the run. The
 * whole run, asked for again, gives the axis back to the rows in view. Null also where nothing has a time.
 */
export function zoomed(
  command: ZoomCommand,
  shown: IdleGap | null,
  zoom: Zoom,
  span: IdleGap | null,
  aboutNs: number | null,
): Zoom {
  if (span === null || span.endNs <= span.startNs) return null;
  if (command === 'whole') return zoom !== null && isWhole(zoom, span) ? null : span;
  const from = zoom ?? shown ?? span;
  const wantedNs = (from.endNs - from.startNs) * (command === 'in' ? 0.5 : 2);
  const lengthNs = Math.min(span.endNs - span.startNs, Math.max(CLOSEST_NS, wantedNs));
  const middleNs = aboutNs ?? (from.startNs + from.endNs) / 2;
  const startNs = Math.min(
    span.endNs - lengthNs,
    Math.max(span.startNs, Math.round(middleNs - lengthNs / 2)),
  );
  return { startNs, endNs: startNs + lengthNs };
}

function isWhole(zoom: IdleGap, span: IdleGap): boolean {
  return zoom.startNs === span.startNs && zoom.endNs === span.endNs;
}
