import type { Origin, Step } from '@misstep/model';
import { isAnswer, isRequest, makeExchange } from './api-exchange.ts';
import { Conversations } from './conversations.ts';
import { isCutJson } from './cut-json.ts';
import type { HttpBody } from './http-body.ts';
import { sayWhyUnanswered, whyNoAnswer } from './http-failure.ts';
import type { ImportResult } from './importer.ts';
import { JsonRpcSessions } from './json-rpc-session.ts';
import type { JsonView } from './json-view.ts';
import {
  counted,
  type IssueList,
  type RecordFate,
  type RecordLedger,
  SetAside,
} from './record-ledger.ts';
import { absolute, goesOnFrom, isRedirect, Redirects } from './redirects.ts';
import { addRpc, isRpc } from './rpc-view.ts';
import { answerOfStream } from './streamed-answer.ts';
import type { SpanTime } from './trace-span.ts';
import { stepsOfUnasked } from './unasked-answer.ts';
import { runOfFrames } from './wire-run.ts';

export const NO_MESSAGE = new SetAside(
  'the MCP session ends, or waits for messages that never came',
);
export const OTHER_TRAFFIC = new SetAside('other traffic, without JSON in either direction');

export const OTHER_JSON = new SetAside(
  "other traffic, with JSON that is neither MCP nor a model's API",
);

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
  /** Where a redirect leads to, as the answer writes it. */
  readonly location?: string | null;
  /** What came before the answer and led to it, where that is part of the exchange. */
  readonly led?: string | null;
  readonly sent: HttpBody | null;
  readonly received: HttpBody | null;
  readonly startedAt: SpanTime | null;
  readonly endedAt: SpanTime | null;
  /** Why an answer may be missing; null = the recording holds no body. */
  readonly lost: string | null;
  /** Why the body of an answer that came is not read whole, as `notWhole` says it; null = it is. */
  readonly unread?: string | null;
  /** True where the recording doesn't show that JSON-RPC was sent: then an answer may stand by itself. */
  readonly isSentUnknown?: boolean;
}

interface Message {
  readonly view: JsonView;
  readonly at: SpanTime | null;
  readonly direction: 'client-to-server' | 'server-to-client';
  readonly exchange: HttpExchange;
}

/** MCP traffic over HTTP to one run, talks with models to others, whatever recorded them. */
export class HttpTraffic {
  readonly #sessions: JsonRpcSessions;
  readonly #conversations: Conversations;
  readonly #messages: Message[] = [];
  /** Answers to requests that the recording doesn't show. */
  readonly #unasked: HttpExchange[] = [];
  /** A question to a model that was answered with a redirect, as long as nothing was asked after it. */
  #redirected: { readonly exchange: HttpExchange; readonly add: () => void } | null = null;
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
    const { sent, received, startedAt, endedAt, status } = exchange;
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
      const unanswered = whyNoAnswer(exchange);
      const breaks = streamed?.breaks ?? null;
      const said = answer === null ? { ...talk, unanswered } : { ...talk, breaks };
      this.#addTalk(exchange, () => this.#conversations.add(said, { startedAt, endedAt }));
      return null;
    }
    if (exchange.isSentUnknown === true && sent === null && status >= 300 && received !== null) {
      this.#unasked.push(exchange);
      return null;
    }
    // The end of a session (DELETE) and its stream of server messages (GET) hold no message.
    const isSession = exchange.sessionId !== null || received?.endpoint !== undefined;
    if (isSession && asked === null && messages.length === 0) return NO_MESSAGE;
    // A page, a picture, a script; or an API of something else, which a browser records as well.
    return asked === null && messages.length === 0 ? OTHER_TRAFFIC : OTHER_JSON;
  }

  finish(name: string): ImportResult['runs'] {
    this.#redirected?.add();
    const waiting: { step: Step; exchange: HttpExchange }[] = [];
    const messages = inTimeOrder(this.#messages);
    const asked = messages.filter(({ direction }) => direction === 'client-to-server');
    const redirects = new Redirects(asked.map(({ exchange }) => exchange));
    const stepOf = new Map<HttpExchange, Step>();
    for (const message of messages) {
      const { exchange, direction } = message;
      this.#addUnasked(exchange.record.offset);
      const first = direction === 'client-to-server' ? redirects.before(exchange) : null;
      const known = first === null ? undefined : stepOf.get(first);
      const before = this.#sessions.steps.length;
      this.#addMessage(message, redirects, known ?? null);
      if (direction !== 'client-to-server') continue;
      if (first !== null) this.#noteRedirect(first);
      for (const step of this.#sessions.steps.slice(before)) {
        waiting.push({ step, exchange: redirects.lastOf(exchange) });
      }
      const step = known ?? this.#sessions.steps[before];
      if (step !== undefined) stepOf.set(exchange, step);
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

  /** One that was redirected waits for the next: the same again goes on from it. */
  #addTalk(exchange: HttpExchange, add: () => void): void {
    const first = this.#redirected;
    this.#redirected = null;
    if (first !== null && goesOnFrom(first.exchange, exchange)) this.#noteRedirect(first.exchange);
    else first?.add();
    if (isRedirect(exchange.status)) this.#redirected = { exchange, add };
    else add();
  }

  #noteRedirect({ record }: HttpExchange): void {
    this.#issues.count(
      'REDIRECT_FOLLOWED',
      (count) =>
        `${counted(count, 'request')} that ${count === 1 ? 'was' : 'were'} redirected and sent again, as ${count === 1 ? 'it was' : 'they were'}, to the address that the answer named: each is one call.`,
      record.sha256,
      record.offset,
    );
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
    for (const { view, at } of sent?.messages ?? []) {
      const shared = { view, exchange, direction: 'client-to-server' } as const;
      this.#messages.push({ ...shared, at: at ?? startedAt });
    }
    for (const { view, at } of received?.messages ?? []) {
      if (!isRpc(view)) continue;
      const shared = { view, exchange, direction: 'server-to-client' } as const;
      this.#messages.push({ ...shared, at: at ?? endedAt });
    }
  }

  #addMessage(
    { view, at, direction, exchange }: Message,
    redirects: Redirects,
    repeats: Step | null,
  ): void {
    const isAsking = direction === 'client-to-server' || exchange.sent === null;
    addRpc(this.#sessions, view, {
      direction,
      connection: connectionOf(redirects.lastOf(exchange)),
      server: null,
      at,
      recordOffset: exchange.record.offset,
      remark: isAsking ? redirects.remarkOn(exchange) : null,
      repeats,
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
  const address = received?.endpoint === undefined ? url : absolute(received.endpoint, url);
  const session = sessionId ?? /[?&]session_?id=([^&#]{1,200})/i.exec(address)?.[1] ?? '';
  return `${withoutQuery(address)} ${session}`;
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
