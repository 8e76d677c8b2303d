import { escapePointerSegment, type JsonNode, nodeText, stringValue } from '@misstep/json';
import { judgeAbsence, statedCount } from './absence.ts';
import type { Alignment } from './align.ts';
import type { NodePair, TreeContext } from './compare-trees.ts';
import { differs, type LeafVerdict } from './leaf.ts';
import { pairItems } from './pair-items.ts';
import type { ReadVersion } from './version.ts';

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
type ArrayNode = Extract<JsonNode, { kind: 'array' }>;

const ONLY_LAST_KEPT: LeafVerdict = {
  verdict: 'altered in transcript',
  note: 'duplicate key: the client kept only the last value',
};

/** A value that only the left version has. */
function onlyLeft({ ground }: TreeContext): LeafVerdict {
  return { ...differs(ground), note: `only ${ground.left} has it` };
}

/** The pairs below two containers of one kind; null where the two nodes are compared themselves. */
export function childPairs(context: TreeContext, pair: NodePair): NodePair[] | null {
  const { left, right } = pair;
  if (left === null || right === null) return null;
  if (left.kind === 'object' && right.kind === 'object') {
    if (left.members.length === 0 && right.members.length === 0) return null;
    return memberPairs(context, pair, left, right);
  }
  if (left.kind === 'array' && right.kind === 'array') {
    if (left.items.length === 0 && right.items.length === 0) return null;
    return itemPairs(context, pair, left, right);
  }
  return null;
}

function memberPairs(
  context: TreeContext,
  pair: NodePair,
  left: ObjectNode,
  right: ObjectNode,
): NodePair[] {
  const mine = groupMembers(context.transcript, left);
  const live = groupMembers(context.replayed, right);
  let missing = 0;
  for (const [key, nodes] of live) {
    if (context.elisions.ofAbsent(left, key).length > 0) continue;
    missing += Math.max(0, nodes.length - (mine.get(key)?.length ?? 0));
  }
  const { transcriptIsCut, ground } = context;
  const absence = { missing, transcriptIsCut, ground };
  const inContainer = judgeAbsence({ ...absence, elisions: context.elisions.of(left) });
  const pairs: NodePair[] = [];
  for (const key of new Set([...live.keys(), ...mine.keys()])) {
    const lefts = mine.get(key) ?? [];
    const rights = live.get(key) ?? [];
    const cutWhole = context.elisions.ofAbsent(left, key);
    const absent =
      cutWhole.length === 0 ? inContainer : judgeAbsence({ ...absence, elisions: cutWhole });
    const total = Math.max(lefts.length, rights.length);
    // Reading JSON into an object keeps the last of equal keys: then the last ones belong together.
    const lastOnly = lefts.length === 1 && rights.length > 1 && ground.evidence !== 'wire';
    for (let index = 0; index < total; index += 1) {
      const name = `/${escapePointerSegment(key)}`;
      const segment = index < total - 1 ? `${name}~#${index}` : name;
      const left = lastOnly ? (index < total - 1 ? null : lefts[0]) : lefts[index];
      const gone = lastOnly && index < total - 1 ? ONLY_LAST_KEPT : absent;
      const leftSegment = index < lefts.length - 1 ? `${name}~#${index}` : name;
      pairs.push({
        parent: pair,
        segment,
        leftSegment,
        left: left ?? null,
        right: rights[index] ?? null,
        given: givenOf(context, left, rights[index], gone),
        containerRow: null,
      });
    }
  }
  pair.containerRow = keyOrderRow([...mine.keys()], [...live.keys()]);
  return pairs;
}

function groupMembers(version: ReadVersion, node: ObjectNode): Map<string, JsonNode[]> {
  const groups = new Map<string, JsonNode[]>();
  for (const { key, value } of node.members) {
    const name = stringValue(version.document, key);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}

/** The two orders of the keys that both have, where they differ. */
function keyOrderRow(mine: string[], live: string[]): NodePair['containerRow'] {
  const mineSet = new Set(mine);
  const liveSet = new Set(live);
  const left = mine.filter((key) => liveSet.has(key));
  const right = live.filter((key) => mineSet.has(key));
  if (left.every((key, index) => key === right[index])) return null;
  const print = (keys: string[]) => keys.map((key) => JSON.stringify(key)).join(', ');
  return {
    verdict: 'formatting only',
    transcript: print(left),
    replayed: print(right),
    note: 'key order',
  };
}

function itemPairs(
  context: TreeContext,
  pair: NodePair,
  left: ArrayNode,
  right: ArrayNode,
): NodePair[] {
  const elisions = context.elisions.of(left);
  const alignment =
    elisions.length > 0
      ? aroundElision(left.items, right.items.length, elisions[0]?.start ?? left.end)
      : alignWhole(context, pair, left, right);
  const missing = alignment.filter(([a]) => a === null).length;
  const stated = statedCount(elisions);
  if (elisions.length > 0 && stated !== null && stated !== missing) {
    // The marker tells of another number of items than the server sends: that is no cut's doing.
    pair.containerRow = {
      verdict: differs(context.ground).verdict,
      transcript: nodeText(context.transcript.document, left),
      replayed: nodeText(context.replayed.document, right),
      note: `the transcript tells of ${left.items.length + stated === 1 ? '1 item' : `${left.items.length + stated} items`}, ${context.ground.right} has ${right.items.length}`,
    };
  }
  const absent = judgeAbsence({
    elisions,
    missing,
    transcriptIsCut: context.transcriptIsCut,
    ground: context.ground,
  });
  return alignment.map(([a, b]) => {
    const mine = a === null ? null : (left.items[a] ?? null);
    const live = b === null ? null : (right.items[b] ?? null);
    return {
      parent: pair,
      segment: `/${b ?? a ?? 0}`,
      leftSegment: `/${a ?? b ?? 0}`,
      left: mine,
      right: live,
      given: givenOf(context, mine, live, absent),
      containerRow: null,
    };
  });
}

/** Items by identity, else by equality, else by likeness; another order is said of the list itself. */
function alignWhole(
  context: TreeContext,
  pair: NodePair,
  left: ArrayNode,
  right: ArrayNode,
): Alignment {
  // A list of one against a list of one has nothing to align; in a deep chain this saves the most.
  if (left.items.length === 1 && right.items.length === 1) return [[0, 0]];
  const { pairs, orders } = pairItems(
    { document: context.transcript.document, items: left.items },
    { document: context.replayed.document, items: right.items },
  );
  if (orders !== null) {
    pair.containerRow = {
      verdict: differs(context.ground).verdict,
      transcript: orders.left,
      replayed: orders.right,
      note: 'order of the items',
    };
  }
  return pairs;
}

/** Items before the marker count from the front, items after it from the back. */
function aroundElision(
  items: readonly JsonNode[],
  liveCount: number,
  markerStart: number,
): Alignment {
  const before = items.filter((item) => item.start < markerStart).length;
  const after = items.length - before;
  const pairs: (readonly [number | null, number | null])[] = [];
  const gapEnd = Math.max(before, liveCount - after);
  for (let index = 0; index < before; index += 1)
    pairs.push([index, index < liveCount ? index : null]);
  for (let index = before; index < gapEnd; index += 1) pairs.push([null, index]);
  for (let index = 0; index < after; index += 1) {
    pairs.push([before + index, gapEnd + index < liveCount ? gapEnd + index : null]);
  }
  return pairs;
}

/** The verdict that stands already where one version lacks the value. */
function givenOf(
  context: TreeContext,
  left: JsonNode | null | undefined,
  right: JsonNode | null | undefined,
  absent: LeafVerdict,
): LeafVerdict | null {
  if (left == null) return absent;
  return right == null ? onlyLeft(context) : null;
}
