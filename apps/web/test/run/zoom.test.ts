import { describe, expect, it } from 'vitest';
import { zoomed } from '../../src/features/call-tree/zoom.ts';

const SPAN = { startNs: 0, endNs: 80_000 };
const ROWS = { startNs: 0, endNs: 40_000 };

describe('the stretch of the axis', () => {
  it('halves and doubles about the selected step, and stays within the run', () => {
    expect(zoomed('in', ROWS, null, SPAN, 30_000)).toEqual({ startNs: 20_000, endNs: 40_000 });
    expect(zoomed('in', ROWS, null, SPAN, 0)).toEqual({ startNs: 0, endNs: 20_000 });
    expect(zoomed('out', ROWS, { startNs: 70_000, endNs: 80_000 }, SPAN, 79_000)).toEqual({
      startNs: 60_000,
      endNs: 80_000,
    });
    expect(zoomed('out', ROWS, { startNs: 0, endNs: 60_000 }, SPAN, null)).toEqual(SPAN);
    // Without a step, about its own middle.
    expect(zoomed('in', ROWS, null, SPAN, null)).toEqual({ startNs: 10_000, endNs: 30_000 });
  });

  it('shows the whole run, and then the rows in view again', () => {
    expect(zoomed('whole', ROWS, null, SPAN, 5)).toEqual(SPAN);
    expect(zoomed('whole', ROWS, SPAN, SPAN, 5)).toBeNull();
  });

  it('comes no closer than a microsecond, and leaves a run without times alone', () => {
    const close = zoomed('in', null, { startNs: 0, endNs: 1200 }, SPAN, 600);
    expect((close?.endNs ?? 0) - (close?.startNs ?? 0)).toBe(1000);
    expect(zoomed('in', null, null, null, null)).toBeNull();
  });
});
