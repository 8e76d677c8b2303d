import {
  type JsonDocument,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  textOf,
} from './node.ts';
import { stringValue } from './text.ts';

/**
 * JSON Pointer (RFC 6901), with one addition: a duplicate key is addressed by `~#N` after the key,
 * counting from 0 in source order. `/a~#0` is the first `a`; plain `/a` is the last, as JSON.parse
 * keeps it. RFC 6901 allows `~` only before 0 and 1, so no valid pointer can mean something else.
 */
export function resolvePointer(doc: JsonDocument, pointer: string): JsonNode | undefined {
  return resolveLocation(doc.text, doc.root, pointer)?.node;
}

/** A node with the container and position it was found at; the root has no parent. */
export interface PointerLocation {
  node: JsonNode;
  parent: JsonNode | null;
  /** Position among the parent's items or members. */
  index: number;
}

export function resolveLocation(
  text: string,
  root: JsonNode,
  pointer: string,
): PointerLocation | undefined {
  const segments = splitPointer(pointer);
  if (segments === null) return undefined;
  let location: PointerLocation = { node: root, parent: null, index: 0 };
  for (const segment of segments) {
    const parent: JsonNode = location.node;
    const index = childIndex(text, parent, segment);
    const node = childAt(parent, index);
    if (node === undefined) return undefined;
    location = { node, parent, index };
  }
  return location;
}

export interface PointerSegment {
  key: string;
  /** The N of `~#N`, or null where the segment has none. */
  duplicate: number | null;
}

const SEGMENT = /^((?:[^~]|~[01])*)(?:~#(0|[1-9][0-9]{0,9}))?$/su;

/** The decoded segments of a pointer, or null where it is not one. */
export function splitPointer(pointer: string): PointerSegment[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  const segments: PointerSegment[] = [];
  for (const raw of pointer.slice(1).split('/')) {
    if (!raw.includes('~')) {
      segments.push({ key: raw, duplicate: null });
      continue;
    }
    const match = SEGMENT.exec(raw);
    if (match === null) return null;
    const key = (match[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
    segments.push({ key, duplicate: match[2] === undefined ? null : Number(match[2]) });
  }
  return segments;
}

/** A key as a pointer segment: `~` becomes `~0` and `/` becomes `~1`. */
export function escapePointerSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,14})$/;

/** The array index a segment means (RFC 6901 section 4: digits without leading zeros), or -1. */
export function arrayIndexOf(segment: PointerSegment): number {
  return segment.duplicate === null && ARRAY_INDEX.test(segment.key) ? Number(segment.key) : -1;
}

function childIndex(text: string, parent: JsonNode, segment: PointerSegment): number {
  if (parent.kind === 'array') return arrayIndexOf(segment);
  if (parent.kind !== 'object') return -1;
  let found = -1;
  let seen = 0;
  for (const [index, each] of parent.members.entries()) {
    if (stringValue(text, each.key) !== segment.key) continue;
    if (seen === segment.duplicate) return index;
    found = index;
    seen += 1;
  }
  return segment.duplicate === null ? found : -1;
}

function childAt(parent: JsonNode, index: number): JsonNode | undefined {
  if (parent.kind === 'array') return parent.items[index];
  if (parent.kind === 'object') return parent.members[index]?.value;
  return undefined;
}

export interface PointerEntry {
  pointer: string;
  node: JsonNode;
  /** 0 for the node the listing started at. */
  depth: number;
  /** The member whose value this is; null for items and for the start. */
  member: JsonMember | null;
  /** A later duplicate of the same key hides this member from JSON.parse. */
  shadowed: boolean;
}

/**
 * Every value below `node` (the root by default, itself included), depth first in document order,
 * duplicates included. Pointers are relative to `node`. Lazy and iterative: a caller that stops
 * early has paid only for what it saw.
 */
export function* listPointers(
  source: JsonDocument,
  node: JsonNode = source.root,
): Generator<PointerEntry, void, undefined> {
  const text = textOf(source);
  const start: PointerEntry = { pointer: '', node, depth: 0, member: null, shadowed: false };
  yield start;
  const open: Iterator<PointerEntry>[] = [childEntries(text, start)];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    yield next.value;
    const { kind } = next.value.node;
    if (kind === 'array' || kind === 'object') open.push(childEntries(text, next.value));
  }
}

function* childEntries(
  text: string,
  parent: PointerEntry,
): Generator<PointerEntry, void, undefined> {
  const { node, pointer } = parent;
  const depth = parent.depth + 1;
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) {
      yield { pointer: `${pointer}/${index}`, node: item, depth, member: null, shadowed: false };
    }
  } else if (node.kind === 'object') {
    const totals = keyTotals(text, node);
    const seen = new Map<string, number>();
    for (const each of node.members) {
      const key = stringValue(text, each.key);
      const ordinal = seen.get(key) ?? 0;
      seen.set(key, ordinal + 1);
      const shadowed = ordinal + 1 < (totals.get(key) ?? 0);
      const suffix = shadowed ? `~#${ordinal}` : '';
      yield {
        pointer: `${pointer}/${escapePointerSegment(key)}${suffix}`,
        node: each.value,
        depth,
        member: each,
        shadowed,
      };
    }
  }
}

function keyTotals(text: string, node: JsonObject): Map<string, number> {
  const totals = new Map<string, number>();
  for (const each of node.members) {
    const key = stringValue(text, each.key);
    totals.set(key, (totals.get(key) ?? 0) + 1);
  }
  return totals;
}
