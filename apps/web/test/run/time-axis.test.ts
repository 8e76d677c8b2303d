import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barOf, NARROWEST_BAR_PX } from '../../src/features/call-tree/bar-geometry.ts';
import {
  clockLabel,
  createTimeAxis,
  listTicks,
  rowTickLabel,
} from '../../src/features/call-tree/time-axis.ts';
import { shapeTree } from '../../src/features/call-tree/tree-shape.ts';
import { lanePaths, nearestStep } from '../../src/features/overview/lane-paths.ts';
import { LANE_FILLS, planLanes } from '../../src/features/overview/lanes.ts';
import { skeletonOf } from './skeleton.ts';

describe('time axis', () => {
  it('compresses gaps to a fixed width and is straight outside them', () => {
    const axis = createTimeAxis({
      fromNs: 0,
      toNs: 1000,
      widthPx: 220,
      gaps: [{ startNs: 100, endNs: 900 }],
      gapWidthPx: 20,
    });
    expect(axis.toPx(100)).toBeCloseTo(100);
    expect(axis.toPx(900)).toBeCloseTo(120);
    expect(axis.toPx(1000)).toBe(220);
    expect(axis.toNsAt(50)).toBeCloseTo(50);
    expect(axis.gaps[0]).toMatchObject({ leftPx: 100, widthPx: 20, gap: 0 });
  });

  it('maps monotonically and back again, with any gaps', () => {
    const gapsArbitrary = fc
      .array(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 })
      .map((lengths) => {
        let at = 0;
        return lengths.map((length, index) => {
          const startNs = at + 10 + index;
          at = startNs + length;
          return { startNs, endNs: at };
        });
      });
    fc.assert(
      fc.property(gapsArbitrary, fc.double({ min: 0, max: 1, noNaN: true }), (gaps, share) => {
        const toNs = (gaps.at(-1)?.endNs ?? 0) + 50;
        const axis = createTimeAxis({ fromNs: 0, toNs, widthPx: 300, gaps, gapWidthPx: 22 });
        const px = share * 300;
        expect(axis.toPx(axis.toNsAt(px))).toBeCloseTo(px, 3);
        expect(axis.toPx(share * toNs)).toBeLessThanOrEqual(axis.toPx(share * toNs + 1) + 1e-9);
        const gapPx = axis.gaps.reduce((sum, gap) => sum + gap.widthPx, 0);
        expect(gapPx).toBeLessThanOrEqual(0.4 * 300 + 1e-9);
      }),
    );
  });

  it('puts ticks on round times, outside gaps, and drops labels that would collide', () => {
    const axis = createTimeAxis({
      fromNs: 0,
      toNs: 944e9,
      widthPx: 220,
      gaps: [{ startNs: 71e9, endNs: 911e9 }],
      gapWidthPx: 22,
    });
    const ticks = listTicks(axis, {
      minimumPx: 36,
      labelPx: 36,
      label: rowTickLabel,
      tickAfterGaps: true,
    });
    const labels = ['0 s', '20 s', '40 s', '60 s', '15:11', '', ''];
    expect(ticks.map((tick) => tick.label)).toEqual(labels);
  });

  it('writes clock labels with hours where there are any', () => {
    expect(clockLabel(0)).toBe('0:00');
    expect(clockLabel(920e9)).toBe('15:20');
    expect(clockLabel(3725e9)).toBe('1:02:05');
  });
});

describe('bars', () => {
  const skeleton = skeletonOf([
    { kind: 'agent', start: 0, seconds: 100 },
    { parent: 0, start: 10, seconds: 0.0001 },
    { parent: 0, start: 20, status: 'unanswered' },
    { parent: 0, start: 60, status: 'neverReached' },
    { parent: 0 },
    { kind: 'user', start: 100 },
  ]);
  const shape = shapeTree(skeleton);
  const axis = createTimeAxis({ fromNs: 0, toNs: 100e9, widthPx: 220, gaps: [], gapWidthPx: 22 });
  const bar = (index: number) => barOf(skeleton, shape, axis, 220, index);

  it('draws each kind of timing its own way', () => {
    expect(bar(0)).toMatchObject({ kind: 'bracket', leftPx: 0, widthPx: 220 });
    expect(bar(1)).toMatchObject({ kind: 'bar', widthPx: NARROWEST_BAR_PX });
    expect(bar(2)).toMatchObject({ kind: 'open', leftPx: 44, widthPx: 88 });
    expect(bar(3).kind).toBe('stopped');
    expect(bar(4)).toEqual({ kind: 'untimed' });
    expect(bar(5)).toMatchObject({ kind: 'instant', leftPx: 218 });
  });

  it('places steps by number in a run without times', () => {
    expect(barOf(skeleton, shape, null, 220, 5)).toMatchObject({ kind: 'order', leftPx: 214 });
  });

  it('is never narrower than two pixels and never outside its cell', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (start, seconds) => {
          const one = skeletonOf([{ start, seconds }]);
          const drawn = barOf(one, shapeTree(one), axis, 220, 0);
          if (!('widthPx' in drawn)) throw new Error(drawn.kind);
          expect(drawn.widthPx).toBeGreaterThanOrEqual(NARROWEST_BAR_PX);
          expect(drawn.leftPx).toBeGreaterThanOrEqual(0);
          expect(drawn.leftPx + drawn.widthPx).toBeLessThanOrEqual(220 + 1e-6);
        },
      ),
    );
  });

  it('says on which side of the shown stretch a step lies', () => {
    const late = createTimeAxis({
      fromNs: 50e9,
      toNs: 55e9,
      widthPx: 220,
      gaps: [],
      gapWidthPx: 0,
    });
    expect(barOf(skeleton, shape, late, 220, 1)).toEqual({ kind: 'outside', side: 'left' });
    expect(barOf(skeleton, shape, late, 220, 5)).toEqual({ kind: 'outside', side: 'right' });
  });
});

describe('overview lanes', () => {
  const skeleton = skeletonOf([
    { kind: 'user', start: 0 },
    { parent: 0, kind: 'model', start: 0, seconds: 5 },
    { parent: 0, start: 6, seconds: 4, status: 'error', evidence: 'wire' },
    { parent: 0, start: 7, seconds: 4 },
    { parent: 0, kind: 'agent', start: 12, seconds: 8 },
    { parent: 4, kind: 'model', start: 13, seconds: 2 },
    { parent: 4, start: 16, status: 'unanswered' },
    { parent: 4 },
  ]);
  const plan = planLanes(skeleton, shapeTree(skeleton));

  it('puts sub-agent work in its own lane and overlapping calls on tracks of their own', () => {
    expect([...plan.steps]).toEqual([1, 2, 3, 5, 6]);
    expect([...plan.lanes]).toEqual([0, 1, 1, 2, 2]);
    expect([...plan.tracks]).toEqual([0, 0, 1, 0, 0]);
    expect([...plan.brackets]).toEqual([4]);
    expect([...plan.errors]).toEqual([2]);
    expect(LANE_FILLS[plan.fills[4] ?? 0]).toBe('unanswered');
  });

  it('draws one path a fill and finds the step under a click', () => {
    const axis = createTimeAxis({ fromNs: 0, toNs: 20e9, widthPx: 1000, gaps: [], gapWidthPx: 0 });
    const paths = lanePaths(plan, skeleton, axis);
    expect([...paths.keys()].sort()).toEqual(['logged', 'unanswered', 'wire']);
    expect(paths.get('wire')).toBe('M300.0 43h200.0v4h-200.0z');
    expect(nearestStep(plan, skeleton, 9e9, 1)).toBe(2);
    expect(nearestStep(plan, skeleton, 19e9, null)).toBe(6);
  });
});
