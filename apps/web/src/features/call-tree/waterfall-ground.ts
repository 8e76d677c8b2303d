import type { AxisTick, TimeAxis } from './time-axis.ts';

/**
 * Grid lines and compressed gaps as one CSS background, so that no row needs an element for them.
 * Numbers only go in: nothing from a recording reaches the style.
 */
export function waterfallGround(axis: TimeAxis, ticks: readonly AxisTick[]): string {
  const layers = ticks.map(
    (tick) =>
      `linear-gradient(var(--line),var(--line)) ${tick.px.toFixed(1)}px 0/1px 100% no-repeat`,
  );
  for (const gap of axis.gaps) {
    const place = `${gap.leftPx.toFixed(1)}px 0/${gap.widthPx.toFixed(1)}px 100% no-repeat`;
    layers.push(`repeating-linear-gradient(135deg,var(--line) 0 1px,transparent 1px 5px) ${place}`);
  }
  return layers.length === 0 ? 'none' : layers.join(',');
}
