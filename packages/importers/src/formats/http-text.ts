import { parseJson, parseLooseJsonPrefix } from '@misstep/json';
import { MAX_DOCUMENT_BYTES } from '../document-entries.ts';
import { bodyOfBytes, bodyOfText, type HttpBody } from '../http-body.ts';
import { HttpTraffic } from '../http-traffic.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { assembledView } from '../json-view.ts';
import { counted, IssueList, RecordLedger, SetAside } from '../record-ledger.ts';
import { absolute, ledTo } from '../redirects.ts';
import { isRpc } from '../rpc-view.ts';
import { looksLikeSse } from '../sse-events.ts';
import { originAt } from '../step-builder.ts';
import { refuseLarge, refuseUtf16 } from '../unreadable-source.ts';
import { type CurlCommand, goesOn, readCommand } from './http-text/curl-command.ts';
import {
  COMMAND,
  REQUEST_LINE,
  STATUS_LINE,
  type TextExchange,
  TextExchanges,
  type TextMessage,
} from './http-text/text-exchanges.ts';
import { type TextLine, textLines } from './http-text/text-lines.ts';

/** HTTP as people paste it: what `curl -i` and `curl -v` print, requests and answers as text. */
export const httpText: Importer = {
  id: 'http-text',
  title: 'HTTP as text (curl)',
  evidence: 'wire',
  revision: 2,
  sniff,
  read,
};

const NOTE = new SetAside('what curl says of the connection, or how far it is');
const CHUNK_SIZE = /^[0-9a-f]{1,8}\s*$/i;
const EVENT_FIELD = /^(?::|(?:event|data|id|retry):)/;
const MOST_LINE_END = 2;
const LINE_FEED = 0x0a;
const OTHER_LINE = 'text that is no HTTP';
const TELLING =
  /^(?:[<>] )?(?:content-type|mcp-[\w-]+|transfer-encoding|content-length|date|server|host|accept):/i;

/** Blank lines are none of the head's: without a header the body follows the status line. */
const BODY_LINE = /^(?:[[{]|(?:event|data):)/;

function sniff({ lines }: SourceHead): number {
  const isHttp = lines.some(
    (line, at) =>
      STATUS_LINE.test(line) &&
      (BODY_LINE.test(lines[at + 1] ?? '') ||
        lines.slice(at + 1, at + 30).some((below) => TELLING.test(below))),
  );
  if (!isHttp) return 0;
  const [first = ''] = lines;
  const begins = [COMMAND, REQUEST_LINE, STATUS_LINE, /^\* /, /^\s*% Total/];
  return begins.some((each) => each.test(first)) ? 0.93 : 0.45;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const issues = new IssueList();
  const ledger = new RecordLedger(main.sha256);
  if (main.sizeBytes > MAX_DOCUMENT_BYTES) {
    refuseLarge(main, ledger, issues, 'A text of more than 256 MiB is not read.');
    return { runs: [], sources: [ledger.account()], issues: issues.list() };
  }
  const bytes = await main.read(0, main.sizeBytes);
  signal?.throwIfAborted();
  const exchanges = new TextExchanges((line, fate) => {
    if (fate === 'note') ledger.setAside(line, NOTE);
    else ledger.notUnderstood(line, OTHER_LINE);
  });
  for (const line of textLines(bytes)) exchanges.add(line, goesOn);
  const reader = new TextReader(bytes, ledger, issues);
  for (const exchange of exchanges.all) reader.add(exchange);
  onProgress?.({ readBytes: main.sizeBytes, records: ledger.total, steps: 0 });
  const runs = reader.traffic.finish(main.name);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

class TextReader {
  readonly traffic: HttpTraffic;
  readonly #bytes: Uint8Array;
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;

  constructor(bytes: Uint8Array, ledger: RecordLedger, issues: IssueList) {
    this.#bytes = bytes;
    this.#ledger = ledger;
    this.#issues = issues;
    this.traffic = new HttpTraffic(ledger, issues);
  }

  add(exchange: TextExchange): void {
    const { request, answer, lines } = exchange;
    const record = this.#originOf(lines);
    if (answer === null && request === null) {
      this.#ledger.notUnderstood(record, 'a command without an answer');
      return;
    }
    const command = this.#commandOf(exchange.command);
    const shown = this.#sentBy(command, exchange.command) ?? this.#bodyOf(request);
    // The name of a file, what a shell fills in, JSON that was cut: not what was asked for.
    const sent = shown === null || shown.messages.length === 0 ? null : shown;
    const received = this.#bodyOf(answer);
    if (sent === null && answer !== null)
      this.#noteUnknownRequest(exchange, command, record.offset);
    const header = (name: string): string | null =>
      request?.headers.get(name) ?? answer?.headers.get(name) ?? null;
    const host = request?.headers.get('host') ?? 'unknown';
    let url = command?.url ?? `http://${host}${request?.target ?? '/'}`;
    const led = exchange.led.map(({ status, headers }) => {
      const location = headers.get('location') ?? null;
      if (location !== null) url = absolute(location, url);
      return ledTo(status, location);
    });
    const fate = this.traffic.add({
      record,
      method: request?.method || command?.method || '?',
      url,
      sessionId: command?.sessionId ?? header('mcp-session-id'),
      status: answer?.status ?? 0,
      location: answer?.headers.get('location') ?? null,
      led: led.length === 0 ? null : led.join('; '),
      sent,
      received,
      startedAt: null,
      endedAt: null,
      lost: received === null ? 'The text holds no body of the answer.' : null,
      isSentUnknown: sent?.messages.some(({ view }) => isRpc(view)) !== true,
    });
    this.#ledger.take(record, fate);
  }

  /** curl prints what comes back, and of what it sends the head alone. */
  #noteUnknownRequest(
    { request, answer }: TextExchange,
    command: CurlCommand | null,
    offset: number,
  ): void {
    const method = request?.method || command?.method;
    if (method === 'GET' || (answer?.status ?? 0) === 202) return;
    this.#issues.count(
      'REQUEST_NOT_SHOWN',
      (count) =>
        `${counted(count, 'answer')} to ${count === 1 ? 'a request whose body' : 'requests whose bodies'} the text doesn't show: what was asked for is not known.`,
      this.#ledger.sha256,
      offset,
    );
  }

  #commandOf(lines: readonly TextLine[]): CurlCommand | null {
    if (lines.length === 0) return null;
    return readCommand(this.#textOf(lines));
  }

  #textOf(lines: readonly TextLine[]): string {
    const { offset, length } = this.#originOf(lines);
    return new TextDecoder().decode(this.#bytes.subarray(offset, offset + length));
  }

  #sentBy(command: CurlCommand | null, lines: readonly TextLine[]): HttpBody | null {
    if (command?.body == null) return null;
    const origin = this.#originOf(lines);
    if (command.bodyAt !== null) {
      const text = new TextDecoder().decode(this.#bytes.subarray(origin.offset, lastEnd(lines)));
      const offset = origin.offset + new TextEncoder().encode(text.slice(0, command.bodyAt)).length;
      const length = new TextEncoder().encode(command.body).length;
      return this.#bodyAt([{ offset, length, breaks: 0 }], origin);
    }
    const place = assembledView('null', origin);
    return place === null ? null : bodyOfText(command.body, place);
  }

  #bodyOf(message: TextMessage | null): HttpBody | null {
    if (message === null) return null;
    const lines = [...message.body];
    while (lines.length > 0 && lines.at(-1)?.text.trim() === '') lines.pop();
    while (lines.length > 0 && lines[0]?.text.trim() === '') lines.shift();
    const isChunked = CHUNK_SIZE.test(lines[0]?.text ?? '');
    const last = isChunked ? lines.findIndex(({ text }) => /^0+\s*$/.test(text)) : -1;
    const behind = last < 0 ? [] : lines.splice(last).slice(1);
    const own = isChunked ? lines.filter(({ text }) => !CHUNK_SIZE.test(text)) : lines;
    const rest = own.splice(endOfBody(own.map(({ text }) => text)));
    for (const line of [...rest, ...behind]) {
      if (line.text.trim() !== '') this.#ledger.notUnderstood(line, OTHER_LINE);
    }
    return own.length === 0 ? null : this.#bodyAt(spansOf(own), this.#originOf(own));
  }

  #bodyAt(spans: readonly Span[], carrier: ReturnType<typeof originAt>): HttpBody | null {
    const pieces = [];
    let size = 0;
    for (const { offset, length, breaks } of spans) {
      if (size > 0) size += breaks;
      pieces.push({ start: size, offset, length });
      size += length;
    }
    const bytes = new Uint8Array(size).fill(LINE_FEED);
    for (const { start, offset, length } of pieces) {
      bytes.set(this.#bytes.subarray(offset, offset + length), start);
    }
    return bodyOfBytes({ bytes, pieces, carrier });
  }

  #originOf(lines: readonly TextLine[]): ReturnType<typeof originAt> {
    const offset = lines[0]?.offset ?? 0;
    return originAt(this.#ledger.sha256, { offset, length: lastEnd(lines) - offset });
  }
}

/** How many lines are the body: behind JSON or the last event there may be a person's words. */
function endOfBody(lines: readonly string[]): number {
  const text = lines.join('\n');
  if (/^[[{]/.test(text)) {
    const parsed = parseLooseJsonPrefix(text, 0);
    return parsed.ok ? text.slice(0, parsed.value.end).split('\n').length : lines.length;
  }
  if (!looksLikeSse(text)) return lines.length;
  return lines.findLastIndex((line) => EVENT_FIELD.test(line)) + 1;
}

interface Span {
  readonly offset: number;
  length: number;
  /** Line breaks in front of it that the text doesn't hold. */
  readonly breaks: number;
}

/** Lines that follow one another are one span, with what ends them; a note may stand in between. */
function spansOf(lines: readonly TextLine[]): Span[] {
  const spans: Span[] = [];
  let isWhole = false;
  for (const { text, offset, end } of lines) {
    const last = spans.at(-1);
    // Who pastes loses empty lines: behind data that are whole, what follows is another event.
    const divides = isWhole && text.trim() !== '';
    const follows = last !== undefined && offset <= last.offset + last.length + MOST_LINE_END;
    if (last !== undefined && follows && !divides) last.length = end - last.offset;
    else spans.push({ offset, length: end - offset, breaks: divides ? 2 : 1 });
    isWhole = text.startsWith('data:') && parseJson(text.slice(5)).ok;
  }
  return spans;
}

const lastEnd = (lines: readonly TextLine[]): number => lines.at(-1)?.end ?? 0;
