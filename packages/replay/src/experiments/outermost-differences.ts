import {
  canonicalJson,
  escapePointerSegment,
  type JsonDocument,
  type JsonNode,
  listPointers,
  member,
  stringValue,
} from '@misstep/json';
import { type ResultView, readStructure } from './result-view.ts';

const MOST = 12;
const VALUE_LENGTH = 60;

const MOST_LEAVES = 20_000;
/** What stands before the first difference of two long texts, so that a person finds the place. */
const LEAD_LENGTH = 16;

interface Place {
  readonly canonical: string;
  readonly words: string;
  readonly document: JsonDocument;
}

interface Difference {
  readonly pointer: string;
  readonly a: string;
  readonly b: string;
}

/**
 * The outermost members in which two results differ: what is in their structure, else in them.
 * Where a member would read the same on both sides, as `1 item` does, what differs within it
 * stands in its place, JSON in a text opened. What is left out is not told.
 */
export function outermostDifferences(
  a: ResultView,
  b: ResultView,
  isLeftOut: (pointer: string) => boolean = () => false,
): { rows: Difference[]; omitted: number } {
  const [mine, theirs] = [placesOf(a), placesOf(b)];
  const pointers = [...new Set([...mine.keys(), ...theirs.keys()])];
  const rows = pointers
    .filter((pointer) => !isLeftOut(pointer))
    .filter((pointer) => mine.get(pointer)?.canonical !== theirs.get(pointer)?.canonical)
    .flatMap((pointer) =>
      differencesAt(pointer, mine.get(pointer), theirs.get(pointer), isLeftOut),
    );
  // What differs stands elsewhere than in the structure that was looked at.
  const found =
    rows.length > 0
      ? rows
      : leafDifferences(leavesUnder(a.result, ''), leavesUnder(b.result, ''), isLeftOut);
  return { rows: found.slice(0, MOST), omitted: Math.max(0, found.length - MOST) };
}

function differencesAt(
  pointer: string,
  a: Place | undefined,
  b: Place | undefined,
  isLeftOut: (pointer: string) => boolean,
): readonly Difference[] {
  const outer = { pointer, a: a?.words ?? '(absent)', b: b?.words ?? '(absent)' };
  if (a === undefined || b === undefined || a.words !== b.words) return [outer];
  const within = leafDifferences(
    leavesUnder(a.document, pointer),
    leavesUnder(b.document, pointer),
    isLeftOut,
  );
  return within.length === 0 ? [outer] : within;
}

/** The leaves at or below a pointer, by their pointers, as written. */
function leavesUnder(document: JsonDocument, under: string): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  for (const { pointer, node } of listPointers(document)) {
    if (leaves.size >= MOST_LEAVES) break;
    if (pointer !== under && !pointer.startsWith(`${under}/`)) continue;
    const size =
      node.kind === 'object' ? node.members.length : node.kind === 'array' ? node.items.length : 0;
    if (size > 0) continue;
    const structure = node.kind === 'string' ? readStructure(stringValue(document, node)) : null;
    if (structure === null) {
      leaves.set(pointer, document.text.slice(node.start, node.end));
      continue;
    }
    for (const inner of listPointers(structure)) {
      if (leaves.size >= MOST_LEAVES) break;
      const { kind, start, end } = inner.node;
      const isLeaf = (kind !== 'object' && kind !== 'array') || end - start <= 2;
      if (isLeaf) leaves.set(`${pointer}${inner.pointer}`, structure.text.slice(start, end));
    }
  }
  return leaves;
}

function leafDifferences(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
  isLeftOut: (pointer: string) => boolean,
): readonly Difference[] {
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((pointer) => {
    const [mine, theirs] = [a.get(pointer), b.get(pointer)];
    if (mine === theirs || isLeftOut(pointer)) return [];
    const from = mine === undefined || theirs === undefined ? 0 : firstDifference(mine, theirs);
    return [{ pointer, a: cut(mine, from), b: cut(theirs, from) }];
  });
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

/** What is short is whole; else from a little before the first difference. */
function cut(text: string | undefined, from: number): string {
  if (text === undefined) return '(absent)';
  if (text.length <= VALUE_LENGTH) return text;
  const start = from + LEAD_LENGTH <= VALUE_LENGTH ? 0 : from - LEAD_LENGTH;
  const shown = text.slice(start, start + VALUE_LENGTH);
  const more = text.length - start - shown.length;
  return `${start > 0 ? '… ' : ''}${shown}${more > 0 ? ` (${more} more)` : ''}`;
}

/** What a person may count or hold against each other, by its pointer. */
export function placesToLookAt(
  view: ResultView,
): { pointer: string; kind: 'list' | 'value'; words: string }[] {
  return rootMembers(view).map(({ pointer, document, node }) => ({
    pointer,
    kind: node.kind === 'array' || node.kind === 'object' ? 'list' : 'value',
    words: describe(document, node),
  }));
}

function placesOf(view: ResultView): ReadonlyMap<string, Place> {
  return new Map(
    rootMembers(view).map(({ pointer, document, node }) => [
      pointer,
      {
        canonical: canonicalJson({ text: document.text, root: node }),
        words: describe(document, node),
        document,
      },
    ]),
  );
}

function rootMembers(
  view: ResultView,
): { pointer: string; document: JsonDocument; node: JsonNode }[] {
  const structured = member(view.result, view.result.root, 'structuredContent');
  const [document, root, prefix]: [JsonDocument, JsonNode, string] =
    view.payload !== null
      ? [view.payload, view.payload.root, '']
      : structured !== undefined
        ? [view.result, structured, '/structuredContent']
        : [view.result, view.result.root, ''];
  if (root.kind !== 'object') return [{ pointer: prefix, document, node: root }];
  return root.members.slice(0, 200).map(({ key, value }) => ({
    pointer: `${prefix}/${escapePointerSegment(stringValue(document, key))}`,
    document,
    node: value,
  }));
}

function describe(document: JsonDocument, node: JsonNode): string {
  if (node.kind === 'array')
    return node.items.length === 0 ? '[]' : counted(node.items.length, 'item');
  if (node.kind === 'object') {
    return node.members.length === 0 ? '{}' : counted(node.members.length, 'member');
  }
  const text = document.text.slice(node.start, node.end);
  return text.length <= VALUE_LENGTH
    ? text
    : `${text.slice(0, VALUE_LENGTH)} (${text.length - VALUE_LENGTH} more)`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
