import type { IdleGap } from './idle-gaps.ts';
import type { VisibleRows } from './visible-rows.ts';

/** The stretch of time that rows first..last (inclusive) cover; null where none has a time. */
export function rangeOfRows(
  visible: VisibleRows,
  startsNs: readonly (number | null)[],
  durationsNs: readonly (number | null)[],
  first: number,
  last: number,
): IdleGap | null {
  let startNs = Number.POSITIVE_INFINITY;
  let endNs = Number.NEGATIVE_INFINITY;
  for (let row = Math.max(0, first); row <= last && row < visible.rows.length; row += 1) {
    const index = visible.rows[row] ?? -1;
    if (index < 0) continue;
    const from = startsNs[index] ?? null;
    if (from === null) continue;
    startNs = Math.min(startNs, from);
    endNs = Math.max(endNs, from + (durationsNs[index] ?? 0));
  }
  return startNs > endNs ? null : { startNs, endNs };
}

/** Row whose step starts nearest to a time; -1 where no row has a time. */
export function rowNearestTo(
  visible: VisibleRows,
  startsNs: readonly (number | null)[],
  ns: number,
): number {
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let row = 0; row < visible.rows.length; row += 1) {
    const index = visible.rows[row] ?? -1;
    const startNs = index < 0 ? null : (startsNs[index] ?? null);
    if (startNs === null) continue;
    const distance = Math.abs(startNs - ns);
    if (distance < bestDistance) {
      best = row;
      bestDistance = distance;
    }
  }
  return best;
}
