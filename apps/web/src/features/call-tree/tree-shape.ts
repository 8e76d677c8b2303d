import type { Skeleton } from '@misstep/model';

/**
 * The tree of a skeleton as typed columns, so that 100,000 steps cost milliseconds. Every column is
 * indexed by step (seq - 1), except `preorder`, which lists steps in tree order.
 */
export interface TreeShape {
  readonly count: number;
  /** Index of the parent, -1 = root. */
  readonly parents: Int32Array;
  /** 0 for roots. */
  readonly depths: Int32Array;
  readonly firstChildren: Int32Array;
  readonly nextSiblings: Int32Array;
  readonly previousSiblings: Int32Array;
  /** Position among the siblings from 1, and how many siblings there are with oneself. */
  readonly positions: Int32Array;
  readonly setSizes: Int32Array;
  readonly preorder: Int32Array;
}

/**
 * Builds the columns in one pass each. A parent that does not come before its child in execution
 * order cannot have called it, so such a step (damaged input) is taken for a root; that also keeps
 * the tree free of cycles.
 */
export function shapeTree(skeleton: Pick<Skeleton, 'count' | 'parents'>): TreeShape {
  const { count } = skeleton;
  const parents = new Int32Array(count).fill(-1);
  const depths = new Int32Array(count);
  const firstChildren = new Int32Array(count).fill(-1);
  const nextSiblings = new Int32Array(count).fill(-1);
  const previousSiblings = new Int32Array(count).fill(-1);
  const positions = new Int32Array(count);
  const lastChildren = new Int32Array(count).fill(-1);
  const childCounts = new Int32Array(count);
  let rootCount = 0;
  let lastRoot = -1;
  for (let index = 0; index < count; index += 1) {
    const claimed = skeleton.parents[index] ?? -1;
    const parent = claimed >= 0 && claimed < index ? claimed : -1;
    parents[index] = parent;
    const previous = parent < 0 ? lastRoot : (lastChildren[parent] ?? -1);
    previousSiblings[index] = previous;
    if (previous >= 0) nextSiblings[previous] = index;
    else if (parent >= 0) firstChildren[parent] = index;
    if (parent < 0) {
      lastRoot = index;
      rootCount += 1;
      positions[index] = rootCount;
    } else {
      lastChildren[parent] = index;
      depths[index] = (depths[parent] ?? 0) + 1;
      const siblings = (childCounts[parent] ?? 0) + 1;
      childCounts[parent] = siblings;
      positions[index] = siblings;
    }
  }
  const setSizes = new Int32Array(count);
  for (let index = 0; index < count; index += 1) {
    const parent = parents[index] ?? -1;
    setSizes[index] = parent < 0 ? rootCount : (childCounts[parent] ?? 0);
  }
  const preorder = listPreorder(count, firstChildren, nextSiblings, parents);
  return {
    count,
    parents,
    depths,
    firstChildren,
    nextSiblings,
    previousSiblings,
    positions,
    setSizes,
    preorder,
  };
}

export function hasChildren(shape: TreeShape, index: number): boolean {
  return (shape.firstChildren[index] ?? -1) >= 0;
}

function listPreorder(
  count: number,
  firstChildren: Int32Array,
  nextSiblings: Int32Array,
  parents: Int32Array,
): Int32Array {
  const preorder = new Int32Array(count);
  // The first step cannot have a parent, so it is the first root.
  let at = count > 0 ? 0 : -1;
  let length = 0;
  while (at >= 0) {
    preorder[length] = at;
    length += 1;
    const child = firstChildren[at] ?? -1;
    if (child >= 0) {
      at = child;
      continue;
    }
    while (at >= 0 && (nextSiblings[at] ?? -1) < 0) at = parents[at] ?? -1;
    if (at >= 0) at = nextSiblings[at] ?? -1;
  }
  return preorder;
}
