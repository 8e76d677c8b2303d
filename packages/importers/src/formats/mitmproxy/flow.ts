import type { Origin } from '@misstep/model';
import { unpackContent } from '../../content-encoding.ts';
import { bodyOfBytes, type HttpBody } from '../../http-body.ts';
import { notWhole } from '../../http-failure.ts';
import type { HttpTraffic } from '../../http-traffic.ts';
import { firstLine } from '../../one-line.ts';
import { counted, type IssueList, type RecordFate, SetAside } from '../../record-ledger.ts';
import { decimalToNs } from '../../source-time.ts';
import { originAt } from '../../step-builder.ts';
import type { SpanTime } from '../../trace-span.ts';
import { TnetReader, type TnetValue } from './tnetstring.ts';

interface ReadBody {
  readonly body: HttpBody | null;
  readonly lost: string | null;
  /** Why a body that is packed can't be read, or not whole. */
  readonly packed: string | null;
  /** Why it is not read whole. */
  readonly fault: string | null;
}

const OTHER_FLOW = new SetAside('a flow of another protocol than HTTP');

/** Reads flows of one file. */
export class FlowReader {
  readonly #bytes: Uint8Array;
  readonly #sha256: Origin['sha256'];
  readonly #issues: IssueList;
  readonly #traffic: HttpTraffic;
  readonly #tnet: TnetReader;

  constructor(
    bytes: Uint8Array,
    sha256: Origin['sha256'],
    issues: IssueList,
    traffic: HttpTraffic,
  ) {
    this.#bytes = bytes;
    this.#sha256 = sha256;
    this.#issues = issues;
    this.#traffic = traffic;
    this.#tnet = new TnetReader(bytes);
  }

  async readFlow(flow: TnetValue, record: Origin): Promise<RecordFate> {
    const tnet = this.#tnet;
    const type = tnet.text(tnet.get(flow, 'type')) ?? 'http';
    if (type !== 'http') return OTHER_FLOW;
    const request = tnet.get(flow, 'request');
    if (request === null) return 'a flow without a request';
    const response = tnet.get(flow, 'response');
    const asked = this.#headersOf(request);
    const answered = this.#headersOf(response);
    if (tnet.get(flow, 'websocket') !== null) return this.#noteWebSocket(record);
    const sent = await this.#bodyOf(request, asked);
    const received = await this.#bodyOf(response, answered);
    const failure = tnet.text(tnet.get(tnet.get(flow, 'error'), 'msg'));
    const lost = failure === null ? received.lost : firstLine(`No answer: ${failure}`, 200);
    const startedAt = this.#timeOf(request, 'timestamp_start');
    const answeredAt =
      this.#timeOf(response, 'timestamp_end') ?? this.#timeOf(response, 'timestamp_start');
    const fate = this.#traffic.add({
      record,
      method: tnet.text(tnet.get(request, 'method')) ?? '?',
      url: this.#urlOf(request, asked),
      sessionId: asked.get('mcp-session-id') ?? answered.get('mcp-session-id') ?? null,
      status: Number(tnet.number(tnet.get(response, 'status_code')) ?? 0),
      location: answered.get('location') ?? null,
      sent: sent.body,
      received: received.body,
      startedAt,
      endedAt: answeredAt,
      lost: lost ?? (response === null ? 'The flow holds no answer.' : null),
      unread: received.fault === null ? null : notWhole(received.fault),
    });
    const packed = sent.packed ?? received.packed;
    return packed !== null && fate instanceof SetAside ? packed : fate;
  }

  #noteWebSocket(record: Origin): string {
    this.#issues.count(
      'WEBSOCKET_NOT_READ',
      (count) => `${counted(count, 'WebSocket connection')}, which MCP doesn't use, not read.`,
      this.#sha256,
      record.offset,
    );
    return 'WebSocket messages';
  }

  #headersOf(message: TnetValue | null): Map<string, string> {
    const headers = new Map<string, string>();
    for (const header of this.#tnet.items(this.#tnet.get(message, 'headers'))) {
      const [name = null, value = null] = this.#tnet.items(header);
      const key = this.#tnet.text(name)?.toLowerCase();
      const known = key === undefined ? undefined : headers.get(key);
      const text = this.#tnet.text(value) ?? '';
      if (key !== undefined) headers.set(key, known === undefined ? text : `${known}, ${text}`);
    }
    return headers;
  }

  /** Transparent proxies know the host by its address alone: what the client called it goes first. */
  #urlOf(request: TnetValue, headers: ReadonlyMap<string, string>): string {
    const text = (key: string): string => this.#tnet.text(this.#tnet.get(request, key)) ?? '';
    const port = this.#tnet.number(this.#tnet.get(request, 'port')) ?? '';
    const host = headers.get('host') ?? (text('authority') || `${text('host')}:${port}`);
    return `${text('scheme') || 'http'}://${host}${text('path')}`;
  }

  #timeOf(message: TnetValue | null, key: string): SpanTime | null {
    const text = this.#tnet.number(this.#tnet.get(message, key));
    const ns = text === null ? null : decimalToNs(text, 's');
    return text === null || ns === null || ns <= 0n ? null : { ns, text };
  }

  /** Content stands in the flow as it crossed the wire, still packed. */
  async #bodyOf(
    message: TnetValue | null,
    headers: ReadonlyMap<string, string>,
  ): Promise<ReadBody> {
    const content = this.#tnet.get(message, 'content');
    if (content === null) {
      const lost =
        message === null ? null : 'The flow holds no body of the answer: it was streamed.';
      return { body: null, lost, packed: null, fault: null };
    }
    const { at, length } = content;
    const bytes = this.#bytes.subarray(at, at + length);
    const encoding = headers.get('content-encoding') ?? '';
    const unpacked = await unpackContent(bytes, encoding);
    const carrier = originAt(this.#sha256, { offset: at, length });
    if (unpacked === null || unpacked.fault !== null) {
      this.#issues.count(
        'PACKED_BODY_NOT_READ',
        (count) =>
          `${counted(count, 'HTTP message')} packed in a way that is not read, damaged, or too large.`,
        this.#sha256,
        at,
      );
    }
    if (unpacked === null) {
      const packed = `a body packed as ${encoding.slice(0, 40)}, which is not read`;
      const lost = 'The body is packed in a way that is not read.';
      return { body: null, lost, packed, fault: null };
    }
    const isPacked = unpacked.bytes !== bytes;
    const pieces = isPacked ? [] : [{ start: 0, offset: at, length }];
    const { fault, missingBytes } = unpacked;
    const read = bodyOfBytes({ bytes: unpacked.bytes, pieces, carrier });
    const body = read === null || missingBytes === undefined ? read : { ...read, missingBytes };
    return { body, lost: fault, packed: fault, fault };
  }
}
