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

/** Told by the first span or log record; null where there is none. */
export function framingOf(bytes: Uint8Array): ProtobufFraming | null {
  if (signalOf(bytes, 0, Number.POSITIVE_INFINITY) !== null) return 'bare';
  for (const framing of ['varint', 'fixed32'] as const) {
    const framed = readLength(framing, bytes, 0);
    const end = framed === null ? 0 : framed.start + framed.length;
    if (framed !== null && signalOf(bytes, framed.start, end) !== null) return framing;
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

interface Extent {
  readonly start: number;
  readonly end: number;
}

const LENGTH_DELIMITED = 2;
const GROUP = 3;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** What a request that begins at `start` holds in its first resource and scope; null = neither. */
export function signalOf(bytes: Uint8Array, start: number, end: number): 'spans' | 'logs' | null {
  const resource = firstMessage(bytes, start, end, 1, [1]);
  const scope = resource && firstMessage(bytes, resource.start, resource.end, 2, [1, 2, 3]);
  const item = scope && firstMessage(bytes, scope.start, scope.end, 2, [1, 2, 3]);
  if (!item) return null;
  return isSpan(bytes, item) ? 'spans' : isLogRecord(bytes, item) ? 'logs' : null;
}

function isSpan(bytes: Uint8Array, span: Extent): boolean {
  const traceId = firstMessage(bytes, span.start, span.end, 1, [1]);
  const spanId = traceId && firstMessage(bytes, traceId.end, span.end, 2, [2]);
  return (
    !!spanId &&
    traceId.end - traceId.start === TRACE_ID_BYTES &&
    spanId.end - spanId.start === SPAN_ID_BYTES
  );
}

/** Wire types of a log record's fields: times and flags have a fixed width, which spans begin with nowhere. */
const LOG_FIELDS: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 0],
  [3, 2],
  [5, 2],
  [6, 2],
  [7, 0],
  [8, 5],
  [9, 2],
  [10, 2],
  [11, 1],
  [12, 2],
]);

/** A log record: nothing but its fields, a time first, and a body, attributes or a name. */
function isLogRecord(bytes: Uint8Array, { start, end }: Extent): boolean {
  const limit = Math.min(end, bytes.length);
  let says = false;
  for (let at = start; at < limit; ) {
    if (wireTypeAt(bytes, at) === GROUP) return false;
    const read = readWireField(bytes, at, limit);
    // What was read ends within the record.
    if (isFault(read) || read.isCut) return says && end > bytes.length;
    const isTime = read.number === 1 || read.number === 11;
    if (LOG_FIELDS.get(read.number) !== read.type || (at === start && !isTime)) return false;
    says ||= read.type === 2;
    at = read.end;
  }
  return says;
}

/** By the first byte of a tag, whatever number follows. */
const wireTypeAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) & 7;

/** The first field `number`, where nothing but length-delimited `allowed` fields stand before it. */
function firstMessage(
  bytes: Uint8Array,
  start: number,
  end: number,
  number: number,
  allowed: readonly number[],
): { start: number; end: number } | null {
  for (let at = start; at < Math.min(end, bytes.length); ) {
    // Any text may look like groups in groups to its very end.
    if (wireTypeAt(bytes, at) !== LENGTH_DELIMITED) return null;
    const read = readWireField(bytes, at, Math.min(end, bytes.length));
    if (isFault(read) || read.type !== 2 || !allowed.includes(read.number)) return null;
    // What is cut by its own message is no message; by the end of what was read it may be one.
    if (read.isCut && end <= bytes.length) return null;
    if (read.number === number) return { start: read.start, end: read.isCut ? end : read.end };
    at = read.end;
  }
  return null;
}
