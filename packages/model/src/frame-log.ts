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

/** Reads from a log of which only a part is in memory at a time; fewer bytes only at its end. */
export type FrameLogRead = (offset: number, length: number) => Promise<Uint8Array>;

/** A longer frame is damage: it would have to be in memory whole. */
export const MAX_FRAME_PAYLOAD_BYTES = 64 * 1024 * 1024;
const WINDOW_BYTES = 1024 * 1024;

/**
 * As `readFrameLog`, a piece at a time: `payload` is good until the next step of the iteration.
 * Frames of more than MAX_FRAME_PAYLOAD_BYTES are damage.
 */
export async function* streamFrameLog(
  sizeBytes: number,
  read: FrameLogRead,
): AsyncGenerator<FrameLogEntry | FrameLogDamage> {
  const log = new FrameLogWindow(sizeBytes, read);
  let offset = startsWithMagic(await log.view(0, FRAME_LOG_MAGIC.length))
    ? FRAME_LOG_MAGIC.length
    : 0;
  while (offset < sizeBytes) {
    const found = await log.record(offset);
    if (typeof found !== 'string') {
      yield found;
      offset += found.length;
      continue;
    }
    const next = await log.nextRecord(offset + 1);
    yield { offset, length: next - offset, reason: found };
    offset = next;
  }
}

/** The part of a log that is in memory. */
class FrameLogWindow {
  readonly #sizeBytes: number;
  readonly #read: FrameLogRead;
  #bytes: Uint8Array = new Uint8Array(0);
  #offset = 0;

  constructor(sizeBytes: number, read: FrameLogRead) {
    this.#sizeBytes = sizeBytes;
    this.#read = read;
  }

  /** From `offset` on: at least `length` bytes, or what there is. */
  async view(offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(this.#sizeBytes, offset + length);
    if (offset < this.#offset || end > this.#offset + this.#bytes.length) {
      const wanted = Math.min(this.#sizeBytes - offset, Math.max(length, WINDOW_BYTES));
      this.#bytes = await this.#read(offset, wanted);
      this.#offset = offset;
    }
    return this.#bytes.subarray(offset - this.#offset);
  }

  /** The record at `offset`, or why there is none. */
  async record(offset: number): Promise<FrameLogEntry | string> {
    let bytes = await this.view(offset, MAX_LINE_BYTES);
    const line = readLine(bytes, 0);
    if (typeof line === 'string') return line;
    if (line.payloadLength > MAX_FRAME_PAYLOAD_BYTES) return 'a frame of more than 64 MiB';
    // With the line feed behind it.
    bytes = await this.view(offset, line.length + line.payloadLength + 1);
    const entry = readRecord(bytes, 0);
    if (typeof entry === 'string') return entry;
    return { ...entry, offset, payloadOffset: offset + entry.payloadOffset };
  }

  /** As `findNextRecord`. */
  async nextRecord(from: number): Promise<number> {
    for (let at = Math.max(0, from - 1); at < this.#sizeBytes; ) {
      const bytes = await this.view(at, MAX_LINE_BYTES);
      const newline = bytes.indexOf(NEWLINE);
      if (newline < 0) {
        at += bytes.length;
        continue;
      }
      at += newline + 1;
      if (bytes[newline + 1] !== 0x46 && newline + 1 < bytes.length) continue;
      if (at < this.#sizeBytes && typeof (await this.record(at)) !== 'string') return at;
    }
    return this.#sizeBytes;
  }
}

/** True where the bytes begin as a frame log does, even a torn one. */
export function startsWithMagic(bytes: Uint8Array): boolean {
  const magic = encoder.encode(FRAME_LOG_MAGIC);
  return bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte);
}

/** A record's line; its length is that with the line feed. */
function readLine(
  bytes: Uint8Array,
  offset: number,
): { match: RegExpExecArray; length: number; payloadLength: number } | string {
  const lineEnd = bytes.subarray(offset, offset + MAX_LINE_BYTES).indexOf(NEWLINE);
  if (lineEnd < 0) return 'the record line is cut';
  const match = LINE.exec(decoder.decode(bytes.subarray(offset, offset + lineEnd)));
  if (match === null) return 'not a record line';
  return { match, length: lineEnd + 1, payloadLength: Number(match[6]) };
}

/** The record at `offset`, or why there is none. */
function readRecord(bytes: Uint8Array, offset: number): FrameLogEntry | string {
  const line = readLine(bytes, offset);
  if (typeof line === 'string') return line;
  const { payloadLength } = line;
  const [, lane, monotonic, wall, transport, connection, , checksum] = line.match;
  const payloadOffset = offset + line.length;
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
    length: line.length + payloadLength + (closed ? 1 : 0),
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
