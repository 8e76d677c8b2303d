import { ELLIPSIS } from './cut-marker.ts';
import type { JsonDocument, JsonNode, JsonString } from './node.ts';
import { parseJsonPrefix } from './parse.ts';
import { listPointers, pointerStep } from './pointer.ts';
import { decodeString } from './text.ts';
import { type PendingElision, TolerantReader } from './tolerant-reader.ts';

/** Something a renderer left out, or that the end of the text cut off. */
export interface Elision {
  /**
   * `items` and `members`: the container. `characters`: the string. `lines`: the container or string.
   * `value` and `tail`: the value, which may have no node. Where the text ended, each open container
   * has a `tail`; below 250 levels only the innermost has, and all containers around it are cut too.
   */
  pointer: string;
  kind: 'items' | 'members' | 'characters' | 'lines' | 'value' | 'tail';
  /** How many of its kind are missing; null where the text does not say. */
  count: number | null;
  /** Span of the marker. Empty for a tail and for a value that is simply not there. */
  start: number;
  end: number;
  marker: string;
}

export interface TolerantDocument extends JsonDocument {
  elisions: Elision[];
  /** Strict JSON in which nothing is cut and nothing may be. */
  complete: boolean;
  /** Where reading stopped: after the value, or at what could not be read. */
  end: number;
  /** Deviations from RFC 8259 that were read over. At most 1,000 are kept. */
  problems: { offset: number; message: string }[];
}

/**
 * Reads the JSON value that begins at `offset` (after white space), of which a renderer may have left
 * parts out and of which the end may be missing. The tree holds what is there; placeholders are no
 * nodes, so an item after an elision has a smaller index than it had. Also reads what util.inspect
 * and Python print: single quotes, bare keys, trailing commas, True, NaN. Null where there is no
 * value. A string that ends in `…` without saying how much is missing is reported with count null,
 * and the document is then not `complete`, though nothing may be missing. Iterative, linear, never throws.
 */
export function readTolerant(text: string, offset = 0): TolerantDocument | null {
  const strict = parseJsonPrefix(text, offset);
  if (strict.ok) {
    const { root, end } = strict.value;
    const isContainer = root.kind === 'object' || root.kind === 'array';
    if (isContainer && !MAY_BE_MARKED.test(text.slice(root.start, root.end))) {
      return { text, root, elisions: [], complete: true, end, problems: [] };
    }
  }
  const reader = new TolerantReader(text, offset);
  const root = reader.read();
  if (root === null) return null;
  const { end, problems } = reader;
  const elisions = withPointers(text, root, reader.elisions);
  const complete = strict.ok && elisions.length === 0 && problems.length === 0;
  return { text, root, elisions, complete, end, problems };
}

const MAY_BE_MARKED = new RegExp(
  `${ELLIPSIS}|\\\\u2026|omitted|truncated|hidden|elided|skipped|collapsed|snipped|clipped|removed|not shown|cut[\\])>]`,
  'iu',
);

/** The value of a string before its first cut: what is known to have been there. */
export function stringBeforeCut(doc: TolerantDocument, node: JsonString): string {
  let end = node.end;
  for (const elision of doc.elisions) {
    const ofThisString = elision.kind !== 'items' && elision.kind !== 'members';
    if (ofThisString && elision.start > node.start && elision.start < end) end = elision.start;
  }
  return decodeString(doc.text, node.start, end);
}

/** Pointers are known only at the end: a later duplicate changes those of the earlier ones. */
function withPointers(text: string, root: JsonNode, pending: PendingElision[]): Elision[] {
  if (pending.length === 0) return [];
  const wanted = new Set<JsonNode>();
  for (const { target } of pending) wanted.add(target);
  const pointers = new Map<JsonNode, string>();
  for (const { node, pointer } of listPointers({ text, root })) {
    if (wanted.has(node)) pointers.set(node, pointer);
    if (pointers.size === wanted.size) break;
  }
  return pending.map(({ target, key, kind, count, start, end }) => {
    const base = pointers.get(target) ?? '';
    const pointer = key === null ? base : pointerStep(base, key);
    return { pointer, kind, count, start, end, marker: text.slice(start, end) };
  });
}
