import type { JsonNode } from '@misstep/json';
import { nodeText } from '@misstep/json';
import type { ComparisonRow, EvidenceGrade } from '@misstep/model';
import { childPairs } from './child-pairs.ts';
import { compareElidedString } from './elided-string.ts';
import { ElisionIndex } from './elisions.ts';
import { compareLeaves, type LeafVerdict } from './leaf.ts';
import type { ReadVersion } from './version.ts';

export interface TreeContext {
  readonly transcript: ReadVersion;
  readonly replayed: ReadVersion;
  readonly elisions: ElisionIndex;
  readonly transcriptIsCut: boolean;
  readonly evidence: EvidenceGrade;
}

/** Two nodes that are to be compared, or one that the other side lacks. */
export interface NodePair {
  /** The pointer is put together only where a row needs it: deep trees have long ones. */
  readonly parent: NodePair | null;
  readonly segment: string;
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
  const context = {
    ...input,
    transcriptIsCut: input.transcriptIsCut || input.transcript.elisions.length > 0,
    elisions: new ElisionIndex(input.transcript),
  };
  const rows: ComparisonRow[] = [];
  const stack: NodePair[] = [
    {
      parent: null,
      segment: base,
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

function leafRow(context: TreeContext, pair: NodePair): ComparisonRow {
  const { left, right } = pair;
  const judged = pair.given ?? judgeLeaves(context, pair);
  return {
    pointer: pointerOf(pair),
    verdict: judged.verdict,
    transcript: left === null ? null : nodeText(context.transcript.document, left),
    replayed: right === null ? null : nodeText(context.replayed.document, right),
    note: judged.note,
  };
}

function pointerOf(pair: NodePair): string {
  const segments: string[] = [];
  for (let at: NodePair | null = pair; at !== null; at = at.parent) segments.push(at.segment);
  return segments.reverse().join('');
}

function judgeLeaves(context: TreeContext, { left, right }: NodePair): LeafVerdict {
  if (left === null || right === null) return { verdict: 'cannot tell', note: null };
  const own = context.elisions.of(left);
  if (left.kind === 'string' && own.length > 0) {
    return compareElidedString(
      context.transcript.document,
      left,
      own,
      context.replayed.document,
      right,
    );
  }
  if (left.kind === 'number' && own.length > 0) {
    return { verdict: 'cannot tell', note: 'the transcript ends within this number' };
  }
  return compareLeaves(
    { document: context.transcript.document, node: left },
    { document: context.replayed.document, node: right },
    context.evidence,
  );
}
