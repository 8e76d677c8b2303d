import type { Origin } from '@misstep/model';
import { unpackContent } from '../../content-encoding.ts';
import { bodyOfBytes, eventsOfBytes, type HttpBody } from '../../http-body.ts';
import { notWhole } from '../../http-failure.ts';
import { HttpTraffic } from '../../http-traffic.ts';
import type { ImportInput, ImportResult } from '../../importer.ts';
import {
  counted,
  IssueList,
  type RecordFate,
  RecordLedger,
  SetAside,
} from '../../record-ledger.ts';
import { nsInRange } from '../../source-time.ts';
import { originAt } from '../../step-builder.ts';
import type { SpanTime } from '../../trace-span.ts';
import { noteMissingTime } from '../../unreadable-time.ts';
import { type CaptureRecord, readCapture } from './capture-file.ts';
import { type Connection, Connections, nameOfProtocol } from './connections.ts';
import { type HttpMessage, readHttp } from './http-messages.ts';
import { readPacket } from './packet.ts';
import { type Pair, pairMessages } from './pair-messages.ts';
import type { StreamPart } from './tcp-stream.ts';

interface ReadBody {
  readonly body: HttpBody | null;
  readonly lost: string | null;
  /** Why it is not read whole. */
  readonly unread: string | null;
  readonly looksLikeJson: boolean;
}

const NO_PACKET = new SetAside('a block of the file that is no packet');
const NO_TCP = new SetAside('a packet of another protocol than TCP');
const NO_DATA = new SetAside('a packet that opens, acknowledges or closes, without data');
const SENT_AGAIN = new SetAside('bytes that were captured before');

/** Reads MCP over HTTP out of the packets of a capture file that is in memory as a whole. */
export class CaptureReader {
  readonly issues = new IssueList();
  readonly ledger: RecordLedger;
  readonly #bytes: Uint8Array;
  readonly #sha256: Origin['sha256'];
  readonly #records: CaptureRecord[] = [];
  readonly #fates: RecordFate[] = [];
  readonly #connections = new Connections();
  readonly #traffic: HttpTraffic;
  readonly #missing = { gaps: 0, bytes: 0 };

  constructor({ main }: ImportInput, bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#sha256 = main.sha256;
    this.ledger = new RecordLedger(main.sha256);
    this.#traffic = new HttpTraffic(this.ledger, this.issues);
  }

  async read(name: string, signal: AbortSignal | undefined): Promise<ImportResult['runs']> {
    const end = this.#readPackets();
    for (const connection of this.#connections.all) {
      signal?.throwIfAborted();
      await this.#readConnection(connection);
    }
    for (const [index, record] of this.#records.entries()) {
      this.ledger.take(record, this.#fates[index] ?? null);
    }
    if (end !== null) {
      this.ledger.malformed(
        { offset: end.offset, length: this.#bytes.length - end.offset },
        end.reason,
      );
    }
    const { gaps, bytes } = this.#missing;
    if (gaps > 0) {
      this.issues.add(
        'CAPTURE_GAPS',
        `${counted(gaps, 'gap')} in connections: ${counted(bytes, 'byte')} of HTTP were not captured, and what they held is missing.`,
        this.#sha256,
      );
    }
    return this.#traffic.finish(name);
  }

  #readPackets(): { offset: number; reason: string } | null {
    const records = readCapture(this.#bytes);
    for (;;) {
      const next = records.next();
      if (next.done === true) return next.value;
      const index = this.#records.push(next.value) - 1;
      this.#fates.push(this.#readPacket(next.value, index));
    }
  }

  #readPacket({ packet, offset }: CaptureRecord, index: number): RecordFate {
    if (packet === null) return NO_PACKET;
    const { linkType, dataAt, capturedLength, atNs, isCut } = packet;
    const content = readPacket(this.#bytes, linkType, dataAt, dataAt + capturedLength);
    if ('other' in content) {
      const isOther = content.other === 'no IP packet' || content.other.startsWith('another');
      return isOther ? NO_TCP : content.other;
    }
    if (isCut && content.payloadLength > 0) {
      this.issues.count(
        'PACKETS_CUT',
        (count) =>
          `${counted(count, 'packet')} captured only in part. Capture with a snap length of 0.`,
        this.#sha256,
        offset,
      );
    }
    const readNs = atNs === null ? null : nsInRange(atNs);
    if (atNs !== null && readNs === null) {
      const text = `${atNs} nanoseconds since 1970`;
      noteMissingTime(this.issues, text, originAt(this.#sha256, { offset, length: 0 }));
    }
    this.#connections.add(content, index, readNs);
    return content.payloadLength === 0 ? NO_DATA : SENT_AGAIN;
  }

  async #readConnection(connection: Connection): Promise<void> {
    const used = new Set<number>();
    const differing = new Set<number>();
    const [left, right] = connection.halves.map((half) =>
      half.parts(
        this.#bytes,
        (packet) => used.add(packet),
        (packet) => differing.add(packet),
      ),
    );
    for (const packet of differing) this.#noteDiffering(packet);
    if (left === undefined || right === undefined || used.size === 0) return;
    const pairs = messagesOf(left, right);
    if (pairs.length === 0) {
      this.#noteUnread(connection, used, nameOfProtocol([left, right]));
      return;
    }
    const isUpgraded = pairs.some(({ answer }) => answer?.status === 101);
    const skipped = isUpgraded
      ? 'another protocol after an upgrade, such as WebSocket'
      : 'the beginning of its HTTP message was not captured';
    for (const packet of used) this.#fates[packet] = skipped;
    for (const { missingBefore } of [...left, ...right]) {
      if (missingBefore === 0) continue;
      this.#missing.gaps += 1;
      this.#missing.bytes += missingBefore;
    }
    for (const pair of pairs) {
      const fate = await this.#readPair(connection, pair);
      for (const message of [pair.request, pair.answer]) {
        if (message !== null) this.#settle(message, fate);
      }
    }
  }

  #noteDiffering(packet: number): void {
    this.#fates[packet] = 'sent again with other bytes than were captured before';
    this.issues.count(
      'SENT_AGAIN_DIFFERENTLY',
      (count) =>
        `${counted(count, 'packet')} of bytes that were captured before, with other bytes; the first stand.`,
      this.#sha256,
      this.#records[packet]?.offset ?? 0,
    );
  }

  #noteUnread({ packets }: Connection, used: ReadonlySet<number>, protocol: string): void {
    const [first = 0] = packets;
    const offset = this.#records[first]?.offset ?? 0;
    const reasons = { tls: 'encrypted (TLS)', http2: 'HTTP/2' };
    const reason = protocol === 'tls' || protocol === 'http2' ? reasons[protocol] : 'no HTTP';
    for (const packet of used) this.#fates[packet] = reason;
    if (protocol === 'tls') {
      this.issues.count(
        'CAPTURE_ENCRYPTED',
        (count) =>
          `${counted(count, 'connection')} encrypted (TLS): what they carried can't be read. Capture behind the TLS, or record with a proxy.`,
        this.#sha256,
        offset,
      );
    } else if (protocol === 'http2') {
      this.issues.count(
        'HTTP2_NOT_READ',
        (count) => `${counted(count, 'connection')} of HTTP/2, which is not read from packets.`,
        this.#sha256,
        offset,
      );
    }
  }

  /** A packet may hold the end of one message and the beginning of another: the better one counts. */
  #settle({ part, start, end, more }: HttpMessage, fate: RecordFate): void {
    this.#settleRange(part, start, end, fate);
    for (const each of more) this.#settleRange(each.part, 0, each.end, fate);
  }

  #settleRange(part: StreamPart, start: number, end: number, fate: RecordFate): void {
    const rank = (each: RecordFate): number =>
      each === null ? 3 : each instanceof SetAside ? 2 : 1;
    for (const piece of part.pieces) {
      if (piece.start >= end || piece.start + piece.length <= start) continue;
      const known = this.#fates[piece.packet] ?? null;
      if (known !== null && rank(fate) > rank(known)) this.#fates[piece.packet] = fate;
    }
  }

  async #readPair(connection: Connection, { request, answer }: Pair): Promise<RecordFate> {
    const first = request ?? answer;
    if (first === null) return null;
    const sent = request === null ? null : await this.#bodyOf(request);
    const received = answer === null ? null : await this.#bodyOf(answer);
    const host = request?.headers.get('host') ?? connection.ends[1];
    const fate = this.#traffic.add({
      record: this.#originOf(first),
      method: request?.method ?? '?',
      url: `http://${host}${request?.target ?? '/'}`,
      sessionId:
        request?.headers.get('mcp-session-id') ?? answer?.headers.get('mcp-session-id') ?? null,
      status: answer?.status ?? 0,
      location: answer?.headers.get('location') ?? null,
      sent: sent?.body ?? null,
      received: received?.body ?? null,
      startedAt: request === null ? null : timeAt(request.part, request.start),
      endedAt: answer === null ? null : timeAt(answer.part, answer.end - 1),
      lost: received === null ? 'The capture holds no answer.' : received.lost,
      unread: received?.unread ?? null,
    });
    const cut = [sent, received].find((each) => each?.lost != null && each.looksLikeJson);
    return fate instanceof SetAside && cut?.lost != null ? cut.lost : fate;
  }

  async #bodyOf(message: HttpMessage): Promise<ReadBody> {
    const { bytes, pieces } = message.body.content();
    const carrier = this.#originOf(message);
    const encoding = message.headers.get('content-encoding') ?? '';
    const unpacked = await unpackContent(bytes, encoding);
    const isPacked = unpacked === null || unpacked.bytes !== bytes;
    const cut = whyCut(message);
    if (unpacked === null || (isPacked && unpacked.fault !== null && message.isComplete)) {
      this.issues.count(
        'PACKED_BODY_NOT_READ',
        (count) =>
          `${counted(count, 'HTTP message')} packed in a way that is not read, damaged, or too large.`,
        this.#sha256,
        carrier.offset,
      );
    }
    if (unpacked === null) {
      const lost = `The body is packed as ${encoding.slice(0, 40)}, which is not read.`;
      return { body: null, lost, unread: null, looksLikeJson: true };
    }
    const content = { bytes: unpacked.bytes, pieces: isPacked ? [] : pieces, carrier };
    const at = (offset: number): SpanTime | null =>
      timeAt(message.part, isPacked ? message.end - 1 : message.body.partOffset(offset));
    const isAsked = message.kind === 'request';
    const body = bodyOfBytes(content, isAsked ? () => timeAt(message.part, message.start) : at);
    const later = message.more.map((each) => this.#eventsOf(each, carrier));
    const type = message.headers.get('content-type') ?? '';
    const looksLikeJson = /json/i.test(type);
    const whole =
      body === null || later.length === 0
        ? body
        : {
            ...body,
            text: [body, ...later].map(({ text }) => text).join('\n\n'),
            messages: [body, ...later].flatMap(({ messages }) => messages),
            broken: [body, ...later].flatMap(({ broken }) => broken),
          };
    const fault = whole === null ? unpacked.fault : (cut ?? unpacked.fault);
    const missingBytes = isPacked ? unpacked.missingBytes : message.body.missingBytes;
    return {
      body: whole === null || missingBytes == null ? whole : { ...whole, missingBytes },
      lost: cut === null ? unpacked.fault : `${cut.charAt(0).toUpperCase()}${cut.slice(1)}.`,
      unread: fault === null ? null : notWhole(fault),
      looksLikeJson,
    };
  }

  /** Whole events of a stream of which the bytes before were not captured; chunk sizes are no fields. */
  #eventsOf({ part, end }: HttpMessage['more'][number], carrier: Origin) {
    const pieces = part.pieces.map(({ start, offset, length }) => ({ start, offset, length }));
    const bytes = part.bytes.subarray(0, end);
    const events = eventsOfBytes({ bytes, pieces, carrier }, (offset) => timeAt(part, offset - 1));
    return { ...events, text: new TextDecoder().decode(bytes) };
  }

  #originOf({ part, start, end }: HttpMessage): Origin {
    let from = Number.POSITIVE_INFINITY;
    let to = 0;
    for (const piece of part.pieces) {
      const begin = Math.max(start, piece.start);
      const finish = Math.min(end, piece.start + piece.length);
      if (begin >= finish) continue;
      from = Math.min(from, piece.offset + begin - piece.start);
      to = Math.max(to, piece.offset + finish - piece.start);
    }
    return originAt(this.#sha256, { offset: from, length: to - from });
  }
}

function whyCut({ isComplete, body }: HttpMessage): string | null {
  if (isComplete) return null;
  if (body.isSizeUnreadable) return 'its Content-Length is no number, so that its end is not known';
  return 'the end of the HTTP message was not captured';
}

function messagesOf(left: StreamPart[], right: StreamPart[]): Pair[] {
  const none = (): undefined => undefined;
  const sides = [left, right].map((parts) => readHttp(parts, none));
  const asking = sides.findIndex((messages) => messages.some(({ kind }) => kind === 'request'));
  const requests = asking < 0 ? [] : (sides[asking] ?? []);
  const isHead = requests.some(({ method }) => method === 'HEAD');
  const answering = asking < 0 ? (sides[0]?.length ? 0 : 1) : 1 - asking;
  const answers = isHead
    ? readHttp(answering === 0 ? left : right, (index) => requests[index]?.method)
    : (sides[answering] ?? []);
  return pairMessages(
    requests.filter(({ kind }) => kind === 'request'),
    answers.filter(({ kind }) => kind === 'response'),
  );
}

/** When the part was there up to this byte: packets may come out of order. */
function timeAt(part: StreamPart, at: number): SpanTime | null {
  let latest: bigint | null = null;
  for (const { start, atNs } of part.pieces) {
    if (start > at) break;
    if (atNs !== null && (latest === null || atNs > latest)) latest = atNs;
  }
  return latest === null ? null : { ns: latest, text: null };
}
