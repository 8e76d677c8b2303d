import {
  canonicalJson,
  equalNodes,
  escapePointerSegment,
  type JsonDocument,
  type JsonNode,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import { type DefinitionShape, definitionShape } from './definition-shape.ts';
import { type DriftEffect, inside, type Place, placeOfPart } from './drift-place.ts';

/** One place where the live definition is not the recorded one. */
export interface DriftChange {
  /** JSON Pointer into a definition as MCP writes it. */
  readonly pointer: string;
  readonly effect: DriftEffect;
  /** Text as written; null where that side lacks it. */
  readonly recorded: string | null;
  readonly live: string | null;
  readonly note: string | null;
}

export interface DefinitionDrift {
  /** `same meaning`: other bytes, but nothing that a validator or a model would notice. */
  readonly state: 'same bytes' | 'same meaning' | 'changed' | 'cannot tell';
  readonly sentence: string;
  /** What direct calls can't show of these changes; null where there is nothing to show. */
  readonly statement: string | null;
  readonly changes: readonly DriftChange[];
  readonly changesOmitted: number;
  /** Parts of the live definition of which the recording holds nothing either way. */
  readonly notRecorded: readonly string[];
}

const MOST_CHANGES = 500;
const STATEMENT = "Direct calls can't show whether models now behave; run the agent again.";

interface Pair {
  readonly pointer: string;
  readonly place: Place;
  readonly recorded: JsonNode | null;
  readonly live: JsonNode | null;
}

/**
 * A tool's recorded definition against the live one, split into what changes validation, what a
 * model only reads and what a client's policy reads (annotations). Total and iterative.
 */
export function compareDefinitions(recordedText: string, liveText: string): DefinitionDrift {
  const none = { statement: null, changes: [], changesOmitted: 0, notRecorded: [] };
  if (recordedText === liveText) {
    const sentence = 'The live definition is the recorded one, byte for byte.';
    return { ...none, state: 'same bytes', sentence };
  }
  const recorded = parseJson(recordedText);
  const live = parseJson(liveText);
  const mine = recorded.ok ? definitionShape(recorded.value) : null;
  const theirs = live.ok ? definitionShape(live.value) : null;
  if (!recorded.ok || !live.ok || mine === null || theirs === null) {
    const sentence = 'Cannot tell: one of the two definitions is no JSON object.';
    return { ...none, state: 'cannot tell', sentence };
  }
  const { changes, omitted } = changesBetween(
    { document: recorded.value, shape: mine },
    { document: live.value, shape: theirs },
  );
  const notRecorded = mine.isMcp
    ? []
    : [...theirs.parts.keys()].filter((part) => !mine.parts.has(part));
  return {
    state: changes.length === 0 ? 'same meaning' : 'changed',
    sentence: sentenceOf(changes, omitted),
    statement: changes.length === 0 ? null : STATEMENT,
    changes,
    changesOmitted: omitted,
    notRecorded,
  };
}

interface Side {
  readonly document: JsonDocument;
  readonly shape: DefinitionShape;
}

function changesBetween(
  recorded: Side,
  live: Side,
): { changes: readonly DriftChange[]; omitted: number } {
  const changes: DriftChange[] = [];
  let omitted = 0;
  const stack = rootPairs(recorded.shape, live.shape).reverse();
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const children = childrenOf(pair, recorded.document, live.document);
    const change =
      children === null
        ? changeOf(pair, recorded.document, live.document)
        : orderChange(pair, recorded.document, live.document);
    // One at a time: a definition may have more members than a call has arguments.
    for (const child of children?.reverse() ?? []) stack.push(child);
    if (change === null) continue;
    if (changes.length < MOST_CHANGES) changes.push(change);
    else omitted += 1;
  }
  return { changes, omitted };
}

function rootPairs(recorded: DefinitionShape, live: DefinitionShape): Pair[] {
  const pairs: Pair[] = [];
  for (const part of new Set([...live.parts.keys(), ...recorded.parts.keys()])) {
    // A recording by a model's interface proves nothing of the parts that it never holds.
    if (!recorded.isMcp && !recorded.parts.has(part)) continue;
    pairs.push({
      pointer: `/${escapePointerSegment(part)}`,
      place: placeOfPart(part),
      recorded: recorded.parts.get(part) ?? null,
      live: live.parts.get(part) ?? null,
    });
  }
  return pairs;
}

/** Pairs below two containers; null where the two are compared as they are. */
function childrenOf(
  { pointer, place, recorded, live }: Pair,
  mine: JsonDocument,
  theirs: JsonDocument,
): Pair[] | null {
  if (recorded === null || live === null || place.kind === 'value') return null;
  if (recorded.kind === 'object' && live.kind === 'object' && place.kind !== 'list') {
    const left = membersOf(mine, recorded);
    const right = membersOf(theirs, live);
    return [...new Set([...right.keys(), ...left.keys()])].map((key) => ({
      pointer: `${pointer}/${escapePointerSegment(key)}`,
      place: inside(place, key),
      recorded: left.get(key) ?? null,
      live: right.get(key) ?? null,
    }));
  }
  if (recorded.kind === 'array' && live.kind === 'array' && place.kind !== 'names') {
    const total = Math.max(recorded.items.length, live.items.length);
    return Array.from({ length: total }, (_, index) => ({
      pointer: `${pointer}/${index}`,
      place: inside({ kind: 'list' }, String(index)),
      recorded: recorded.items[index] ?? null,
      live: live.items[index] ?? null,
    }));
  }
  return null;
}

function changeOf(
  { pointer, place, recorded, live }: Pair,
  mine: JsonDocument,
  theirs: JsonDocument,
): DriftChange | null {
  const effect = place.kind === 'value' ? place.effect : 'validation';
  const texts = {
    recorded: recorded === null ? null : nodeText(mine, recorded),
    live: live === null ? null : nodeText(theirs, live),
  };
  if (recorded === null || live === null) return { pointer, effect, ...texts, note: null };
  const left = { text: mine.text, root: recorded };
  const right = { text: theirs.text, root: live };
  if (canonicalJson(left) === canonicalJson(right)) return null;
  if (equalNodes(mine.text, recorded, theirs.text, live) !== 'different') {
    return { pointer, effect: 'reading', ...texts, note: 'the same value, spelled otherwise' };
  }
  if (place.kind === 'value' && place.isSet && sameSet(left, right)) {
    return { pointer, effect: 'reading', ...texts, note: 'only the order changed' };
  }
  return { pointer, effect, ...texts, note: null };
}

/** A model reads keys in their order; validation doesn't. */
function orderChange(
  { pointer, recorded, live }: Pair,
  mine: JsonDocument,
  theirs: JsonDocument,
): DriftChange | null {
  if (recorded?.kind !== 'object' || live?.kind !== 'object') return null;
  const left = [...membersOf(mine, recorded).keys()];
  const right = [...membersOf(theirs, live).keys()];
  const inLeft = new Set(left);
  const inRight = new Set(right);
  const before = JSON.stringify(left.filter((key) => inRight.has(key)));
  const after = JSON.stringify(right.filter((key) => inLeft.has(key)));
  if (before === after) return null;
  return { pointer, effect: 'reading', recorded: before, live: after, note: 'the order of keys' };
}

function sameSet(left: JsonDocument, right: JsonDocument): boolean {
  if (left.root.kind !== 'array' || right.root.kind !== 'array') return false;
  const items = ({ text, root }: JsonDocument) =>
    root.kind === 'array'
      ? root.items.map((item) => canonicalJson({ text, root: item })).sort()
      : [];
  const theirs = items(right);
  return (
    left.root.items.length === right.root.items.length &&
    items(left).every((item, index) => item === theirs[index])
  );
}

function membersOf(
  document: JsonDocument,
  node: Extract<JsonNode, { kind: 'object' }>,
): Map<string, JsonNode> {
  return new Map(node.members.map(({ key, value }) => [stringValue(document, key), value]));
}

function sentenceOf(changes: readonly DriftChange[], omitted: number): string {
  if (changes.length === 0) return 'The live definition means the same as the recorded one.';
  const parts = (
    [
      ['validation', 'what validation takes'],
      ['reading', 'only what a model reads'],
      ['policy', "what a client's policy reads"],
    ] as const
  ).flatMap(([effect, words]) => {
    const own = changes.filter((change) => change.effect === effect);
    const [first] = own;
    if (first === undefined) return [];
    const noun = own.length === 1 ? 'change' : 'changes';
    return [`${own.length} ${noun} in ${words} (first \`${first.pointer}\`)`];
  });
  const rest = omitted === 0 ? '' : ` ${omitted} more are not listed.`;
  return `The tool's definition has changed: ${parts.join(', ')}.${rest}`;
}
