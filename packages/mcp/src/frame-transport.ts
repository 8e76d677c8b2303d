import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** Why a connection is over. The first reason stays. */
export type TransportEnd =
  /** We closed it. */
  | { readonly reason: 'closed' }
  /** The process could not be started; `message` is the operating system's text. */
  | { readonly reason: 'spawnFailed'; readonly message: string; readonly code: string | null }
  | { readonly reason: 'exited'; readonly code: number | null; readonly signal: string | null }
  /** No HTTP answer at all, or a redirect, which is not followed. */
  | { readonly reason: 'connectionFailed'; readonly message: string }
  /** The server answered, with headers over the limit, so that nothing of the answer can be read. */
  | { readonly reason: 'headersTooLarge'; readonly message: string }
  /** The answer began and then broke off, or (`endedWhole`) ended as it should, without an answer. */
  | {
      readonly reason: 'connectionLost';
      readonly message: string;
      readonly endedWhole?: boolean;
    }
  | { readonly reason: 'httpStatus'; readonly status: number; readonly message: string }
  /** HTTP 404 to a request that names a session: the server no longer has it. */
  | { readonly reason: 'sessionLost'; readonly message: string }
  | { readonly reason: 'tooLarge'; readonly message: string; readonly seenBytes: number };

/** A request as text, for a client that writes its own frames. */
export interface RawRequest {
  readonly text: string;
  /** Over HTTP alone: beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** Over HTTP, aborting it closes the stream that was to bring the answer. */
  readonly signal: AbortSignal;
  /** A probe that the server does not take ends no connection; the promise rejects all the same. */
  readonly isProbe: boolean;
}

/** The server refused a probe with an HTTP status. */
export class RefusedRequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RefusedRequestError';
    this.status = status;
  }
}

/** A transport under the SDK's client, or under one of ours, that keeps every byte. */
export interface RawTransport extends Transport {
  /** Settles once, when the connection is over; never rejects. */
  readonly ended: Promise<TransportEnd>;
  /** A second start is the first one. */
  start(): Promise<void>;
  /** For revisions without a session (MCP 2026-07-28). */
  sendRequest(request: RawRequest): Promise<void>;
  /** As text; over HTTP those revisions have none, so nothing is sent. */
  sendNotification(text: string): Promise<void>;
  /**
   * The next request of that method is sent as the text that `build` makes from the id which the
   * client chose (as JSON text), instead of the client's own serialisation.
   */
  overrideNextRequest(method: string, build: BuildRequest): void;
}

/** `message` is what the client would have sent. */
export type BuildRequest = (idText: string, message: JSONRPCMessage) => string;

/** The SDK could not read a frame. The connection goes on. */
export class UnreadFrameError extends Error {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, message: string) {
    super(message);
    this.name = 'UnreadFrameError';
    this.bytes = bytes;
  }
}

/** The connection is over; `end` says why. */
export class TransportEndedError extends Error {
  readonly end: TransportEnd;

  constructor(end: TransportEnd) {
    super(describeEnd(end));
    this.name = 'TransportEndedError';
    this.end = end;
  }
}

export function describeEnd(end: TransportEnd): string {
  switch (end.reason) {
    case 'closed':
      return 'the connection was closed';
    case 'exited':
      return end.signal === null
        ? `the server exited with code ${end.code}`
        : `the server was ended by ${end.signal}`;
    default:
      return end.message;
  }
}

/**
 * Gives the SDK's view of the bytes to its client, or tells it that there is none. HTTP clients
 * skip a byte order mark as they decode a body; nothing does so on stdio, where JSON can't begin
 * with one.
 */
export function deliverFrame(transport: RawTransport, bytes: Uint8Array, skipsMark: boolean): void {
  let message: JSONRPCMessage;
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { ignoreBOM: !skipsMark }).decode(bytes),
    );
    const read = JSONRPCMessageSchema.safeParse(value);
    if (!read.success) {
      transport.onerror?.(new UnreadFrameError(bytes, 'not a JSON-RPC message'));
      return;
    }
    message = read.data;
  } catch (error) {
    transport.onerror?.(new UnreadFrameError(bytes, String(error)));
    return;
  }
  transport.onmessage?.(message);
}

const ownTexts = new WeakMap<JSONRPCMessage, string>();

/** A message for `send` that goes out as exactly this text. It must be valid JSON. */
export function sendingText(text: string): JSONRPCMessage {
  const message: JSONRPCMessage = { jsonrpc: '2.0', id: 0, result: {} };
  ownTexts.set(message, text);
  return message;
}

/**
 * Keeps what `overrideNextRequest` asked for and makes the text of each outgoing message. Several
 * for one method go to the next requests of it in turn, so that calls can leave at once.
 */
export class OutgoingText {
  readonly #overrides = new Map<string, BuildRequest[]>();

  set(method: string, build: BuildRequest): void {
    const waiting = this.#overrides.get(method);
    if (waiting === undefined) this.#overrides.set(method, [build]);
    else waiting.push(build);
  }

  make(message: JSONRPCMessage): string {
    const ownText = ownTexts.get(message);
    if (ownText !== undefined) return ownText;
    if ('method' in message && 'id' in message) {
      const build = this.#overrides.get(message.method)?.shift();
      if (build !== undefined) return build(JSON.stringify(message.id), message);
    }
    return JSON.stringify(message);
  }
}

/** A promise that is settled by the first `end`; later reasons are ignored. */
export class EndLatch {
  readonly ended: Promise<TransportEnd>;
  #resolve: (end: TransportEnd) => void = () => undefined;
  #end: TransportEnd | null = null;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get value(): TransportEnd | null {
    return this.#end;
  }

  /** True where this reason is the first. */
  end(end: TransportEnd): boolean {
    if (this.#end !== null) return false;
    this.#end = end;
    this.#resolve(end);
    return true;
  }
}
