import type { JsonNode } from '@misstep/json';
import type { NodePair } from './compare-trees.ts';
import type { LeafVerdict } from './leaf.ts';

/** A value in three versions; null = that version has none. */
export interface Triple {
  readonly parent: Triple | null;
  readonly segments: Readonly<Record<'transcript' | 'wire' | 'replayed', string>>;
  readonly transcript: JsonNode | null;
  readonly wire: JsonNode | null;
  readonly replayed: JsonNode | null;
  /** Verdicts that stand already: on a value that one of two versions lacks. */
  readonly given: { readonly transcript: LeafVerdict | null; readonly server: LeafVerdict | null };
  /** `differing`: rows that say `same` are left out, since the row of the whole says it for them. */
  readonly mode: 'all' | 'differing';
}

/**
 * Puts the pairs of transcript and wire and those of wire and live answer together by the wire's
 * node, which both have. Null = that comparison does not go below this place. In the live answer's
 * order; what only the transcript has comes last.
 */
export function pairTriples(
  parent: Triple,
  shown: readonly NodePair[] | null,
  live: readonly NodePair[] | null,
): Triple[] {
  // Where one comparison has said its word on the whole, below it only what differs is news.
  const isSaid = shown === null && (parent.transcript !== null || parent.given.transcript !== null);
  const mode = isSaid || live === null ? 'differing' : parent.mode;
  const byWire = new Map<JsonNode, NodePair>();
  const onlyShown: NodePair[] = [];
  for (const pair of shown ?? []) {
    if (pair.right === null) onlyShown.push(pair);
    else byWire.set(pair.right, pair);
  }
  if (live === null) return (shown ?? []).map((pair) => tripleOf(parent, pair, null, mode));
  const triples = live.map((pair) => {
    const mine =
      pair.left === null ? takeSame(onlyShown, pair.segment, parent) : byWire.get(pair.left);
    return tripleOf(parent, mine ?? null, pair, mode);
  });
  return [...triples, ...onlyShown.map((pair) => tripleOf(parent, pair, null, mode))];
}

/** Under one key, a value that the wire lacks in both comparisons is one row; an index proves nothing. */
function takeSame(pairs: NodePair[], segment: string, parent: Triple): NodePair | undefined {
  if (parent.wire?.kind !== 'object') return undefined;
  const at = pairs.findIndex((pair) => pair.segment === segment);
  return at < 0 ? undefined : pairs.splice(at, 1)[0];
}

function tripleOf(
  parent: Triple,
  shown: NodePair | null,
  live: NodePair | null,
  mode: Triple['mode'],
): Triple {
  const wireSegment = live?.left == null ? (shown?.segment ?? live?.segment) : live.leftSegment;
  return {
    parent,
    segments: {
      transcript: shown?.leftSegment ?? live?.segment ?? '',
      wire: wireSegment ?? '',
      replayed: live?.segment ?? shown?.segment ?? '',
    },
    transcript: shown?.left ?? null,
    wire: live?.left ?? shown?.right ?? null,
    replayed: live?.right ?? null,
    given: { transcript: shown?.given ?? null, server: live?.given ?? null },
    mode,
  };
}
