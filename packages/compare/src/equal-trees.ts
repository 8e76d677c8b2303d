import { type JsonNode, nodeText } from '@misstep/json';
import type { ReadVersion } from './version.ts';

/** Longer texts are gone into: to hold each level of a deep tree against the other whole is quadratic. */
const LONGEST = 1024;

/** True where both are containers, short, and the same text: then every value in them is the same. */
export function isSameShortTree(
  left: ReadVersion,
  mine: JsonNode,
  right: ReadVersion,
  live: JsonNode,
): boolean {
  if (mine.kind !== live.kind || (mine.kind !== 'object' && mine.kind !== 'array')) return false;
  const length = mine.end - mine.start;
  if (length > LONGEST || length !== live.end - live.start) return false;
  return nodeText(left.document, mine) === nodeText(right.document, live);
}

/** How many rows a tree has that is compared with itself: one a leaf, an empty container is one. */
export function leafCount(node: JsonNode): number {
  const open = [node];
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.kind === 'array' && at.items.length > 0) for (const item of at.items) open.push(item);
    else if (at.kind === 'object' && at.members.length > 0) {
      for (const { value } of at.members) open.push(value);
    } else count += 1;
  }
  return count;
}

/** Places of a whole result in which a text block may stand that is JSON itself. */
export function mayHoldTextBlock(segment: string, parentSegment: string | null): boolean {
  return (
    parentSegment === null || segment.endsWith('/content') || parentSegment.endsWith('/content')
  );
}
