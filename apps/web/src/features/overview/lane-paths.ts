import type { Skeleton } from '@misstep/model';
import { openUntilNs } from '../call-tree/bar-geometry.ts';
import type { TimeAxis } from '../call-tree/time-axis.ts';
import { LANE_FILLS, type LaneFill, type LanePlan } from './lanes.ts';

/** Vertical place of each lane in the strip, in pixels; the picture's geometry. */
export const LANE_TOPS_PX = [30, 43, 56] as const;
export const LANE_HEIGHT_PX = 9;

/**
 * One path a fill, so that 20,000 steps are a handful of elements. Bars of one track that fall on
 * the same pixels are drawn once: `x + width` of the last bar of each lane, track and fill is kept,
 * and a bar that ends inside it adds nothing.
 */
export function lanePaths(
  plan: LanePlan,
  skeleton: Pick<Skeleton, 'count' | 'startsNs' | 'durationsNs'>,
  axis: TimeAxis,
): Map<LaneFill, string> {
  const parts = LANE_FILLS.map((): string[] => []);
  const drawnUntilPx = new Map<number, number>();
  for (let at = 0; at < plan.steps.length; at += 1) {
    const index = plan.steps[at] ?? 0;
    const lane = plan.lanes[at] ?? 0;
    const track = plan.tracks[at] ?? 0;
    const fill = plan.fills[at] ?? 0;
    const startNs = skeleton.startsNs[index] ?? 0;
    const endNs =
      LANE_FILLS[fill] === 'unanswered'
        ? openUntilNs(skeleton, axis.toNs, index, startNs)
        : startNs + (skeleton.durationsNs[index] ?? 0);
    const leftPx = axis.toPx(startNs);
    const widthPx = Math.max(2, axis.toPx(endNs) - leftPx);
    const key = (lane * 8 + track) * 8 + fill;
    const doneUntilPx = drawnUntilPx.get(key) ?? Number.NEGATIVE_INFINITY;
    if (leftPx + widthPx <= doneUntilPx + 0.5) continue;
    drawnUntilPx.set(key, leftPx + widthPx);
    const { topPx, heightPx } = trackPlace(plan.trackCounts[at] ?? 1, lane, track);
    parts[fill]?.push(
      `M${leftPx.toFixed(1)} ${topPx}h${widthPx.toFixed(1)}v${heightPx}h-${widthPx.toFixed(1)}z`,
    );
  }
  const paths = new Map<LaneFill, string>();
  for (const [index, fill] of LANE_FILLS.entries()) {
    const part = parts[index] ?? [];
    if (part.length > 0) paths.set(fill, part.join(''));
  }
  return paths;
}

function trackPlace(trackCount: number, lane: number, track: number) {
  const top = LANE_TOPS_PX[lane] ?? LANE_TOPS_PX[2];
  if (trackCount <= 1) return { topPx: top, heightPx: LANE_HEIGHT_PX };
  const room = (LANE_HEIGHT_PX + 1) / trackCount;
  return {
    topPx: Number((top + track * room).toFixed(1)),
    heightPx: Number((room - 1).toFixed(1)),
  };
}

/** The step of the plan whose bar is nearest to a time; -1 = the plan is empty. */
export function nearestStep(
  plan: LanePlan,
  skeleton: Pick<Skeleton, 'startsNs' | 'durationsNs'>,
  ns: number,
  lane: number | null,
): number {
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < plan.steps.length; at += 1) {
    if (lane !== null && plan.lanes[at] !== lane) continue;
    const index = plan.steps[at] ?? 0;
    const startNs = skeleton.startsNs[index] ?? 0;
    const endNs = startNs + (skeleton.durationsNs[index] ?? 0);
    const distance = ns < startNs ? startNs - ns : Math.max(0, ns - endNs);
    if (distance < bestDistance) {
      best = index;
      bestDistance = distance;
    }
  }
  return best;
}
