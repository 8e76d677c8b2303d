import { encodeString, member, nodeText } from '@misstep/json';
import type { ProtocolRevision, TargetSettings } from '@misstep/model';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type ReadFrame, readFrame } from './describe-frame.ts';
import { sendingText } from './frame-transport.ts';
import { readNextFrame, type TapRecord } from './tap.ts';

/** A request of the server, or an entry of `inputRequests` (MCP 2026-07-28). Text is as written. */
export interface ServerRequest {
  readonly method: string;
  /** The id as JSON text, or the key in `inputRequests`. */
  readonly idText: string;
  readonly paramsText: string | null;
  readonly atNs: bigint;
  /** Aborted when the server takes its request back or the connection is over: no answer goes out then. */
  readonly signal?: AbortSignal;
}

/** JSON text that goes out as it is, as the `result` or the `error` member of the answer. */
export interface ServerRequestAnswer {
  readonly kind: 'result' | 'error';
  readonly text: string;
}

/** Must settle; never rejects. Called once for each request, several may be open at once. */
export type AnswerServer = (request: ServerRequest) => Promise<ServerRequestAnswer>;

/** What a client that answers through `AnswerServer` can serve, by revision (MCP, client features). */
export function servedCapabilities(
  revision: TargetSettings['protocolRevision'],
): Record<string, Record<string, Record<string, never>>> {
  const roots = {};
  const sampling = {};
  const withoutElicitation: readonly ProtocolRevision[] = ['2024-11-05', '2025-03-26'];
  if (withoutElicitation.some((each) => each === revision)) return { roots, sampling };
  // Before 2025-11-25 an elicitation capability had no members; unknown ones are to be ignored.
  return {
    roots,
    sampling,
    elicitation: revision === '2025-06-18' ? {} : { form: {}, url: {} },
  };
}

/** A single call has no folders, model or person to offer. */
export const declineServerRequest: AnswerServer = async ({ method }) => ({
  kind: 'error',
  text: `{"code":-32601,"message":${encodeString(`Misstep declines ${method}: it sends one call only`)}}`,
});

/** How many requests of one connection are worked on at once; past it a request is declined. */
const MOST_OPEN = 1000;

/**
 * Takes the server's own requests from the frames themselves and answers each under the very id
 * that it has: neither an id nor an answer passes through JavaScript's numbers. `ping` is answered
 * at once. Frames that a strict client drops, or whose id is null, get no answer.
 */
export class ServerRequests {
  readonly #answer: AnswerServer;
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  readonly #open = new Map<object, { idText: string; controller: AbortController }>();
  #isNextRefused = false;
  #isOver = false;

  constructor(answer: AnswerServer, send: (message: JSONRPCMessage) => Promise<void>) {
    this.#answer = answer;
    this.#send = send;
  }

  /** To be called with each record after the tap has kept it. */
  see(record: TapRecord): void {
    if (record.lane === '#') {
      this.#isNextRefused = readNextFrame(record)?.refusal !== undefined;
      return;
    }
    if (record.lane !== '<') return;
    const isRefused = this.#isNextRefused;
    this.#isNextRefused = false;
    if (isRefused || this.#isOver) return;
    const frame = readFrame(record.bytes);
    const { kind, method, idText } = frame.head;
    if (frame.isDropped || method === null) return;
    if (kind === 'notification' && method === 'notifications/cancelled') this.#withdraw(frame);
    if (kind !== 'request' || idText === null || idText === 'null') return;
    if (method === 'ping') this.#reply(idText, { kind: 'result', text: '{}' });
    else void this.#ask(frame, method, idText, record.atNs);
  }

  /** Lets go of what is open; nothing is sent any more. */
  close(): void {
    this.#isOver = true;
    for (const { controller } of this.#open.values()) controller.abort();
    this.#open.clear();
  }

  async #ask(frame: ReadFrame, method: string, idText: string, atNs: bigint): Promise<void> {
    const { document } = frame;
    const params = document === null ? undefined : member(document, document.root, 'params');
    const controller = new AbortController();
    const request: ServerRequest = {
      method,
      idText,
      paramsText: document === null || params === undefined ? null : nodeText(document, params),
      atNs,
      signal: controller.signal,
    };
    const answerIt = this.#open.size < MOST_OPEN ? this.#answer : declineServerRequest;
    this.#open.set(request, { idText, controller });
    const answer = await answerIt(request);
    if (this.#open.delete(request)) this.#reply(idText, answer);
  }

  #withdraw({ document }: ReadFrame): void {
    if (document === null) return;
    const params = member(document, document.root, 'params');
    const id = member(document, params, 'requestId');
    if (id === undefined) return;
    const idText = nodeText(document, id);
    for (const [request, open] of this.#open) {
      if (open.idText !== idText) continue;
      this.#open.delete(request);
      open.controller.abort();
    }
  }

  #reply(idText: string, { kind, text }: ServerRequestAnswer): void {
    const message = sendingText(`{"jsonrpc":"2.0","id":${idText},"${kind}":${text}}`);
    // The transport has noted why; the call itself goes on.
    this.#send(message).catch(() => undefined);
  }
}
