import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gapsToCompress,
  listIdleGaps,
  recordedSpan,
} from '../../src/features/call-tree/idle-gaps.ts';
import { rangeOfRows, rowNearestTo } from '../../src/features/call-tree/rows-range.ts';
import { shapeTree } from '../../src/features/call-tree/tree-shape.ts';
import {
  gapOfRow,
  listVisibleRows,
  nearestRow,
} from '../../src/features/call-tree/visible-rows.ts';
import { skeletonOf } from './skeleton.ts';

const sketch = skeletonOf([
  { kind: 'user', start: 0 },
  { parent: 0, kind: 'model', start: 0, seconds: 6 },
  { parent: 0, kind: 'agent', start: 7, seconds: 30 },
  { parent: 2, start: 8, seconds: 5 },
  { parent: 2, start: 9, seconds: 5 },
  { kind: 'user', start: 911 },
  { parent: 5, kind: 'model', start: 912, seconds: 3 },
]);
const shape = shapeTree(sketch);

function rowsOf(options: Partial<Parameters<typeof listVisibleRows>[0]> = {}) {
  return listVisibleRows({
    shape,
    view: 'tree',
    folded: new Set(),
    matches: null,
    gaps: [],
    startsNs: sketch.startsNs,
    ...options,
  });
}

describe('tree shape', () => {
  it('knows depth, siblings and sizes of sets', () => {
    expect([...shape.depths]).toEqual([0, 1, 1, 2, 2, 0, 1]);
    expect([...shape.setSizes]).toEqual([2, 2, 2, 2, 2, 2, 1]);
    expect([...shape.positions]).toEqual([1, 1, 2, 1, 2, 2, 1]);
  });

  it('lists a tree whose siblings interleave in execution order by parent', () => {
    const interleaved = shapeTree({ count: 6, parents: [-1, 0, 0, 1, 2, 1] });
    expect([...interleaved.preorder]).toEqual([0, 1, 3, 5, 2, 4]);
  });

  it('holds every step exactly once, parents first, whatever the parents claim', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 40 }), (parents) => {
        const built = shapeTree({ count: parents.length, parents });
        expect([...built.preorder].sort((a, b) => a - b)).toEqual(
          parents.map((_p, index) => index),
        );
        const place = new Map([...built.preorder].map((index, at) => [index, at]));
        for (const [index, parent] of built.parents.entries()) {
          if (parent < 0) continue;
          expect(place.get(parent)).toBeLessThan(place.get(index) ?? -1);
          expect(built.depths[index]).toBe((built.depths[parent] ?? 0) + 1);
        }
      }),
    );
  });
});

describe('visible rows', () => {
  it('hides what is folded away, however deep', () => {
    expect([...rowsOf({ folded: new Set([2]) }).rows]).toEqual([0, 1, 2, 5, 6]);
    expect([...rowsOf({ folded: new Set([0, 5]) }).rows]).toEqual([0, 5]);
    const folded = rowsOf({ folded: new Set([0]) });
    expect(nearestRow(shape, folded, 4)).toBe(0);
  });

  it('keeps the ancestors of matches and opens folds above them', () => {
    const matches = new Uint8Array(7);
    matches[4] = 1;
    const rows = rowsOf({ matches, folded: new Set([2]) });
    expect([...rows.rows]).toEqual([0, 2, 4]);
    expect(rows.matchCount).toBe(1);
    expect([...rowsOf({ matches, view: 'order' }).rows]).toEqual([4]);
  });

  it('puts a divider where the run was idle', () => {
    const gaps = listIdleGaps(sketch, shape);
    expect(gaps).toEqual([{ startNs: 14e9, endNs: 911e9 }]);
    const rows = rowsOf({ gaps }).rows;
    expect([...rows]).toEqual([0, 1, 2, 3, 4, -1, 5, 6]);
    expect(gapOfRow(rows[5] ?? 0)).toBe(0);
    expect(gapsToCompress(gaps, recordedSpan(sketch))).toEqual(gaps);
  });

  it('leaves short or small gaps alone', () => {
    const short = skeletonOf([
      { start: 0, seconds: 10 },
      { start: 65, seconds: 10 },
    ]);
    expect(listIdleGaps(short, shapeTree(short))).toEqual([]);
    const small = skeletonOf([
      { start: 0, seconds: 400 },
      { start: 461, seconds: 10 },
    ]);
    const gaps = listIdleGaps(small, shapeTree(small));
    expect(gaps).toHaveLength(1);
    expect(gapsToCompress(gaps, recordedSpan(small))).toEqual([]);
  });

  it('finds the stretch of time that rows cover and the row nearest to a time', () => {
    const rows = rowsOf();
    expect(rangeOfRows(rows, sketch.startsNs, sketch.durationsNs, 0, 2)).toEqual({
      startNs: 0,
      endNs: 37e9,
    });
    expect(rowNearestTo(rows, sketch.startsNs, 900e9)).toBe(5);
  });

  it('computes 100,000 rows fast', () => {
    const count = 100_000;
    const parents = Array.from({ length: count }, (_each, index) =>
      index === 0 ? -1 : index - 1 - (index % 7),
    ).map((parent, index) => (parent < index ? parent : -1));
    const started = performance.now();
    const large = shapeTree({ count, parents });
    const rows = listVisibleRows({
      shape: large,
      view: 'tree',
      folded: new Set([5]),
      matches: null,
      gaps: [],
      startsNs: [],
    });
    const elapsedMs = performance.now() - started;
    expect(rows.rows.length).toBeGreaterThan(0);
    // Ten times the target, so that a busy machine does not fail it.
    expect(elapsedMs).toBeLessThan(500);
  });
});
