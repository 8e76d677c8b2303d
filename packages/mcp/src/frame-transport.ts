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
  /** The answer began and then broke off. */
  | { readonly reason: 'connectionLost'; readonly message: string }
  | { readonly reason: 'httpStatus'; readonly status: number; readonly message: string }
  | { readonly reason: 'tooLarge'; readonly message: string; readonly seenBytes: number };

/** A transport under the SDK's client that keeps every byte. */
export interface RawTransport extends Transport {
  /** Settles once, when the connection is over; never rejects. */
  readonly ended: Promise<TransportEnd>;
  /**
   * The next request of that method is sent as the text that `build` makes from the id which the
   * client chose (as JSON text), instead of the client's own serialisation.
   */
  overrideNextRequest(method: string, build: (idText: string) => string): void;
}

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
  readonly #overrides = new Map<string, ((idText: string) => string)[]>();

  set(method: string, build: (idText: string) => string): void {
    const waiting = this.#overrides.get(method);
    if (waiting === undefined) this.#overrides.set(method, [build]);
    else waiting.push(build);
  }

  /** `isOverridden` is true where the text is not the SDK's own serialisation. */
  make(message: JSONRPCMessage): { text: string; isOverridden: boolean } {
    const ownText = ownTexts.get(message);
    if (ownText !== undefined) return { text: ownText, isOverridden: true };
    if ('method' in message && 'id' in message) {
      const build = this.#overrides.get(message.method)?.shift();
      if (build !== undefined)
        return { text: build(JSON.stringify(message.id)), isOverridden: true };
    }
    return { text: JSON.stringify(message), isOverridden: false };
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
