import {
  canonicalJson,
  escapePointerSegment,
  type JsonDocument,
  type JsonNode,
  member,
  stringValue,
} from '@misstep/json';
import type { ResultView } from './result-view.ts';

const MOST = 12;
const VALUE_LENGTH = 60;

interface Place {
  readonly canonical: string;
  readonly words: string;
}

/** The outermost members in which two results differ: what is in their structure, else in them. */
export function outermostDifferences(
  a: ResultView,
  b: ResultView,
): { rows: { pointer: string; a: string; b: string }[]; omitted: number } {
  const [mine, theirs] = [placesOf(a), placesOf(b)];
  const pointers = [...new Set([...mine.keys(), ...theirs.keys()])];
  const rows = pointers
    .filter((pointer) => mine.get(pointer)?.canonical !== theirs.get(pointer)?.canonical)
    .map((pointer) => ({
      pointer,
      a: mine.get(pointer)?.words ?? '(absent)',
      b: theirs.get(pointer)?.words ?? '(absent)',
    }));
  return { rows: rows.slice(0, MOST), omitted: Math.max(0, rows.length - MOST) };
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
