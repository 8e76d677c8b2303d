import { encodeString } from '@misstep/json';
import type { AnswerBook, RawAnswer } from './answer-book.ts';
import { wordRpcError } from './answer-words.ts';
import type {
  ConnectionOptions,
  EraConnection,
  Handshake,
  SentCall,
  ToolPageAnswer,
} from './connection-options.ts';
import { type RawTransport, RefusedRequestError } from './frame-transport.ts';
import { answerInputs } from './input-rounds.ts';
import { readDiscoverAnswer, readModernHandshake, resultTypeOf } from './modern-answers.ts';
import {
  callMembers,
  MODERN_REVISION,
  modernFrameText,
  type RoundInput,
  requestMeta,
} from './modern-frames.ts';
import { methodHeaders, parameterHeaders } from './modern-headers.ts';
import { servedCapabilities } from './server-requests.ts';
import { shortened } from './shortened.ts';
import type { TapWriter } from './tap.ts';
import { readToolPage } from './tool-list.ts';

/** How often one call may ask for more; a server that goes on asking would never let it end. */
export const MOST_ROUNDS = 8;
/** No id of the legacy client, which counts from 0, so that a late answer is nobody else's. */
const DISCOVER_ID = '20260728';

/** What a server said to server/discover. */
export type Discovery =
  | { readonly kind: 'modern'; readonly handshake: Handshake }
  /** It speaks these revisions, and 2026-07-28 is none of them. */
  | { readonly kind: 'otherRevisions'; readonly supported: readonly string[]; readonly why: string }
  /** Half a sentence. */
  | { readonly kind: 'unusable'; readonly why: string }
  | { readonly kind: 'legacy'; readonly why: string };

/**
 * Revision 2026-07-28: no handshake and no session; every request says its revision and what we
 * can do, and what the server wants to know it asks for in a result (multi round-trip requests).
 * Frames are written and read by us alone.
 */
export class ModernConnection implements EraConnection {
  readonly #options: Pick<ConnectionOptions, 'answerServer'>;
  readonly #transport: RawTransport;
  readonly #isHttp: boolean;
  readonly #book: AnswerBook;
  readonly #tap: TapWriter;
  readonly #meta: string;
  readonly #definitions = new Map<string, string>();
  #nextId = 1;

  /** `book` sees every record of the transport. */
  constructor(
    options: Pick<ConnectionOptions, 'address' | 'clientVersion' | 'answerServer'>,
    transport: RawTransport,
    book: AnswerBook,
    tap: TapWriter,
  ) {
    this.#options = options;
    this.#transport = transport;
    this.#isHttp = options.address.transport !== 'stdio';
    this.#book = book;
    this.#tap = tap;
    const served = options.answerServer === undefined ? {} : servedCapabilities('auto');
    this.#meta = requestMeta(options.clientVersion, JSON.stringify(served));
  }

  /**
   * Asks which revisions the server speaks. A probe leaves the connection as it is where the server
   * doesn't take it. Pending where no answer comes; rejects where the connection ends.
   */
  async discover(isProbe: boolean, signal: AbortSignal): Promise<Discovery> {
    const answer = this.#book.answerTo(DISCOVER_ID, true);
    const sent = this.#send(DISCOVER_ID, 'server/discover', '', null, {}, signal, isProbe);
    const refused = sent.then(
      () => new Promise<never>(() => undefined),
      (error: unknown) => error,
    );
    const first = await Promise.race([answer, refused]);
    if (first instanceof RefusedRequestError) return { kind: 'legacy', why: `${first.message}.` };
    if (!isAnswer(first)) throw first;
    const read = readDiscoverAnswer(first.frame);
    const isError = first.frame.head.kind === 'error';
    if (read.kind === 'legacy') {
      const why = isError
        ? wordRpcError(first.frame)
        : 'its result names no supportedVersions, so it is no answer to server/discover.';
      return { kind: 'legacy', why };
    }
    const { supported } = read;
    if (!read.isError && supported.includes(MODERN_REVISION)) {
      return { kind: 'modern', handshake: readModernHandshake(first) };
    }
    if (supported.length === 0) {
      return {
        kind: 'unusable',
        why: isError ? wordRpcError(first.frame) : 'it speaks no revision.',
      };
    }
    const listed = shortened(supported.join(', '), 200);
    const why = supported.includes(MODERN_REVISION)
      ? `it refuses ${MODERN_REVISION}, but says that it speaks ${listed}.`
      : `it speaks ${listed}, and ${MODERN_REVISION} is not among them.`;
    return { kind: 'otherRevisions', supported, why };
  }

  async handshake(): Promise<Handshake> {
    const discovery = await this.discover(false, NEVER);
    if (discovery.kind === 'modern') return discovery.handshake;
    throw new Error(discovery.why);
  }

  async listTools(cursor: string | null): Promise<ToolPageAnswer> {
    const idText = this.#takeId();
    const expected = this.#book.answerTo(idText, true);
    const members = cursor === null ? '' : `"cursor":${encodeString(cursor)},`;
    this.#send(idText, 'tools/list', members, null, {}, NEVER).catch(() => undefined);
    const answer = await expected;
    if (answer.frame.head.kind === 'error') return { kind: 'error', answer };
    const page = readToolPage(answer);
    for (const { name, definitionText } of page.tools) this.#definitions.set(name, definitionText);
    return { kind: 'page', page, answer };
  }

  callTool(tool: string, argumentsText: string): SentCall {
    const given = new AbortController();
    const call = { rounds: 0, idText: '' };
    const answer = this.#call(tool, argumentsText, call, given.signal);
    const isHttp = this.#isHttp;
    return {
      answer,
      get rounds() {
        return call.rounds;
      },
      cancel: (reason) => {
        if (given.signal.aborted) return;
        given.abort(reason);
        if (isHttp) this.#tap.event('note', 'closed the response stream, which cancels the call');
        else void this.#cancelled(call.idText, reason);
      },
    };
  }

  async #call(
    tool: string,
    argumentsText: string,
    call: { rounds: number; idText: string },
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const headers = this.#parameterHeaders(tool, argumentsText);
    let input: RoundInput | null = null;
    let first: RawAnswer | null = null;
    for (;;) {
      const idText = this.#takeId();
      call.rounds += 1;
      call.idText = idText;
      const expected = this.#book.answerTo(idText, false);
      const members = callMembers(tool, argumentsText, input);
      this.#send(idText, 'tools/call', members, tool, headers, signal).catch(() => undefined);
      const answer = await expected;
      first ??= answer;
      const whole = { ...answer, sentAtNs: first.sentAtNs };
      if (answer.frame.head.kind === 'error' || resultTypeOf(answer.frame) !== 'input_required') {
        return whole;
      }
      if (call.rounds >= MOST_ROUNDS) {
        this.#tap.event('note', `the server asked ${MOST_ROUNDS} times; Misstep answers no more`);
        return whole;
      }
      input = await answerInputs(answer, this.#options.answerServer, this.#tap, signal);
      if (input === null) return whole;
      if (signal.aborted) return new Promise<never>(() => undefined);
    }
  }

  #parameterHeaders(tool: string, argumentsText: string): Record<string, string> {
    const definition = this.#definitions.get(tool);
    if (!this.#isHttp || definition === undefined) return {};
    const { headers, fault } = parameterHeaders(definition, argumentsText);
    if (fault !== null) {
      this.#tap.event('note', `a strict client over HTTP does not offer ${tool}: ${fault}`);
    }
    return Object.fromEntries(headers);
  }

  async #cancelled(idText: string, reason: string): Promise<void> {
    const params = `{"requestId":${idText},"reason":${encodeString(reason)}}`;
    const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
    await this.#transport.sendNotification(text).catch(() => undefined);
  }

  async #send(
    idText: string,
    method: string,
    members: string,
    name: string | null,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    isProbe = false,
  ): Promise<void> {
    await this.#transport.sendRequest({
      text: modernFrameText(idText, method, members, this.#metaOf(idText, method)),
      headers: { ...methodHeaders(method, name), ...headers },
      signal,
      isProbe,
    });
  }

  /** Whoever answers a server also wants to know how far it is. */
  #metaOf(idText: string, method: string): string {
    if (method !== 'tools/call' || this.#options.answerServer === undefined) return this.#meta;
    return `{"progressToken":${idText},${this.#meta.slice(1)}`;
  }

  #takeId(): string {
    const idText = String(this.#nextId);
    this.#nextId += 1;
    return idText;
  }
}

const NEVER = new AbortController().signal;

function isAnswer(value: unknown): value is RawAnswer {
  return typeof value === 'object' && value !== null && 'frame' in value && 'sentAtNs' in value;
}
