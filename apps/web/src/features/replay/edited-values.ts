import { listPointers, nodeText, parseJson } from '@misstep/json';

/**
 * How many values differ between two JSON texts: leaves with another text, added or taken away.
 * Null where either text is no JSON. Values are compared as written, so `1` and `1.0` differ.
 */
export function countEditedValues(recorded: string, current: string): number | null {
  const left = leavesOf(recorded);
  const right = leavesOf(current);
  if (left === null || right === null) return null;
  let edited = 0;
  for (const [pointer, text] of right) if (left.get(pointer) !== text) edited += 1;
  for (const pointer of left.keys()) if (!right.has(pointer)) edited += 1;
  return edited;
}

function leavesOf(text: string): Map<string, string> | null {
  const doc = parseJson(text);
  if (!doc.ok) return null;
  const leaves = new Map<string, string>();
  for (const { pointer, node } of listPointers(doc.value)) {
    const isEmpty =
      (node.kind === 'array' && node.items.length === 0) ||
      (node.kind === 'object' && node.members.length === 0);
    if (isEmpty) leaves.set(pointer, node.kind === 'array' ? '[]' : '{}');
    else if (node.kind !== 'array' && node.kind !== 'object') {
      leaves.set(pointer, nodeText(doc.value, node));
    }
  }
  return leaves;
}
