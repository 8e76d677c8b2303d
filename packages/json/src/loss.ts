import type { JsonDocument, JsonObject, JsonString } from './node.ts';
import { losesInDoubles } from './number.ts';
import { listPointers } from './pointer.ts';
import { encodeString, nodeText, stringValue } from './text.ts';

export type LossKind =
  | 'precision'
  | 'overflow'
  | 'negative-zero'
  | 'number-spelling'
  | 'duplicate-key'
  | 'lone-surrogate'
  | 'string-spelling'
  | 'key-order';

/** One thing that JSON.parse and then JSON.stringify would change. */
export interface Loss {
  /** The value concerned, or the member whose key is; the object for `key-order`. */
  pointer: string;
  kind: LossKind;
  /** As written. For `key-order` the keys, as a JSON array of strings. */
  text: string;
  /** What would be written instead; empty for a duplicate, which would vanish. */
  becomes: string;
}

/**
 * What JSON.parse and then JSON.stringify would change in a document, in document order; empty
 * exactly when they would reproduce its tokens. Nothing is reported inside a duplicate that vanishes.
 */
export function lossesOf(doc: JsonDocument): Loss[] {
  const { text } = doc;
  const losses: Loss[] = [];
  let vanishedDepth = Number.POSITIVE_INFINITY;
  for (const { pointer, node, depth, member, shadowed } of listPointers(doc)) {
    if (depth > vanishedDepth) continue;
    vanishedDepth = Number.POSITIVE_INFINITY;
    if (shadowed) {
      losses.push({ pointer, kind: 'duplicate-key', text: nodeText(doc, node), becomes: '' });
      vanishedDepth = depth;
      continue;
    }
    if (member !== null) addStringLoss(losses, text, pointer, member.key);
    if (node.kind === 'string') addStringLoss(losses, text, pointer, node);
    else if (node.kind === 'number') addNumberLoss(losses, pointer, nodeText(doc, node));
    else if (node.kind === 'object') addOrderLoss(losses, text, pointer, node);
  }
  return losses;
}

function addStringLoss(losses: Loss[], doc: string, pointer: string, node: JsonString): void {
  const text = nodeText(doc, node);
  const value = stringValue(doc, node);
  const becomes = encodeString(value);
  if (becomes === text) return;
  const kind = LONE_SURROGATE.test(value) ? 'lone-surrogate' : 'string-spelling';
  losses.push({ pointer, kind, text, becomes });
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function addNumberLoss(losses: Loss[], pointer: string, text: string): void {
  const value = Number(text);
  const becomes = Number.isFinite(value) ? String(value) : 'null';
  if (becomes === text) return;
  losses.push({ pointer, kind: numberLossKind(text, value), text, becomes });
}

function numberLossKind(text: string, value: number): LossKind {
  if (!Number.isFinite(value)) return 'overflow';
  if (losesInDoubles(text)) return 'precision';
  return Object.is(value, -0) ? 'negative-zero' : 'number-spelling';
}

function addOrderLoss(losses: Loss[], text: string, pointer: string, node: JsonObject): void {
  const keys = [...new Set(node.members.map((each) => stringValue(text, each.key)))];
  const integers = keys.filter(isArrayIndexKey).sort((a, b) => Number(a) - Number(b));
  if (integers.length === 0) return;
  const kept = [...integers, ...keys.filter((key) => !isArrayIndexKey(key))];
  if (kept.every((key, index) => key === keys[index])) return;
  losses.push({
    pointer,
    kind: 'key-order',
    text: JSON.stringify(keys),
    becomes: JSON.stringify(kept),
  });
}

const INTEGER_KEY = /^(?:0|[1-9][0-9]{0,9})$/u;
const HIGHEST_ARRAY_INDEX = 2 ** 32 - 2;

/** Keys that JavaScript objects sort first, in numeric order (ECMA-262 10.1.11.1). */
function isArrayIndexKey(key: string): boolean {
  return INTEGER_KEY.test(key) && Number(key) <= HIGHEST_ARRAY_INDEX;
}
