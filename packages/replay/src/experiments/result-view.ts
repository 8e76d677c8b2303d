import {
  canonicalJson,
  type JsonDocument,
  type JsonNode,
  listPointers,
  member,
  parseJson,
  resolvePointer,
  stringValue,
} from '@misstep/json';
import { sha256 } from '../receipt.ts';

const MOST_LEAVES = 20_000;
const IN_TEXT = '(in the text)';

/**
 * A result as a person points into it: the result object itself and, where its only text block is
 * JSON, what stands in that text. A pointer means the result's own member if there is one.
 */
export interface ResultView {
  readonly result: JsonDocument;
  /** The JSON in the only text block; null where there is none. */
  readonly payload: JsonDocument | null;
  /** Pointer of that text block. */
  readonly payloadAt: string | null;
}

/** A view never changes, so its leaves are read once. */
const LEAVES = new WeakMap<ResultView, ReadonlyMap<string, string>>();

/** Null where the text is not JSON. */
export function viewResult(resultText: string): ResultView | null {
  const parsed = parseJson(resultText);
  if (!parsed.ok) return null;
  const result = parsed.value;
  const content = member(result, result.root, 'content');
  const texts =
    content?.kind !== 'array'
      ? []
      : content.items.flatMap((item, index) => {
          const text = member(result, item, 'text');
          return text?.kind === 'string' ? [{ index, text: stringValue(result, text) }] : [];
        });
  const [only] = texts;
  const payload = only === undefined || texts.length > 1 ? null : readStructure(only.text);
  const payloadAt = payload === null || only === undefined ? null : `/content/${only.index}/text`;
  return { result, payload, payloadAt };
}

/** The value at a pointer, with the document it stands in; null = there is none. */
export function lookUp(
  { result, payload }: ResultView,
  pointer: string,
): { readonly document: JsonDocument; readonly node: JsonNode } | null {
  const own = resolvePointer(result, pointer);
  if (own !== undefined) return { document: result, node: own };
  const inText = payload === null ? undefined : resolvePointer(payload, pointer);
  return payload === null || inText === undefined ? null : { document: payload, node: inText };
}

/** Every leaf by its pointer, as canonical text; the text block itself where it is no JSON. */
export function leavesOf(view: ResultView): ReadonlyMap<string, string> {
  const known = LEAVES.get(view);
  if (known !== undefined) return known;
  const leaves = new Map<string, string>();
  LEAVES.set(view, leaves);
  addLeaves(leaves, view.result, view.payloadAt);
  if (view.payload !== null) addLeaves(leaves, view.payload, null);
  return leaves;
}

/** Pointers whose leaf is not the same in all of them, in the order of the first that has them. */
export function movingPointers(views: readonly (ResultView | null)[]): string[] {
  const all = views.map((view) => (view === null ? new Map<string, string>() : leavesOf(view)));
  const pointers = new Set(all.flatMap((leaves) => [...leaves.keys()]));
  return [...pointers].filter((pointer) => {
    const first = all[0]?.get(pointer);
    return all.some((leaves) => leaves.get(pointer) !== first);
  });
}

/** A hash of every leaf but those left out. */
export function hashView(view: ResultView, isLeftOut: (pointer: string) => boolean): string {
  const kept = [...leavesOf(view)].filter(([pointer]) => !isLeftOut(pointer)).sort(byPointer);
  return sha256(JSON.stringify(kept));
}

/** True for a leaf at or below one of these pointers, be it in the result or in its text. */
export function isAtOrBelow(leaf: string, pointers: readonly string[]): boolean {
  const at = leaf.startsWith(IN_TEXT) ? leaf.slice(IN_TEXT.length) : leaf;
  return pointers.some((pointer) => at === pointer || at.startsWith(`${pointer}/`));
}

function addLeaves(leaves: Map<string, string>, document: JsonDocument, skip: string | null): void {
  for (const { pointer, node } of listPointers(document)) {
    if (leaves.size >= MOST_LEAVES) {
      // The rest counts as one leaf, so that no difference in it is lost.
      leaves.set('(the rest)', sha256(canonicalJson(document)));
      return;
    }
    const isEmpty =
      (node.kind === 'object' && node.members.length === 0) ||
      (node.kind === 'array' && node.items.length === 0);
    if ((node.kind === 'object' || node.kind === 'array') && !isEmpty) continue;
    if (pointer === skip) continue;
    const name = leaves.has(pointer) ? `${IN_TEXT}${pointer}` : pointer;
    leaves.set(name, canonicalJson({ text: document.text, root: node }));
  }
}

/** An object or array that a text holds; null where it is none. */
export function readStructure(text: string): JsonDocument | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  const { kind } = parsed.value.root;
  return kind === 'object' || kind === 'array' ? parsed.value : null;
}

function byPointer([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
