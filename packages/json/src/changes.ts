import type { JsonDocument, JsonNode } from './node.ts';
import { escapePointerSegment } from './pointer.ts';
import { valuesByKey } from './values-by-key.ts';

/** One place where two texts give another value. */
export interface JsonChange {
  /** JSON Pointer; of duplicate keys each has its own (`~#N`). */
  readonly pointer: string;
  /** As written; null = that text has nothing there. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Pair {
  readonly pointer: string;
  readonly before: JsonNode | null;
  readonly after: JsonNode | null;
}

/**
 * The values that differ, in `after`'s order, then what it lacks. Values are compared as written, so
 * `1` and `1.0` differ; white space and the order of keys don't count. An array of another length,
 * or an object with another number of the same key, is one change: its items have no names that
 * would tell which of them is which. Iterative.
 */
export function listChanges(before: JsonDocument, after: JsonDocument): JsonChange[] {
  const changes: JsonChange[] = [];
  const stack: Pair[] = [{ pointer: '', before: before.root, after: after.root }];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const { pointer } = pair;
    const left = pair.before === null ? null : textAt(before, pair.before);
    const right = pair.after === null ? null : textAt(after, pair.after);
    if (left === right) continue;
    const inner = childPairs(pair, before.text, after.text);
    if (inner === null) changes.push({ pointer, before: left, after: right });
    // One at a time: an array may have more items than a call has arguments.
    else for (const child of inner.reverse()) stack.push(child);
  }
  return changes;
}

/** Null where the two are compared as they are. */
function childPairs(
  { pointer, before, after }: Pair,
  textBefore: string,
  textAfter: string,
): Pair[] | null {
  if (before === null || after === null) return null;
  if (before.kind === 'array' && after.kind === 'array') {
    if (before.items.length !== after.items.length) return null;
    return before.items.map((item, index) => ({
      pointer: `${pointer}/${index}`,
      before: item,
      after: after.items[index] ?? null,
    }));
  }
  if (before.kind !== 'object' || after.kind !== 'object') return null;
  const left = valuesByKey(textBefore, before);
  const right = valuesByKey(textAfter, after);
  const pairs: Pair[] = [];
  for (const key of new Set([...right.keys(), ...left.keys()])) {
    const mine = left.get(key) ?? [];
    const theirs = right.get(key) ?? [];
    const total = Math.max(mine.length, theirs.length);
    if (total > 1 && mine.length !== theirs.length) return null;
    const plain = `${pointer}/${escapePointerSegment(key)}`;
    for (let index = 0; index < total; index += 1) {
      pairs.push({
        pointer: index < total - 1 ? `${plain}~#${index}` : plain,
        before: mine[index] ?? null,
        after: theirs[index] ?? null,
      });
    }
  }
  return pairs;
}

function textAt(document: JsonDocument, node: JsonNode): string {
  return document.text.slice(node.start, node.end);
}
