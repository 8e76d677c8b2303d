import type { JsonDocument, JsonNode, JsonObject } from './node.ts';
import { compareNumbersExactly, type Sameness } from './number.ts';
import { stringValue } from './text.ts';
import { valuesByKey } from './values-by-key.ts';

/**
 * Compares two documents. `identical`: the same tokens as written, in the same order (white space is
 * free). `equal`: the same values after decoding; key order, escapes and number spelling are free;
 * the values under a repeated key are compared one by one in source order. Iterative and linear.
 */
export function equalJson(a: JsonDocument, b: JsonDocument): Sameness {
  return equalNodes(a.text, a.root, b.text, b.root);
}

/** `equalJson` for two nodes of two document texts. */
export function equalNodes(
  textA: string,
  rootA: JsonNode,
  textB: string,
  rootB: JsonNode,
): Sameness {
  const pending: [JsonNode, JsonNode][] = [[rootA, rootB]];
  let sameness: Sameness = 'identical';
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    let own: Sameness;
    if (a.kind === 'array' && b.kind === 'array') {
      own = a.items.length === b.items.length ? 'identical' : 'different';
      if (own === 'identical') pushPairs(pending, a.items, b.items);
    } else if (a.kind === 'object' && b.kind === 'object') {
      own = pairMembers(textA, a, textB, b, pending);
    } else {
      own = compareScalars(textA, a, textB, b);
    }
    if (own === 'different') return own;
    if (own === 'equal') sameness = own;
  }
  return sameness;
}

function compareScalars(textA: string, a: JsonNode, textB: string, b: JsonNode): Sameness {
  if (a.kind !== b.kind) return 'different';
  const writtenA = textA.slice(a.start, a.end);
  const writtenB = textB.slice(b.start, b.end);
  if (writtenA === writtenB) return 'identical';
  if (a.kind === 'number') return compareNumbersExactly(writtenA, writtenB);
  if (a.kind === 'literal' && b.kind === 'literal') {
    return a.value === b.value ? 'equal' : 'different';
  }
  if (a.kind !== 'string' || b.kind !== 'string') return 'different';
  return stringValue(textA, a) === stringValue(textB, b) ? 'equal' : 'different';
}

function pairMembers(
  textA: string,
  a: JsonObject,
  textB: string,
  b: JsonObject,
  pending: [JsonNode, JsonNode][],
): Sameness {
  if (a.members.length !== b.members.length) return 'different';
  const sameKeyTexts = a.members.every(({ key }, index) => {
    const other = b.members[index]?.key;
    return (
      other !== undefined && textA.slice(key.start, key.end) === textB.slice(other.start, other.end)
    );
  });
  if (sameKeyTexts) {
    pushPairs(pending, a.members.map(memberValue), b.members.map(memberValue));
    return 'identical';
  }
  const groupsA = valuesByKey(textA, a);
  const groupsB = valuesByKey(textB, b);
  if (groupsA.size !== groupsB.size) return 'different';
  for (const [key, valuesA] of groupsA) {
    const valuesB = groupsB.get(key);
    if (valuesB?.length !== valuesA.length) return 'different';
    pushPairs(pending, valuesA, valuesB);
  }
  return 'equal';
}

function memberValue(each: { value: JsonNode }): JsonNode {
  return each.value;
}

function pushPairs(pending: [JsonNode, JsonNode][], a: JsonNode[], b: JsonNode[]): void {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right !== undefined) pending.push([left, right]);
  }
}
