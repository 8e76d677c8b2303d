import { copyAt, type JsonChange, listChanges, parseJson, resolvePointer } from '@misstep/json';
import type { TextSpan } from './draft-arguments.ts';

/** How the draft differs from the recorded call. */
export interface ArgumentChanges {
  readonly values: readonly JsonChange[];
  /** True where the values are the recorded ones, and the text is not. */
  readonly onlyLayout: boolean;
}

/** Null where either text is no JSON. */
export function changesFrom(recorded: string, current: string): ArgumentChanges | null {
  const before = parseJson(recorded);
  const after = parseJson(current);
  if (!before.ok || !after.ok) return null;
  const values = listChanges(before.value, after.value);
  return { values, onlyLayout: values.length === 0 && recorded !== current };
}

/** The draft with one place as it was recorded, and every other character as it stands. */
export function putBack(current: string, recorded: string, change: JsonChange): string {
  const text = copyAt(current, recorded, change.pointer);
  return text.ok ? text.value : current;
}

/** One draft for each change, in which it is the only one. */
export function splitDrafts(
  recorded: string,
  current: string,
  changes: readonly JsonChange[],
): { change: JsonChange; argumentsText: string }[] {
  return changes.flatMap((change) => {
    const text = copyAt(recorded, current, change.pointer);
    return text.ok ? [{ change, argumentsText: text.value }] : [];
  });
}

/** Where a pointer leads in a text; for a place that is gone, the nearest one above that is there. */
export function spanOf(text: string, pointer: string): TextSpan | null {
  const document = parseJson(text);
  if (!document.ok) return null;
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const node = resolvePointer(document.value, at);
    if (node !== undefined) {
      // A whole object would light up everything: its first bracket says as much.
      return at === pointer
        ? { from: node.start, to: node.end }
        : { from: node.start, to: node.start + 1 };
    }
    if (at === '') return null;
  }
}
