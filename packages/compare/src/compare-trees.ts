import type { JsonNode } from '@misstep/json';
import { nodeText } from '@misstep/json';
import type { ComparisonRow } from '@misstep/model';
import { childPairs } from './child-pairs.ts';
import { compareElidedString } from './elided-string.ts';
import { ElisionIndex } from './elisions.ts';
import { isSameShortTree, leafCount, mayHoldTextBlock } from './equal-trees.ts';
import type { Ground } from './ground.ts';
import { compareLeaves, type LeafVerdict } from './leaf.ts';
import type { RowSink } from './row-sink.ts';
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
export function compareTrees(
  input: Omit<TreeContext, 'elisions'>,
  base: string,
  sink: RowSink,
  /** Takes the row of a text for itself where it finds more in it: then it gives true. */
  openText?: (row: ComparisonRow) => boolean,
): void {
  const context = treeContext(input);
  const isWhole = context.transcript.elisions.length === 0;
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
    if (isWhole && passesAsSame(context, pair, sink, openText !== undefined)) continue;
    const children = pair.given === null ? childPairs(context, pair) : null;
    const { containerRow } = pair;
    if (containerRow !== null) {
      sink.add(containerRow.verdict, () => ({ pointer: pointerOf(pair), ...containerRow }));
    }
    if (children !== null) {
      for (const child of children.reverse()) stack.push(child);
      continue;
    }
    if (openText !== undefined && pair.segment.endsWith('/text')) {
      if (openText(leafRow(context, pair, judgeOf(context, pair)))) continue;
    }
    const judged = judgeOf(context, pair);
    sink.add(judged.verdict, () => leafRow(context, pair, judged));
  }
}

function judgeOf(context: TreeContext, pair: NodePair): LeafVerdict {
  return pair.given ?? judgeLeaves(context, pair);
}

/** Two short trees of one text need no walk where nobody wants their rows. */
function passesAsSame(
  { transcript, replayed }: TreeContext,
  { parent, segment, left, right, given }: NodePair,
  sink: RowSink,
  opensText: boolean,
): boolean {
  if (left === null || right === null || given !== null) return false;
  if (opensText && mayHoldTextBlock(segment, parent?.segment ?? null)) return false;
  return isSameShortTree(transcript, left, replayed, right) && sink.passSame(leafCount(left));
}

export function treeContext(input: Omit<TreeContext, 'elisions'>): TreeContext {
  return {
    ...input,
    transcriptIsCut: input.transcriptIsCut || input.transcript.elisions.length > 0,
    elisions: new ElisionIndex(input.transcript),
  };
}

function leafRow(context: TreeContext, pair: NodePair, judged: LeafVerdict): ComparisonRow {
  const { left, right } = pair;
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
