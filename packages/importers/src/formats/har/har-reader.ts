import { bodyOfText, type HttpBody } from '../../http-body.ts';
import { notWhole } from '../../http-failure.ts';
import { HttpTraffic } from '../../http-traffic.ts';
import type { ImportResult } from '../../importer.ts';
import type { JsonView } from '../../json-view.ts';
import { counted, type IssueList, type RecordLedger } from '../../record-ledger.ts';
import { decimalToNs, readTime } from '../../source-time.ts';
import type { SpanTime } from '../../trace-span.ts';
import { bodyText } from './body-text.ts';

/** Reads the entries of a HAR: MCP traffic to one run, talks with models to others. */
export class HarReader {
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;
  readonly #traffic: HttpTraffic;

  constructor(ledger: RecordLedger, issues: IssueList) {
    this.#ledger = ledger;
    this.#issues = issues;
    this.#traffic = new HttpTraffic(ledger, issues);
  }

  async readEntry(entry: JsonView): Promise<void> {
    if (entry.get('request')?.isObject !== true) {
      this.#ledger.malformed(entry.origin, NO_ENTRY);
      return;
    }
    if (entry.get('_webSocketMessages')?.isArray === true) {
      this.#issues.count(
        'WEBSOCKET_NOT_READ',
        (count) => `${counted(count, 'WebSocket connection')}, which MCP doesn't use, not read.`,
        this.#ledger.sha256,
        entry.origin.offset,
      );
      this.#ledger.notUnderstood(entry.origin, 'WebSocket messages');
      return;
    }
    const request = entry.get('request');
    const response = entry.get('response');
    const startedAt = startOf(entry);
    const answeredWith = Number(response?.get('status')?.number ?? 0);
    const answered = await this.#bodyOf(
      response?.get('content'),
      header(response, 'content-encoding'),
    );
    const received = answered.body ?? eventsOf(entry);
    const asked = await this.#bodyOf(request?.get('postData'), header(request, 'content-encoding'));
    const sent = asked.body;
    const lack = sent === null && received === null ? lackOf(entry) : null;
    if (lack !== null) {
      this.#issues.count(
        'BODIES_NOT_IN_FILE',
        (count) =>
          `${counted(count, 'exchange')} whose JSON is not in the archive, but left out or in files beside it; record with the bodies embedded.`,
        this.#ledger.sha256,
        entry.origin.offset,
      );
      this.#ledger.notUnderstood(entry.origin, `its JSON ${lack}`);
      return;
    }
    const fate = this.#traffic.add({
      record: entry.origin,
      method: request?.get('method')?.text ?? '?',
      url: request?.get('url')?.text ?? '?',
      sessionId: header(request, 'mcp-session-id') ?? header(response, 'mcp-session-id'),
      status: answeredWith,
      location: header(response, 'location') ?? (response?.get('redirectURL')?.text || null),
      sent,
      received,
      startedAt,
      endedAt: endOf(entry, startedAt),
      lost: received === null && answeredWith !== 202 ? lostBy(answered) : null,
      unread: answered.isBegun && answered.fault !== null ? notWhole(answered.fault) : null,
    });
    this.#ledger.take(entry.origin, fate);
  }

  finish(name: string): ImportResult['runs'] {
    return this.#traffic.finish(name);
  }

  async #bodyOf(content: JsonView | undefined, encoding: string | null): Promise<ReadBody> {
    const body = await bodyText(content, encoding);
    const place = content?.get('text');
    if (body === null || place === undefined) return { body: null, fault: null, isBegun: false };
    const { text, fault } = body;
    if (text === null) return { body: null, fault, isBegun: false };
    if (body.repaired) {
      this.#issues.count(
        'MOJIBAKE_REPAIRED',
        (count) =>
          `${counted(count, 'HTTP message')} that the recorder read as Windows-1252; read as the UTF-8 it is.`,
        this.#ledger.sha256,
        place.origin.offset,
      );
    }
    if (text === '') return { body: null, fault, isBegun: fault !== null };
    const size = content?.get('size')?.count ?? 0;
    const missingBytes = Math.max(
      body.missingBytes ?? 0,
      size - new TextEncoder().encode(text).length,
    );
    const read = bodyOfText(text, place);
    const whole = missingBytes > 0 ? { ...read, missingBytes } : read;
    return { body: whole, fault, isBegun: fault !== null };
  }
}

interface ReadBody {
  readonly body: HttpBody | null;
  /** Why it is not read, or not whole. */
  readonly fault: string | null;
  /** True of a packed body that broke off: the answer came, and is not here as a whole. */
  readonly isBegun: boolean;
}

function lostBy({ fault }: ReadBody): string {
  return fault === null
    ? 'The HAR holds no body of the answer.'
    : `The HAR holds a body of the answer that can't be decoded: ${fault}.`;
}

const NO_ENTRY = 'no entry: it holds no request';

/** Where bodies of JSON went that crossed the wire and aren't in the entry; null = there were none. */
function lackOf(entry: JsonView): string | null {
  const posted = entry.at('request', 'postData');
  const content = entry.at('response', 'content');
  const isLacking = (body: JsonView | undefined, size: JsonView | undefined): boolean =>
    /json|event-stream/.test(body?.get('mimeType')?.text ?? '') &&
    (Number(size?.number ?? 0) > 0 || body?.get('_file') !== undefined);
  const lacks =
    isLacking(posted, entry.at('request', 'bodySize')) || isLacking(content, content?.get('size'));
  if (!lacks) return null;
  const isBeside = (posted?.get('_file') ?? content?.get('_file')) !== undefined;
  return isBeside ? 'stands in files beside the archive' : 'was left out of the archive';
}

/** What Chrome keeps of an EventSource, apart from the body: each event with its time. */
function eventsOf(entry: JsonView): HttpBody | null {
  const events = entry.get('_eventSourceMessages');
  if (events?.isArray !== true) return null;
  let endpoint: string | undefined;
  const messages: { view: JsonView; at: SpanTime | null }[] = [];
  for (const event of events.items) {
    const data = event.get('data');
    if (event.get('eventName')?.text === 'endpoint') endpoint ??= data?.text ?? undefined;
    const view = data?.inner() ?? null;
    const seconds = event.get('time')?.number ?? null;
    const ns = seconds === null ? null : decimalToNs(seconds, 's');
    if (view !== null) messages.push({ view, at: ns === null ? null : { ns, text: seconds } });
  }
  const value = () => events.value('wire');
  return {
    text: '',
    place: events,
    value,
    broken: [],
    messages,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** Names of headers come in any case. */
function header(message: JsonView | undefined, name: string): string | null {
  for (const item of message?.get('headers')?.items ?? []) {
    if (item.get('name')?.text?.toLowerCase() === name) return item.get('value')?.text ?? null;
  }
  return null;
}

function startOf(entry: JsonView): SpanTime | null {
  const time = readTime(entry.get('startedDateTime')?.text ?? '');
  return time?.clock === 'zoned' ? time : null;
}

/** The HAR writes how long the whole exchange took; there is no text of its end. */
function endOf(entry: JsonView, startedAt: SpanTime | null): SpanTime | null {
  const text = entry.get('time')?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 'ms');
  if (startedAt === null || text === null || ns === null || ns < 0n) return null;
  return { ns: startedAt.ns + ns, text: null };
}
