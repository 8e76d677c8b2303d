import type { IdleGap } from './idle-gaps.ts';
import { hasChildren, type TreeShape } from './tree-shape.ts';

export type TreeView = 'tree' | 'order';

export interface VisibleRowsInput {
  readonly shape: TreeShape;
  readonly view: TreeView;
  /** Steps whose children are folded away. */
  readonly folded: ReadonlySet<number>;
  /** 1 where a step matches the filter; null = no filter. */
  readonly matches: Uint8Array | null;
  /** Gaps that get a divider row, in order of time. */
  readonly gaps: readonly IdleGap[];
  /** Start of each step in nanoseconds; null = not recorded. */
  readonly startsNs: readonly (number | null)[];
}

export interface VisibleRows {
  /** A step's index, or `gapRow(g)` for the divider of gap g. */
  readonly rows: Int32Array;
  /** Row of each step, -1 = not shown. */
  readonly rowOfStep: Int32Array;
  /** Rows that are dividers, ascending. */
  readonly dividers: readonly number[];
  /** Steps shown, dividers not counted. */
  readonly stepCount: number;
  readonly matchCount: number | null;
}

/** How a divider stands in `rows`: negative, so that it can't be taken for a step. */
export function gapRow(gap: number): number {
  return -1 - gap;
}

/** The gap of a divider row. */
export function gapOfRow(row: number): number {
  return -1 - row;
}

/**
 * Rows of the tree in display order. A filter keeps the ancestors of its matches in the tree view
 * and opens what is folded above them: a match that a fold hides would be a silent omission.
 * Dividers of idle gaps are left out while a filter is on.
 */
export function listVisibleRows(input: VisibleRowsInput): VisibleRows {
  const { shape, view, matches } = input;
  const { count } = shape;
  const kept = matches === null ? null : view === 'tree' ? withAncestors(shape, matches) : matches;
  const hidden = kept === null && view === 'tree' ? hiddenByFolds(shape, input.folded) : null;
  const rows = new Int32Array(count + input.gaps.length);
  const rowOfStep = new Int32Array(count).fill(-1);
  const dividers: number[] = [];
  let length = 0;
  let stepCount = 0;
  let gap = matches === null ? 0 : input.gaps.length;
  for (let position = 0; position < count; position += 1) {
    const index = view === 'tree' ? (shape.preorder[position] ?? 0) : position;
    if (kept !== null && kept[index] !== 1) continue;
    if (hidden !== null && hidden[index] === 1) continue;
    const startNs = input.startsNs[index] ?? null;
    for (
      let next = input.gaps[gap];
      next !== undefined && startNs !== null && startNs >= next.endNs;
      next = input.gaps[gap]
    ) {
      // A gap before the first row divides nothing.
      if (stepCount > 0) {
        rows[length] = gapRow(gap);
        dividers.push(length);
        length += 1;
      }
      gap += 1;
    }
    rows[length] = index;
    rowOfStep[index] = length;
    length += 1;
    stepCount += 1;
  }
  return {
    rows: rows.subarray(0, length),
    rowOfStep,
    dividers,
    stepCount,
    matchCount: matches === null ? null : countOnes(matches),
  };
}

/** The row of a step, or of its nearest ancestor that is shown; -1 = none. */
export function nearestRow(shape: TreeShape, visible: VisibleRows, index: number): number {
  for (let at = index; at >= 0; at = shape.parents[at] ?? -1) {
    const row = visible.rowOfStep[at] ?? -1;
    if (row >= 0) return row;
  }
  return -1;
}

function withAncestors(shape: TreeShape, matches: Uint8Array): Uint8Array {
  const kept = matches.slice();
  // Parents stand before their children, so one pass from the end reaches every ancestor.
  for (let index = shape.count - 1; index >= 0; index -= 1) {
    const parent = shape.parents[index] ?? -1;
    if (kept[index] === 1 && parent >= 0) kept[parent] = 1;
  }
  return kept;
}

function hiddenByFolds(shape: TreeShape, folded: ReadonlySet<number>): Uint8Array | null {
  if (folded.size === 0) return null;
  const hidden = new Uint8Array(shape.count);
  for (let index = 0; index < shape.count; index += 1) {
    const parent = shape.parents[index] ?? -1;
    if (parent < 0) continue;
    if (hidden[parent] === 1 || (folded.has(parent) && hasChildren(shape, parent))) {
      hidden[index] = 1;
    }
  }
  return hidden;
}

function countOnes(bits: Uint8Array): number {
  let total = 0;
  for (const bit of bits) total += bit;
  return total;
}

/** Which of the shown steps a row is, from 1; dividers are not counted. */
export function ordinalOfRow(visible: VisibleRows, row: number): number {
  return row + 1 - visible.dividers.filter((divider) => divider <= row).length;
}
