import type { JsonArray, JsonDocument, JsonMember, JsonNode, JsonObject } from './node.ts';
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
  const { text } = source;
  const open: ListingFrame[] = [];
  yield { pointer: '', node, depth: 0, member: null, shadowed: false };
  pushFrame(open, text, node, '');
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const entry = nextChild(text, frame, open.length);
    if (entry === null) {
      open.pop();
      continue;
    }
    yield entry;
    pushFrame(open, text, entry.node, entry.pointer);
  }
}

/** A base pointer and one more key. */
export function pointerStep(base: string, key: string): string {
  return `${base}/${escapePointerSegment(key)}`;
}

interface ListingFrame {
  node: JsonArray | JsonObject;
  pointer: string;
  next: number;
  /** For each key that occurs more than once: how often, and how many have been listed. */
  repeated: Map<string, { total: number; seen: number }> | null;
}

function pushFrame(open: ListingFrame[], text: string, node: JsonNode, pointer: string): void {
  if (node.kind !== 'array' && node.kind !== 'object') return;
  const repeated = node.kind === 'object' ? repeatedKeys(text, node) : null;
  open.push({ node, pointer, next: 0, repeated });
}

function nextChild(text: string, frame: ListingFrame, depth: number): PointerEntry | null {
  const { node: parent, pointer } = frame;
  const index = frame.next;
  frame.next += 1;
  if (parent.kind === 'array') {
    const node = parent.items[index];
    if (node === undefined) return null;
    return { pointer: `${pointer}/${index}`, node, depth, member: null, shadowed: false };
  }
  const member = parent.members[index];
  if (member === undefined) return null;
  const key = stringValue(text, member.key);
  const count = frame.repeated?.get(key);
  const ordinal = count === undefined ? 0 : count.seen++;
  const shadowed = count !== undefined && count.seen < count.total;
  const plain = pointerStep(pointer, key);
  const full = shadowed ? `${plain}~#${ordinal}` : plain;
  return { pointer: full, node: member.value, depth, member, shadowed };
}

function repeatedKeys(text: string, node: JsonObject): ListingFrame['repeated'] {
  if (node.members.length < 2) return null;
  const totals = new Map<string, { total: number; seen: number }>();
  for (const each of node.members) {
    const key = stringValue(text, each.key);
    const count = totals.get(key);
    if (count === undefined) totals.set(key, { total: 1, seen: 0 });
    else count.total += 1;
  }
  return totals.size === node.members.length ? null : totals;
}
