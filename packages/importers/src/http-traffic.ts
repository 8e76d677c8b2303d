import type { Origin, Step } from '@misstep/model';
import { isAnswer, isRequest, makeExchange } from './api-exchange.ts';
import { Conversations } from './conversations.ts';
import { isCutJson } from './cut-json.ts';
import type { HttpBody } from './http-body.ts';
import { sayWhyUnanswered, whyNoAnswer } from './http-failure.ts';
import type { ImportResult } from './importer.ts';
import { JsonRpcSessions } from './json-rpc-session.ts';
import type { JsonView } from './json-view.ts';
import { oneLine } from './one-line.ts';
import {
  counted,
  type IssueList,
  type RecordFate,
  type RecordLedger,
  SetAside,
} from './record-ledger.ts';
import { addRpc, isRpc } from './rpc-view.ts';
import { answerOfStream } from './streamed-answer.ts';
import type { SpanTime } from './trace-span.ts';
import { stepsOfUnasked } from './unasked-answer.ts';
import { runOfFrames } from './wire-run.ts';

export const NO_MESSAGE = new SetAside(
  'the MCP session ends, or waits for messages that never came',
);
export const OTHER_TRAFFIC = new SetAside('other traffic, without JSON in either direction');

/** One HTTP request and its answer, as far as a recording holds them. */
export interface HttpExchange {
  /** Where it begins; steps without bytes of their own get their ids from it. */
  readonly record: Origin;
  readonly method: string;
  /** With the query. */
  readonly url: string;
  /** What `Mcp-Session-Id` says in either direction. */
  readonly sessionId: string | null;
  /** 0 = no answer is recorded. */
  readonly status: number;
  readonly sent: HttpBody | null;
  readonly received: HttpBody | null;
  readonly startedAt: SpanTime | null;
  readonly endedAt: SpanTime | null;
  /** Why an answer may be missing; null = the recording holds no body. */
  readonly lost: string | null;
  /** True where the recording doesn't show that JSON-RPC was sent: then an answer may stand by itself. */
  readonly isSentUnknown?: boolean;
}

interface Message {
  readonly view: JsonView;
  readonly at: SpanTime | null;
  readonly direction: 'client-to-server' | 'server-to-client';
  readonly exchange: HttpExchange;
  readonly connection: string;
}

/** MCP traffic over HTTP to one run, talks with models to others, whatever recorded them. */
export class HttpTraffic {
  readonly #sessions: JsonRpcSessions;
  readonly #conversations: Conversations;
  readonly #messages: Message[] = [];
  /** Answers to requests that the recording doesn't show. */
  readonly #unasked: HttpExchange[] = [];
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;

  constructor(ledger: RecordLedger, issues: IssueList) {
    this.#ledger = ledger;
    this.#issues = issues;
    this.#sessions = new JsonRpcSessions(ledger.sha256, issues);
    this.#conversations = new Conversations(issues);
  }

  /** What became of the exchange. */
  add(exchange: HttpExchange): RecordFate {
    const { sent, received, startedAt, endedAt, method, url, status } = exchange;
    const messages = received?.messages ?? [];
    const asked = sent?.messages[0]?.view ?? null;
    if ((asked !== null && isRpc(asked)) || messages.some(({ view }) => isRpc(view))) {
      if (sent !== null && asked === null && isCutJson(sent.text)) this.#noteCutRequest(exchange);
      this.#noteBroken(received);
      this.#addMessages(exchange);
      if (exchange.isSentUnknown === true) this.#unasked.push(exchange);
      return null;
    }
    const isAsking = asked !== null && isRequest(asked);
    const single = messages.length === 1 ? messages[0]?.view : undefined;
    const streamed = received === null ? null : answerOfStream(received.text, received.place);
    const answer = streamed?.answer ?? (single !== undefined && isAnswer(single) ? single : null);
    if (isAsking || (answer !== null && (asked !== null || exchange.isSentUnknown === true))) {
      this.#noteBroken(received);
      const talk = makeExchange(isAsking ? asked : null, answer);
      const unanswered = whyNoAnswer(status, received);
      const breaks = streamed?.breaks ?? null;
      this.#conversations.add(answer === null ? { ...talk, unanswered } : { ...talk, breaks }, {
        startedAt,
        endedAt,
      });
      return null;
    }
    if (exchange.isSentUnknown === true && sent === null && status >= 300 && received !== null) {
      this.#unasked.push(exchange);
      return null;
    }
    // The end of a session (DELETE) and its stream of server messages (GET) hold no message.
    const isSession = exchange.sessionId !== null || received?.endpoint !== undefined;
    if (isSession && asked === null && messages.length === 0) return NO_MESSAGE;
    // A page, a picture, a script. What carries JSON may be an API that nobody knows here.
    if (asked === null && messages.length === 0) return OTHER_TRAFFIC;
    return oneLine(`neither MCP nor a model's API: ${method} ${withoutQuery(url)}`, 200);
  }

  finish(name: string): ImportResult['runs'] {
    const waiting: { step: Step; exchange: HttpExchange }[] = [];
    for (const message of inTimeOrder(this.#messages)) {
      this.#addUnasked(message.exchange.record.offset);
      const before = this.#sessions.steps.length;
      this.#addMessage(message);
      if (message.direction !== 'client-to-server') continue;
      for (const step of this.#sessions.steps.slice(before)) {
        waiting.push({ step, exchange: message.exchange });
      }
    }
    this.#addUnasked(Number.POSITIVE_INFINITY);
    for (const { step, exchange } of waiting) sayWhyUnanswered(step, exchange);
    const hasTimes = this.#sessions.steps.some(({ time }) => time.startedAtNs !== null);
    const wire = runOfFrames(this.#sessions, name, hasTimes ? 'zoned' : 'none');
    const talks = this.#conversations.runs(null, name);
    return wire === null ? talks : [{ ...wire, key: 'mcp' }, ...talks];
  }

  /** Those that stand before a place of the source. */
  #addUnasked(before: number): void {
    for (;;) {
      const [first] = this.#unasked;
      if (first === undefined || first.record.offset >= before) return;
      this.#unasked.shift();
      const nextId = (): Step['id'] => this.#sessions.nextId(first.record.offset);
      for (const step of stepsOfUnasked(first, nextId)) this.#sessions.addStep(step);
    }
  }

  #noteCutRequest({ record }: HttpExchange): void {
    this.#issues.count(
      'REQUEST_CUT',
      (count) =>
        `${counted(count, 'request')} of which the recording holds only the beginning: what was asked for is not known, and the answer stands among the frames, at no call.`,
      record.sha256,
      record.offset,
    );
  }

  /** Each is a record of its own, so that its bytes are found; the others of its stream stay. */
  #noteBroken(body: HttpBody | null): void {
    for (const { origin } of body?.broken ?? []) {
      this.#ledger.malformed(origin, 'an event of a stream that is not whole');
      this.#issues.count(
        'EVENT_CUT',
        (count) =>
          `${counted(count, 'event')} of streams of which the recording holds a part alone; the other events are read.`,
        origin.sha256,
        origin.offset,
      );
    }
  }

  #addMessages(exchange: HttpExchange): void {
    const { sent, received, startedAt, endedAt } = exchange;
    const connection = connectionOf(exchange);
    for (const { view, at } of sent?.messages ?? []) {
      const shared = { view, connection, exchange, direction: 'client-to-server' } as const;
      this.#messages.push({ ...shared, at: at ?? startedAt });
    }
    for (const { view, at } of received?.messages ?? []) {
      if (!isRpc(view)) continue;
      const shared = { view, connection, exchange, direction: 'server-to-client' } as const;
      this.#messages.push({ ...shared, at: at ?? endedAt });
    }
  }

  #addMessage({ view, at, direction, connection, exchange }: Message): void {
    addRpc(this.#sessions, view, {
      direction,
      connection,
      server: null,
      at,
      recordOffset: exchange.record.offset,
      remark: null,
    });
  }
}

/** Where every message has a time, answers on another stream than their request come after it. */
function inTimeOrder(messages: readonly Message[]): readonly Message[] {
  if (messages.some(({ at }) => at === null)) return messages;
  const nsOf = ({ at }: Message): bigint => at?.ns ?? 0n;
  return [...messages].sort((a, b) => (nsOf(a) < nsOf(b) ? -1 : nsOf(a) > nsOf(b) ? 1 : 0));
}

/**
 * Requests of one session go by one name. Over the older HTTP+SSE transport the stream of answers
 * tells, in its `endpoint` event, the address that the requests go to.
 */
function connectionOf({ url, sessionId, received }: HttpExchange): string {
  const address = received?.endpoint === undefined ? url : resolve(received.endpoint, url);
  const session = sessionId ?? /[?&]session_?id=([^&#]{1,200})/i.exec(address)?.[1] ?? '';
  return `${withoutQuery(address)} ${session}`;
}

function resolve(endpoint: string, base: string): string {
  try {
    return new URL(endpoint, base).href;
  } catch {
    return endpoint;
  }
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
