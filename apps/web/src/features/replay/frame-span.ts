import {
  type JsonDocument,
  type JsonNode,
  nodeText,
  parseJson,
  readTolerant,
  resolvePointer,
  stringValue,
} from '@misstep/json';
import type { Comparison, ComparisonRow, Replay, ReplayFrame } from '@misstep/model';

/** A stretch of a frame's text, in UTF-16 units; the end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Pointers of the selected row's value in a frame that holds a result; null = it isn't there. */
export interface RowPlace {
  readonly wire: string | null;
  readonly replayed: string | null;
}

export function placeOf(comparison: Comparison, row: ComparisonRow): RowPlace {
  const { rowsBelow = '', protocolErrors } = comparison;
  const at = (isError: boolean | undefined) =>
    `/${isError === true ? 'error' : 'result'}${rowsBelow}`;
  const wire = row.wire ?? null;
  return {
    wire:
      wire === null ? null : `${at(protocolErrors?.recorded)}${row.pointers?.wire ?? row.pointer}`,
    replayed: row.replayed === null ? null : `${at(protocolErrors?.replayed)}${row.pointer}`,
  };
}

/** The frame that holds the answer to the call; null = there is none yet. */
export function answerFrameOf(replay: Replay | null): ReplayFrame | null {
  const frames = replay?.frames ?? [];
  const call = frames.find((frame) => frame.kind === 'request' && frame.method === 'tools/call');
  if (call === undefined) return null;
  return (
    frames.find(
      (frame) =>
        frame.direction === 'server-to-client' &&
        (frame.kind === 'response' || frame.kind === 'error') &&
        frame.idText === call.idText,
    ) ?? null
  );
}

/**
 * Where a value stands in a frame's text. A pointer may go on into a text that is JSON itself: the
 * place is then the stretch of the string's letters, escapes and all. Null = not found, or past what
 * was sent of the frame.
 */
export function spanInFrame(text: string, pointer: string): TextSpan | null {
  const document = readFrame(text);
  return document === null ? null : spanIn(document, pointer, 1);
}

function readFrame(text: string): JsonDocument | null {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  // The frame goes on beyond what was sent of it: what stands before the cut can be found.
  return readTolerant(text, 0);
}

function spanIn(document: JsonDocument, pointer: string, textsLeft: number): TextSpan | null {
  let node: JsonNode = document.root;
  const segments = pointer === '' ? [] : pointer.slice(1).split('/');
  for (const [index, segment] of segments.entries()) {
    const child = resolvePointer({ text: document.text, root: node }, `/${segment}`);
    if (child !== undefined) {
      node = child;
      continue;
    }
    if (node.kind !== 'string' || textsLeft === 0) return null;
    const inner = parseJson(stringValue(document, node));
    if (!inner.ok) return null;
    const found = spanIn(inner.value, `/${segments.slice(index).join('/')}`, textsLeft - 1);
    return found === null ? null : spanInLiteral(nodeText(document, node), node.start, found);
  }
  return { start: node.start, end: node.end };
}

/** A stretch of a string's value as the stretch of its literal that writes it. */
function spanInLiteral(literal: string, literalStart: number, value: TextSpan): TextSpan {
  let units = 0;
  let start = 0;
  let at = 1;
  for (; at < literal.length - 1 && units < value.end; units += 1) {
    if (units === value.start) start = at;
    if (literal[at] === '\\') at += literal[at + 1] === 'u' ? 6 : 2;
    else at += 1;
  }
  return { start: literalStart + start, end: literalStart + at };
}

/** Byte offsets of a stretch of text in UTF-8. */
export function byteSpanOf(text: string, span: TextSpan): TextSpan {
  const encoder = new TextEncoder();
  const start = encoder.encode(text.slice(0, span.start)).length;
  return { start, end: start + encoder.encode(text.slice(span.start, span.end)).length };
}
