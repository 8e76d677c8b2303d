import type { JsonArray, JsonMember, JsonNode, JsonObject } from './node.ts';
import { parseJson } from './parse.ts';
import { arrayIndexOf, type PointerSegment, resolveLocation, splitPointer } from './pointer.ts';
import { type JsonResult, type JsonSyntaxError, positionOf } from './syntax-error.ts';
import { encodeString, stringValue } from './text.ts';

/** A pointer that leads nowhere in this document. The position is that of the nearest container. */
export interface JsonPointerError {
  code: 'JSON_POINTER';
  pointer: string;
  offset: number;
  line: number;
  column: number;
  message: string;
}

export type JsonEditError = JsonSyntaxError | JsonPointerError;
export type JsonEdit = JsonResult<string, JsonEditError>;

/**
 * Replaces the value at a pointer by another value's text. Every character outside the value's span
 * stays as it is. White space around `newValueText` is dropped; what is left must be strict JSON.
 */
export function replaceAt(text: string, pointer: string, newValueText: string): JsonEdit {
  const doc = parseJson(text);
  if (!doc.ok) return doc;
  const value = readNewValue(newValueText);
  if (!value.ok) return value;
  const found = resolveLocation(text, doc.value.root, pointer);
  if (found === undefined) return noSuchPlace(text, pointer, doc.value.root);
  return spliced(text, found.node.start, found.node.end, value.value);
}

/** Removes a member or item with the one comma that goes with it. The root can't be removed. */
export function removeAt(text: string, pointer: string): JsonEdit {
  const doc = parseJson(text);
  if (!doc.ok) return doc;
  const found = resolveLocation(text, doc.value.root, pointer);
  if (found === undefined || found.parent === null) {
    return noSuchPlace(text, pointer, doc.value.root);
  }
  const spans = childSpans(found.parent);
  const own = spans[found.index];
  const next = spans[found.index + 1];
  const previous = spans[found.index - 1];
  if (own === undefined) return noSuchPlace(text, pointer, doc.value.root);
  if (next !== undefined) return spliced(text, own.start, next.start, '');
  return spliced(text, previous === undefined ? own.start : previous.end, own.end, '');
}

/**
 * Inserts a value. The last segment of the pointer is a new key (appended to the object; an existing
 * key gets a duplicate, for replacing there is `replaceAt`), an array index (inserted before it), or
 * `-` (appended to the array). White space is copied from the neighbours.
 */
export function insertAt(text: string, pointer: string, newValueText: string): JsonEdit {
  const doc = parseJson(text);
  if (!doc.ok) return doc;
  const value = readNewValue(newValueText);
  if (!value.ok) return value;
  const segment = splitPointer(pointer)?.at(-1);
  const parentPointer = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
  const parent = resolveLocation(text, doc.value.root, parentPointer)?.node;
  if (segment === undefined || parent === undefined) {
    return noSuchPlace(text, pointer, doc.value.root);
  }
  if (parent.kind === 'object' && segment.duplicate === null) {
    const key = encodeString(segment.key);
    const last = parent.members.at(-1);
    const space = last === undefined ? '' : spaceBeforeValue(text, last);
    return inserted(text, parent, parent.members.length, `${key}:${space}${value.value}`);
  }
  if (parent.kind === 'array') {
    const index = insertionIndex(parent, segment);
    if (index >= 0) return inserted(text, parent, index, value.value);
  }
  return noSuchPlace(text, pointer, parent);
}

/**
 * Makes `text` hold at a pointer what `source` holds there: replaced, put in at the place that it has
 * among its neighbours in `source`, or taken out. Every other character stays as it is.
 */
export function copyAt(text: string, source: string, pointer: string): JsonEdit {
  const target = parseJson(text);
  if (!target.ok) return target;
  const origin = parseJson(source);
  if (!origin.ok) return { ok: false, error: { ...origin.error, message: inSource(origin.error) } };
  const from = resolveLocation(source, origin.value.root, pointer);
  const to = resolveLocation(text, target.value.root, pointer);
  if (from === undefined) return removeAt(text, pointer);
  if (to !== undefined) {
    return spliced(text, to.node.start, to.node.end, source.slice(from.node.start, from.node.end));
  }
  const parentPointer = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
  const parent = resolveLocation(text, target.value.root, parentPointer)?.node;
  if (from.parent?.kind !== 'object' || parent?.kind !== 'object') {
    return noSuchPlace(text, pointer, target.value.root);
  }
  return copiedMember(text, parent, source, from.parent, from.index);
}

function inSource({ message }: JsonSyntaxError): string {
  return `In the text to copy from: ${message}`;
}

/** Puts a member after the nearest one that stands before it in `source`, with the space it has there. */
function copiedMember(
  text: string,
  parent: JsonObject,
  source: string,
  sourceParent: JsonObject,
  index: number,
): JsonEdit {
  const spans = childSpans(sourceParent);
  const own = spans[index];
  if (own === undefined) return noSuchPlace(text, '', parent);
  const piece = source.slice(own.start, own.end);
  const spaceOf = (at: number) =>
    source.slice(spans[at - 1]?.end ?? sourceParent.start + 1, spans[at]?.start);
  const first = parent.members[0];
  if (first === undefined) {
    const tail = source.slice(spans.at(-1)?.end, sourceParent.end - 1);
    return spliced(text, parent.start + 1, parent.end - 1, `${spaceOf(0)}${piece}${tail}`);
  }
  for (let before = index - 1; before >= 0; before -= 1) {
    const name = sourceParent.members[before]?.key;
    if (name === undefined) break;
    const key = stringValue(source, name);
    const found = parent.members.findLast((each) => stringValue(text, each.key) === key);
    if (found === undefined) continue;
    return spliced(text, found.value.end, found.value.end, `${spaceOf(index)}${piece}`);
  }
  const separator = index + 1 < spans.length ? spaceOf(index + 1) : ',';
  return spliced(text, first.key.start, first.key.start, `${piece}${separator}`);
}

function insertionIndex(parent: JsonArray, segment: PointerSegment): number {
  if (segment.key === '-' && segment.duplicate === null) return parent.items.length;
  const index = arrayIndexOf(segment);
  return index <= parent.items.length ? index : -1;
}

function inserted(text: string, parent: JsonArray | JsonObject, index: number, piece: string) {
  const spans = childSpans(parent);
  const next = spans[index];
  if (next !== undefined) {
    return spliced(
      text,
      next.start,
      next.start,
      `${piece},${spaceBefore(text, parent, spans, index)}`,
    );
  }
  const last = spans[index - 1];
  if (last === undefined) return spliced(text, parent.start + 1, parent.start + 1, piece);
  return spliced(
    text,
    last.end,
    last.end,
    `,${spaceBefore(text, parent, spans, index - 1)}${piece}`,
  );
}

interface Span {
  start: number;
  end: number;
}

function childSpans(parent: JsonNode): Span[] {
  if (parent.kind === 'array') return parent.items;
  if (parent.kind !== 'object') return [];
  return parent.members.map((each) => ({ start: each.key.start, end: each.value.end }));
}

/** The white space between the bracket or comma before a child and the child. */
function spaceBefore(text: string, parent: JsonNode, spans: Span[], index: number): string {
  const previous = spans[index - 1];
  const from = previous === undefined ? parent.start : text.indexOf(',', previous.end);
  return text.slice(from + 1, spans[index]?.start);
}

function spaceBeforeValue(text: string, each: JsonMember): string {
  return text.slice(text.indexOf(':', each.key.end) + 1, each.value.start);
}

function readNewValue(newValueText: string): JsonEdit {
  const doc = parseJson(newValueText);
  if (doc.ok) {
    const { start, end } = doc.value.root;
    return { ok: true, value: newValueText.slice(start, end) };
  }
  return { ok: false, error: { ...doc.error, message: `In the new value: ${doc.error.message}` } };
}

function spliced(text: string, start: number, end: number, piece: string): JsonEdit {
  return { ok: true, value: text.slice(0, start) + piece + text.slice(end) };
}

function noSuchPlace(text: string, pointer: string, near: JsonNode): JsonEdit {
  const { line, column } = positionOf(text, near.start);
  const message = `Nothing in this document can be edited at the pointer "${pointer}".`;
  return {
    ok: false,
    error: { code: 'JSON_POINTER', pointer, offset: near.start, line, column, message },
  };
}
