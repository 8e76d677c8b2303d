import { crc32 } from './crc32.ts';

/**
 * The span journal: the bodies of OTLP requests in which spans of one trace, or log records of its
 * spans, came, each byte for byte, described in docs/formats/otlp-received.md.
 *
 * A file is a first line and then records, appended one after the other and never rewritten:
 *
 *     misstep-spans 1 4bf92f3577b34da6a3ce929d0e0e4736\n
 *     S 1764489600000000000 protobuf gzip 461 1c291ca3\n<461 body bytes>\n
 *
 * Fields of a record's line: `S`, wall nanoseconds since 1970 at which it came, the body's encoding,
 * what it was compressed with on the way (the journal holds it uncompressed), its length in bytes,
 * its CRC-32. After a crash everything up to the torn record reads; after damage in the middle
 * reading goes on at the next record whose checksum holds.
 */
export const SPAN_JOURNAL_START = 'misstep-spans 1 ';

/** JSON says by itself whether it holds spans or log records; protobuf doesn't. */
export const SPAN_ENCODINGS = ['json', 'protobuf', 'protobuf-logs'] as const;
export type SpanEncoding = (typeof SPAN_ENCODINGS)[number];

export interface SpanJournalRecord {
  readonly wallNs: bigint;
  readonly encoding: SpanEncoding;
  readonly compression: 'identity' | 'gzip';
  readonly body: Uint8Array;
}

export interface SpanJournalEntry extends SpanJournalRecord {
  readonly bodyOffset: number;
}

export interface SpanJournalDamage {
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}

export interface SpanJournalReading {
  /** 32 lower-case hexadecimal digits; null where the first line can't be read. */
  readonly traceId: string | null;
  readonly entries: readonly SpanJournalEntry[];
  readonly damage: readonly SpanJournalDamage[];
}

const FIRST_LINE = /^misstep-spans 1 ([0-9a-f]{32})$/;
const LINE =
  /^S (\d{1,20}) (json|protobuf|protobuf-logs) (identity|gzip) (\d{1,12}) ([0-9a-f]{8})$/;
const MAX_LINE_BYTES = 100;
const NEWLINE = 10;
const LETTER_S = 0x53;
const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

/** `traceId`: 32 lower-case hexadecimal digits. */
export function encodeSpanJournalStart(traceId: string): Uint8Array {
  return encoder.encode(`${SPAN_JOURNAL_START}${traceId}\n`);
}

export function encodeSpanJournalRecord(record: SpanJournalRecord): Uint8Array {
  const { wallNs, encoding, compression, body } = record;
  const checksum = crc32(body).toString(16).padStart(8, '0');
  const line = encoder.encode(
    `S ${wallNs} ${encoding} ${compression} ${body.length} ${checksum}\n`,
  );
  const bytes = new Uint8Array(line.length + body.length + 1);
  bytes.set(line, 0);
  bytes.set(body, line.length);
  bytes[bytes.length - 1] = NEWLINE;
  return bytes;
}

/** The trace of a journal that begins with these bytes; null where they don't begin one. */
export function journalTraceId(bytes: Uint8Array): string | null {
  const line = lineAt(bytes, 0);
  return line === null ? null : (FIRST_LINE.exec(line)?.[1] ?? null);
}

/** Reads a whole journal, or what a crash has left of it. Bodies are views into `bytes`. */
export function readSpanJournal(bytes: Uint8Array): SpanJournalReading {
  const entries: SpanJournalEntry[] = [];
  const damage: SpanJournalDamage[] = [];
  const traceId = journalTraceId(bytes);
  let offset = traceId === null ? 0 : (lineAt(bytes, 0)?.length ?? 0) + 1;
  while (offset < bytes.length) {
    const read = readRecord(bytes, offset);
    if (typeof read !== 'string') {
      entries.push(read.entry);
      offset = read.end;
      continue;
    }
    const next = findNextRecord(bytes, offset + 1);
    damage.push({ offset, length: next - offset, reason: read });
    offset = next;
  }
  return { traceId, entries, damage };
}

function lineAt(bytes: Uint8Array, offset: number): string | null {
  const end = bytes.subarray(offset, offset + MAX_LINE_BYTES).indexOf(NEWLINE);
  return end < 0 ? null : decoder.decode(bytes.subarray(offset, offset + end));
}

/** The record at `offset`, or why there is none. */
function readRecord(
  bytes: Uint8Array,
  offset: number,
): { entry: SpanJournalEntry; end: number } | string {
  const line = lineAt(bytes, offset);
  if (line === null) return 'the record line is cut';
  const match = LINE.exec(line);
  if (match === null) return 'not a record line';
  const [, wall, encoding, compression, length, checksum] = match;
  const bodyOffset = offset + line.length + 1;
  const bodyEnd = bodyOffset + Number(length);
  if (bodyEnd > bytes.length) return 'the body is cut';
  const body = bytes.subarray(bodyOffset, bodyEnd);
  if (crc32(body) !== Number.parseInt(checksum ?? '', 16)) return 'the checksum does not hold';
  return {
    entry: {
      wallNs: BigInt(wall ?? 0),
      encoding: SPAN_ENCODINGS.find((each) => each === encoding) ?? 'protobuf',
      compression: compression === 'gzip' ? 'gzip' : 'identity',
      body,
      bodyOffset,
    },
    end: bytes[bodyEnd] === NEWLINE ? bodyEnd + 1 : bodyEnd,
  };
}

/** Where the next whole record begins at or after `from`; the end of the bytes if none does. */
function findNextRecord(bytes: Uint8Array, from: number): number {
  let newline = bytes.indexOf(NEWLINE, Math.max(0, from - 1));
  while (newline >= 0) {
    const candidate = newline + 1;
    if (bytes[candidate] === LETTER_S && typeof readRecord(bytes, candidate) !== 'string') {
      return candidate;
    }
    newline = bytes.indexOf(NEWLINE, candidate);
  }
  return bytes.length;
}
