import type { IdleGap } from './idle-gaps.ts';

export interface TimeAxisInput {
  readonly fromNs: number;
  readonly toNs: number;
  readonly widthPx: number;
  /** Compressed stretches, in order of time; parts outside the range are ignored. */
  readonly gaps: readonly IdleGap[];
  /** Width of one compressed gap; all gaps together never take more than two fifths. */
  readonly gapWidthPx: number;
}

export interface AxisGap extends IdleGap {
  readonly leftPx: number;
  readonly widthPx: number;
  /** Index in the gaps that were given. */
  readonly gap: number;
}

/** A mapping of nanoseconds to pixels, straight between compressed gaps. */
export interface TimeAxis {
  readonly fromNs: number;
  readonly toNs: number;
  readonly widthPx: number;
  readonly gaps: readonly AxisGap[];
  /** Nanoseconds a pixel outside gaps. */
  readonly nsPerPx: number;
  readonly toPx: (ns: number) => number;
  readonly toNsAt: (px: number) => number;
}

export interface AxisTick {
  readonly ns: number;
  readonly px: number;
  /** '' where a neighbour's label would collide. */
  readonly label: string;
}

const LARGEST_GAP_SHARE = 0.4;

export function createTimeAxis(input: TimeAxisInput): TimeAxis {
  const { fromNs, widthPx } = input;
  const toNs = Math.max(input.toNs, fromNs + 1);
  const inside: { gap: number; startNs: number; endNs: number }[] = [];
  for (const [gap, each] of input.gaps.entries()) {
    const startNs = Math.max(each.startNs, fromNs);
    const endNs = Math.min(each.endNs, toNs);
    if (endNs > startNs) inside.push({ gap, startNs, endNs });
  }
  const gapWidthPx =
    inside.length === 0
      ? 0
      : Math.min(input.gapWidthPx, (LARGEST_GAP_SHARE * widthPx) / inside.length);
  const idleNs = inside.reduce((sum, each) => sum + (each.endNs - each.startNs), 0);
  const busyNs = Math.max(1, toNs - fromNs - idleNs);
  const nsPerPx = busyNs / Math.max(1, widthPx - gapWidthPx * inside.length);

  // Knots of the piecewise straight mapping; between two knots it is linear.
  const knotNs = [fromNs];
  const knotPx = [0];
  const gaps: AxisGap[] = [];
  let atNs = fromNs;
  let atPx = 0;
  for (const each of inside) {
    atPx += (each.startNs - atNs) / nsPerPx;
    gaps.push({ ...each, leftPx: atPx, widthPx: gapWidthPx });
    knotNs.push(each.startNs, each.endNs);
    knotPx.push(atPx, atPx + gapWidthPx);
    atPx += gapWidthPx;
    atNs = each.endNs;
  }
  knotNs.push(toNs);
  knotPx.push(widthPx);
  return {
    fromNs,
    toNs,
    widthPx,
    gaps,
    nsPerPx,
    toPx: (ns) => interpolate(knotNs, knotPx, ns),
    toNsAt: (px) => interpolate(knotPx, knotNs, px),
  };
}

/** Straight between knots, held at the ends. Knots ascend. */
function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  let low = 0;
  let high = from.length - 1;
  if (value <= (from[low] ?? 0)) return to[low] ?? 0;
  if (value >= (from[high] ?? 0)) return to[high] ?? 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  const a = from[low] ?? 0;
  const b = from[high] ?? 0;
  const share = b > a ? (value - a) / (b - a) : 0;
  return (to[low] ?? 0) + share * ((to[high] ?? 0) - (to[low] ?? 0));
}

const SECOND = 1e9;
const STEPS_NS = [
  1e3,
  2e3,
  5e3,
  1e4,
  2e4,
  5e4,
  1e5,
  2e5,
  5e5,
  1e6,
  2e6,
  5e6,
  1e7,
  2e7,
  5e7,
  1e8,
  2e8,
  5e8,
  ...[1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200].map(
    (seconds) => seconds * SECOND,
  ),
];

/** The round step whose ticks stand at least `minimumPx` apart. */
export function tickStepNs(axis: TimeAxis, minimumPx: number): number {
  const wanted = axis.nsPerPx * minimumPx;
  const found = STEPS_NS.find((step) => step >= wanted);
  if (found !== undefined) return found;
  const day = 86_400 * SECOND;
  return Math.ceil(wanted / day) * day;
}

export interface TickOptions {
  readonly minimumPx: number;
  readonly label: (ns: number, stepNs: number) => string;
  /** Room that a label needs; nearer ones lose theirs. */
  readonly labelPx: number;
  /** A tick where a compressed gap ends, as the picture of the tree has it. */
  readonly tickAfterGaps: boolean;
}

/** Ticks outside gaps, left to right. There are never more than the width has room for. */
export function listTicks(axis: TimeAxis, options: TickOptions): AxisTick[] {
  const stepNs = tickStepNs(axis, options.minimumPx);
  const places: number[] = [];
  const bounds = [axis.fromNs, ...axis.gaps.flatMap((gap) => [gap.startNs, gap.endNs]), axis.toNs];
  for (let pair = 0; pair + 1 < bounds.length; pair += 2) {
    const fromNs = bounds[pair] ?? 0;
    const toNs = bounds[pair + 1] ?? 0;
    if (pair > 0 && options.tickAfterGaps) places.push(fromNs);
    for (let ns = Math.ceil(fromNs / stepNs) * stepNs; ns < toNs; ns += stepNs) {
      if (ns !== fromNs || pair === 0 || !options.tickAfterGaps) places.push(ns);
    }
  }
  const ticks: AxisTick[] = [];
  let labelledUntilPx = Number.NEGATIVE_INFINITY;
  for (const ns of places) {
    const px = axis.toPx(ns);
    const fits = px >= labelledUntilPx && px + options.labelPx <= axis.widthPx + 4;
    if (fits) labelledUntilPx = px + options.labelPx;
    ticks.push({ ns, px, label: fits ? options.label(ns, stepNs) : '' });
  }
  return ticks;
}

/** `0 s`, `0.5 s`, `200 ms`, `40 s`; from 100 s on `15:11`, from an hour `1:02:05`. */
export function rowTickLabel(ns: number, stepNs: number): string {
  if (ns >= 100 * SECOND || stepNs >= 60 * SECOND) return clockLabel(ns);
  if (stepNs >= SECOND) return `${Math.round(ns / SECOND)} s`;
  if (stepNs >= 1e8) return `${(ns / SECOND).toFixed(1)} s`;
  if (stepNs >= 1e6) return `${Math.round(ns / 1e6)} ms`;
  return `${Math.round(ns / 1e3)} µs`;
}

/** `0:00`, `15:20`, `1:02:05`; with tenths or less of a second where the step needs them. */
export function overviewTickLabel(ns: number, stepNs: number): string {
  return stepNs >= SECOND ? clockLabel(ns) : rowTickLabel(ns, stepNs);
}

/** Minutes and seconds, with hours where there are any. */
export function clockLabel(ns: number): string {
  const seconds = Math.floor(ns / SECOND + 1e-6);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const tail = `${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}
