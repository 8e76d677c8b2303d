import { isFault, readVarint, readWireField } from '../protobuf-wire.ts';

/**
 * How requests stand in a file: one by itself, or several with their lengths in front, as a varint
 * (protobuf's own way) or as four bytes, the highest first (the collector's file exporter).
 */
export type ProtobufFraming = 'bare' | 'varint' | 'fixed32';

export interface FramedLength {
  readonly start: number;
  readonly length: number;
}

/** Told by the first span; null where there is none. */
export function framingOf(bytes: Uint8Array): ProtobufFraming | null {
  if (holdsSpan(bytes, 0, Number.POSITIVE_INFINITY)) return 'bare';
  for (const framing of ['varint', 'fixed32'] as const) {
    const framed = readLength(framing, bytes, 0);
    if (framed !== null && holdsSpan(bytes, framed.start, framed.start + framed.length)) {
      return framing;
    }
  }
  return null;
}

/** The length that stands at `at`; null where it is cut or larger than any message. */
export function readLength(
  framing: Exclude<ProtobufFraming, 'bare'>,
  bytes: Uint8Array,
  at: number,
): FramedLength | null {
  if (framing === 'varint') {
    const read = readVarint(bytes, at, bytes.length);
    return read === null || read.value > 0x7fff_ffffn
      ? null
      : { start: read.end, length: Number(read.value) };
  }
  if (at + 4 > bytes.length) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
  return length > 0x7fff_ffff ? null : { start: at + 4, length };
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** True where a request that begins at `start` holds a resource's spans with a scope's with a span. */
function holdsSpan(bytes: Uint8Array, start: number, end: number): boolean {
  const resourceSpans = firstMessage(bytes, start, end, 1, [1]);
  const scopeSpans =
    resourceSpans && firstMessage(bytes, resourceSpans.start, resourceSpans.end, 2, [1, 2, 3]);
  const span = scopeSpans && firstMessage(bytes, scopeSpans.start, scopeSpans.end, 2, [1, 2, 3]);
  if (!span) return false;
  const traceId = firstMessage(bytes, span.start, span.end, 1, [1]);
  const spanId = traceId && firstMessage(bytes, traceId.end, span.end, 2, [2]);
  return (
    !!spanId &&
    traceId.end - traceId.start === TRACE_ID_BYTES &&
    spanId.end - spanId.start === SPAN_ID_BYTES
  );
}

/** The first field `number`, where nothing but length-delimited `allowed` fields stand before it. */
function firstMessage(
  bytes: Uint8Array,
  start: number,
  end: number,
  number: number,
  allowed: readonly number[],
): { start: number; end: number } | null {
  for (let at = start; at < Math.min(end, bytes.length); ) {
    const read = readWireField(bytes, at, Math.min(end, bytes.length));
    if (isFault(read) || read.type !== 2 || !allowed.includes(read.number)) return null;
    // What is cut by its own message is no message; by the end of what was read it may be one.
    if (read.isCut && end <= bytes.length) return null;
    if (read.number === number) return { start: read.start, end: read.isCut ? end : read.end };
    at = read.end;
  }
  return null;
}
