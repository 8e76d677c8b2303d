import type { Origin } from '@misstep/model';
import type { BodyBytes } from './http-body.ts';
import type { JsonView } from './json-view.ts';
import { type SseEvent, STREAM_END } from './sse-events.ts';

/** What of an event of a stream is there, where it begins as JSON and isn't whole. */
export interface BrokenEvent {
  readonly text: string;
  readonly origin: Origin;
  /** True where the bytes at the origin are the text itself. */
  readonly isExact: boolean;
}

/** Data that are no JSON by intent (an address, a word, the sign of the end) are not broken. */
export const startsAsJson = (data: string): boolean =>
  /^\s*[[{]/.test(data) && data.trim() !== STREAM_END;

/** An event of a body whose bytes stand in the source, in one piece or several. */
export function brokenInBytes({ data, span }: SseEvent, body: BodyBytes): BrokenEvent {
  const { pieces, carrier } = body;
  const piece =
    span === null
      ? undefined
      : pieces.find(({ start, length }) => start <= span.start && span.end <= start + length);
  if (span === null || piece === undefined) return { text: data, origin: carrier, isExact: false };
  const offset = piece.offset + span.start - piece.start;
  const origin = { sha256: carrier.sha256, offset, length: span.end - span.start, pointer: '' };
  return { text: data, origin, isExact: true };
}

/** An event of a body that stands in the source as a JSON string, with its place within that. */
export function brokenInString(
  { data, span }: SseEvent,
  text: string,
  bytes: Uint8Array,
  string: JsonView,
): BrokenEvent {
  const whole = { text: data, origin: string.origin, isExact: false };
  if (span === null || string.isInner || string.text !== text) return whole;
  const from = unitsIn(bytes.subarray(0, span.start));
  const { written, origin } = string;
  const begin = placeOfUnit(written, 1, from);
  const end = placeOfUnit(written, begin, unitsIn(bytes.subarray(span.start, span.end)));
  const place = { offset: origin.offset + sizeOf(written.slice(0, begin)) };
  const length = sizeOf(written.slice(begin, end));
  return { ...whole, origin: { ...origin, ...place, length } };
}

/** Where a JSON string stands so many characters further. */
function placeOfUnit(written: string, from: number, units: number): number {
  let at = from;
  for (let unit = 0; unit < units && at < written.length - 1; unit += 1) {
    at += written[at] !== '\\' ? 1 : written[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}

const unitsIn = (bytes: Uint8Array): number =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).length;

const sizeOf = (text: string): number => new TextEncoder().encode(text).length;
