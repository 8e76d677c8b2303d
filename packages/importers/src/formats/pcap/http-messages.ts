import { MessageBody } from './message-body.ts';
import type { StreamPart } from './tcp-stream.ts';

/** One HTTP/1.1 message of a stream (RFC 9112). */
export interface HttpMessage {
  readonly kind: 'request' | 'response';
  /** Of a request. */
  readonly method: string;
  readonly target: string;
  /** Of an answer. */
  readonly status: number;
  /** By lower-case name; several of one name are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly part: StreamPart;
  /** In the part's bytes, with the body. */
  readonly start: number;
  readonly end: number;
  readonly body: MessageBody;
  /** False where its end was not captured. */
  isComplete: boolean;
  /** Of an event stream: where it goes on after bytes that were not captured. */
  readonly more: { readonly part: StreamPart; readonly end: number }[];
}

const REQUEST = /^([A-Z]{3,12}) (\S{1,16384}) HTTP\/1\.[01]$/;
const ANSWER = /^HTTP\/1\.[01] (\d{3})(?: |$)/;
const MOST_HEAD_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/**
 * The messages of one side. `methodOf` gives the method of the request that the n-th answer is for:
 * an answer to HEAD has no body. After a gap reading goes on at the next packet that begins a message.
 */
export function readHttp(
  parts: readonly StreamPart[],
  methodOf: (answer: number) => string | undefined,
): HttpMessage[] {
  const messages: HttpMessage[] = [];
  let answers = 0;
  for (const part of parts) {
    const first = nextStart(part, 0);
    const last = messages.at(-1);
    // What goes on until the connection closes goes on behind the gap.
    if (first !== 0 && last?.body.isUntilClose === true) last.isComplete = false;
    if (first !== 0 && last?.isComplete === false && isEventStream(last)) {
      last.more.push({ part, end: first ?? part.bytes.length });
    }
    for (let at = first; at !== null; ) {
      const message = readMessage(part, at, () => methodOf(answers));
      if (message === null) {
        at = nextStart(part, at + 1);
        continue;
      }
      messages.push(message);
      const isInterim = message.kind === 'response' && message.status < 200;
      if (message.kind === 'response' && !isInterim) answers += 1;
      // What follows an upgrade is another protocol.
      if (message.status === 101) break;
      const next = message.end;
      at =
        next >= part.bytes.length ? null : isStart(part.bytes, next) ? next : nextStart(part, next);
    }
  }
  return messages;
}

function isEventStream({ headers }: HttpMessage): boolean {
  const packed = headers.get('content-encoding') ?? 'identity';
  return packed === 'identity' && /event-stream/i.test(headers.get('content-type') ?? '');
}

/** True where an HTTP/1 message begins. */
export function isStart(bytes: Uint8Array, at: number): boolean {
  const line = latin1(bytes.subarray(at, Math.min(bytes.length, at + 16_500)));
  const first = line.slice(0, Math.max(0, line.indexOf('\n'))).replace(/\r$/, '');
  return REQUEST.test(first) || ANSWER.test(first);
}

/** A message begins where a packet does, unless one follows another directly. */
function nextStart(part: StreamPart, from: number): number | null {
  for (const { start } of part.pieces) {
    if (start >= from && isStart(part.bytes, start)) return start;
  }
  return null;
}

function readMessage(
  part: StreamPart,
  start: number,
  methodOfAnswer: () => string | undefined,
): HttpMessage | null {
  const { bytes } = part;
  const head = headAt(bytes, start);
  if (head === null) return null;
  const [first = '', ...lines] = head.lines;
  const request = REQUEST.exec(first);
  const answer = ANSWER.exec(first);
  if (request === null && answer === null) return null;
  const headers = headersOf(lines);
  const status = answer === null ? 0 : Number(answer[1]);
  const hasNone =
    status !== 0 &&
    (status < 200 || status === 204 || status === 304 || methodOfAnswer() === 'HEAD');
  const body = new MessageBody(part, head.end);
  if (!hasNone) body.read(headers, answer !== null);
  return {
    kind: request === null ? 'response' : 'request',
    method: request?.[1] ?? '',
    target: request?.[2] ?? '',
    status,
    headers,
    part,
    start,
    end: body.end,
    body,
    isComplete: body.isComplete,
    more: [],
  };
}

function headAt(bytes: Uint8Array, start: number): { lines: string[]; end: number } | null {
  const limit = Math.min(bytes.length, start + MOST_HEAD_BYTES);
  const lines: string[] = [];
  for (let at = start; at < limit; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0 || end >= limit) return null;
    const line = latin1(bytes.subarray(at, end)).replace(/\r$/, '');
    at = end + 1;
    if (line === '') return { lines, end: at };
    lines.push(line);
  }
  return null;
}

function headersOf(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return headers;
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
