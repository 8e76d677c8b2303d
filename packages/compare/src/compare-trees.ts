import type { JsonNode } from '@misstep/json';
import { nodeText } from '@misstep/json';
import type { ComparisonRow } from '@misstep/model';
import { childPairs } from './child-pairs.ts';
import { compareElidedString } from './elided-string.ts';
import { ElisionIndex } from './elisions.ts';
import type { Ground } from './ground.ts';
import { compareLeaves, type LeafVerdict } from './leaf.ts';
import type { ReadVersion } from './version.ts';

export interface TreeContext {
  readonly transcript: ReadVersion;
  readonly replayed: ReadVersion;
  readonly elisions: ElisionIndex;
  readonly transcriptIsCut: boolean;
  readonly ground: Ground;
}

/** Two nodes that are to be compared, or one that the other side lacks. */
export interface NodePair {
  /** The pointer is put together only where a row needs it: deep trees have long ones. */
  readonly parent: NodePair | null;
  readonly segment: string;
  /** The segment in the left version, where that holds the value. */
  readonly leftSegment: string;
  readonly left: JsonNode | null;
  readonly right: JsonNode | null;
  /** Verdict that stands already, for a value that one side lacks. */
  readonly given: LeafVerdict | null;
  /** A row of the container itself, before those of what is in it: key order, a count that can't be. */
  containerRow: Omit<ComparisonRow, 'pointer'> | null;
}

/**
 * Compares two trees, depth first in the live answer's order, without recursion. One row for each
 * leaf that both have, one for each value (leaf or whole subtree) that only one has, and one for
 * an object whose keys stand in another order.
 */
export function compareTrees(input: Omit<TreeContext, 'elisions'>, base: string): ComparisonRow[] {
  const context = treeContext(input);
  const rows: ComparisonRow[] = [];
  const stack: NodePair[] = [
    {
      parent: null,
      segment: base,
      leftSegment: base,
      left: input.transcript.root,
      right: input.replayed.root,
      given: null,
      containerRow: null,
    },
  ];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const children = pair.given === null ? childPairs(context, pair) : null;
    if (pair.containerRow !== null) rows.push({ pointer: pointerOf(pair), ...pair.containerRow });
    if (children === null) rows.push(leafRow(context, pair));
    else for (const child of children.reverse()) stack.push(child);
  }
  return rows;
}

export function treeContext(input: Omit<TreeContext, 'elisions'>): TreeContext {
  return {
    ...input,
    transcriptIsCut: input.transcriptIsCut || input.transcript.elisions.length > 0,
    elisions: new ElisionIndex(input.transcript),
  };
}

function leafRow(context: TreeContext, pair: NodePair): ComparisonRow {
  const { left, right } = pair;
  const judged = pair.given ?? judgeLeaves(context, pair);
  const pointer = pointerOf(pair);
  const inLeft = left === null ? pointer : pointerOf(pair, 'leftSegment');
  return {
    pointer,
    ...(inLeft === pointer ? {} : { pointers: { transcript: inLeft } }),
    verdict: judged.verdict,
    transcript: left === null ? null : nodeText(context.transcript.document, left),
    replayed: right === null ? null : nodeText(context.replayed.document, right),
    note: judged.note,
  };
}

function pointerOf(pair: NodePair, part: 'segment' | 'leftSegment' = 'segment'): string {
  const segments: string[] = [];
  for (let at: NodePair | null = pair; at !== null; at = at.parent) segments.push(at[part]);
  return segments.reverse().join('');
}

/** Verdict on two nodes that are not gone into, or on one that the other version lacks. */
export function judgeLeaves(
  context: TreeContext,
  { left, right }: Pick<NodePair, 'left' | 'right'>,
): LeafVerdict {
  if (left === null || right === null) return { verdict: 'cannot tell', note: null };
  const own = context.elisions.of(left);
  if (left.kind === 'string' && own.length > 0) {
    return compareElidedString(
      context.transcript.document,
      left,
      own,
      context.replayed.document,
      right,
      context.ground,
    );
  }
  if (left.kind === 'number' && own.length > 0) {
    const note = 'the transcript ends within this number';
    const verdict = context.ground.isSameAnswer ? 'altered in transcript' : 'cannot tell';
    return { verdict, note };
  }
  return compareLeaves(
    { document: context.transcript.document, node: left },
    { document: context.replayed.document, node: right },
    context.ground,
  );
}
