import { crc32 } from './crc32.ts';
import { FRAME_TRANSPORTS, type FrameTransport } from './frame.ts';

/**
 * The frame log: Misstep's own wire recording, described in docs/formats/frame-log.md.
 *
 * A file is a first line and then records, appended one after the other and never rewritten:
 *
 *     misstep-frames 1\n
 *     F > 0 1764489600000000000 stdio c1 46 1c291ca3\n<46 payload bytes>\n
 *
 * Fields of a record's line: `F`, lane, monotonic nanoseconds since the log began, wall
 * nanoseconds since 1970, transport, connection, payload length in bytes, CRC-32 of the payload.
 * The payload is the frame exactly as it crossed the transport, without the transport's own
 * delimiter. After a crash everything up to the torn record reads; after damage in the middle
 * reading goes on at the next record whose checksum holds.
 */
export const FRAME_LOG_MAGIC = 'misstep-frames 1\n';

/**
 * `>` client to server, `<` server to client, `!` the server's stderr, `#` what happened to the
 * connection (JSON: started, exit, http status and headers ...).
 */
export type FrameLogLane = '>' | '<' | '!' | '#';

export interface FrameLogRecord {
  readonly lane: FrameLogLane;
  readonly monotonicNs: bigint;
  readonly wallNs: bigint;
  readonly transport: FrameTransport;
  /** Tells connections of one log apart; letters, digits, `-`, `_`. */
  readonly connection: string;
  readonly payload: Uint8Array;
}

export interface FrameLogEntry extends FrameLogRecord {
  /** Of the whole record, its line included. */
  readonly offset: number;
  readonly length: number;
  readonly payloadOffset: number;
}

export interface FrameLogDamage {
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}

export interface FrameLogReading {
  readonly entries: readonly FrameLogEntry[];
  readonly damage: readonly FrameLogDamage[];
}

const LINE =
  /^F ([<>!#]) (-?\d{1,20}) (-?\d{1,20}) ([a-z-]{1,20}) ([A-Za-z0-9_-]{1,40}) (\d{1,12}) ([0-9a-f]{8})$/;
const MAX_LINE_BYTES = 160;
const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

export function encodeFrameRecord(record: FrameLogRecord): Uint8Array {
  const { lane, monotonicNs, wallNs, transport, connection, payload } = record;
  const checksum = crc32(payload).toString(16).padStart(8, '0');
  const line = encoder.encode(
    `F ${lane} ${monotonicNs} ${wallNs} ${transport} ${connection} ${payload.length} ${checksum}\n`,
  );
  const bytes = new Uint8Array(line.length + payload.length + 1);
  bytes.set(line, 0);
  bytes.set(payload, line.length);
  bytes[bytes.length - 1] = NEWLINE;
  return bytes;
}

/** Reads a whole log, or what a crash has left of it. Payloads are views into `bytes`. */
export function readFrameLog(bytes: Uint8Array): FrameLogReading {
  const entries: FrameLogEntry[] = [];
  const damage: FrameLogDamage[] = [];
  let offset = startsWithMagic(bytes) ? FRAME_LOG_MAGIC.length : 0;
  while (offset < bytes.length) {
    const read = readRecord(bytes, offset);
    if (typeof read !== 'string') {
      entries.push(read);
      offset += read.length;
      continue;
    }
    const next = findNextRecord(bytes, offset + 1);
    damage.push({ offset, length: next - offset, reason: read });
    offset = next;
  }
  return { entries, damage };
}

/** True where the bytes begin as a frame log does, even a torn one. */
export function startsWithMagic(bytes: Uint8Array): boolean {
  const magic = encoder.encode(FRAME_LOG_MAGIC);
  return bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte);
}

/** The record at `offset`, or why there is none. */
function readRecord(bytes: Uint8Array, offset: number): FrameLogEntry | string {
  const lineEnd = bytes.subarray(offset, offset + MAX_LINE_BYTES).indexOf(NEWLINE);
  if (lineEnd < 0) return 'the record line is cut';
  const match = LINE.exec(decoder.decode(bytes.subarray(offset, offset + lineEnd)));
  if (match === null) return 'not a record line';
  const [, lane, monotonic, wall, transport, connection, length, checksum] = match;
  const payloadOffset = offset + lineEnd + 1;
  const payloadLength = Number(length);
  if (payloadOffset + payloadLength > bytes.length) return 'the payload is cut';
  const payload = bytes.subarray(payloadOffset, payloadOffset + payloadLength);
  if (crc32(payload) !== Number.parseInt(checksum ?? '', 16)) return 'the checksum does not hold';
  const closed = bytes[payloadOffset + payloadLength] === NEWLINE;
  return {
    // The pattern allows exactly these four.
    lane: lane as FrameLogLane,
    monotonicNs: BigInt(monotonic ?? 0),
    wallNs: BigInt(wall ?? 0),
    transport: FRAME_TRANSPORTS.find((known) => known === transport) ?? 'unknown',
    connection: connection ?? '',
    payload,
    offset,
    length: lineEnd + 1 + payloadLength + (closed ? 1 : 0),
    payloadOffset,
  };
}

/** Where the next whole record begins at or after `from`; the end of the bytes if none does. */
function findNextRecord(bytes: Uint8Array, from: number): number {
  let newline = bytes.indexOf(NEWLINE, Math.max(0, from - 1));
  while (newline >= 0) {
    const candidate = newline + 1;
    if (bytes[candidate] === 0x46 && typeof readRecord(bytes, candidate) !== 'string') {
      return candidate;
    }
    newline = bytes.indexOf(NEWLINE, candidate);
  }
  return bytes.length;
}
