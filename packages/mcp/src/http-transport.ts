import type { IncomingMessage } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionSecrets } from './connection-options.ts';
import { readFrame } from './describe-frame.ts';
import {
  deliverFrame,
  EndLatch,
  OutgoingText,
  type RawTransport,
  type TransportEnd,
  TransportEndedError,
} from './frame-transport.ts';
import { HttpBodyReader } from './http-body.ts';
import { HttpChannel } from './http-channel.ts';
import { brokeOff, describeFailure, describeUrl, mediaTypeOf, readUrl } from './http-exchange.ts';
import { type ConnectionClock, type FrameTap, TapWriter } from './tap.ts';
import { type TooLarge, TotalCap } from './total-cap.ts';

export interface HttpFrameTransportOptions {
  readonly url: string;
  readonly maxFrameBytes: number;
  readonly tap: FrameTap;
  readonly clock: ConnectionClock;
  /** Their headers go with every request. */
  readonly secrets?: ConnectionSecrets;
  /** Every body's raw bytes as they arrive, SSE framing included. `exchange` counts from 1. */
  readonly onBody?: (exchange: number, chunk: Uint8Array) => void;
}

const STREAM_END_GRACE_MS = 250;
const DEFAULT_RETRY_MS = 1000;
const MAX_RESUMES = 5;

/**
 * Streamable HTTP (MCP 2025-03-26 to 2025-11-25) over Node's own client. Each message is one POST;
 * the answer is one JSON body or an event stream, whose events' data are frames. No standing GET
 * stream is opened: one call needs none, and servers need not offer it.
 */
export class HttpFrameTransport implements RawTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ended: Promise<TransportEnd>;

  readonly #options: HttpFrameTransportOptions;
  readonly #tap: TapWriter;
  readonly #latch = new EndLatch();
  readonly #outgoing = new OutgoingText();
  readonly #total: TotalCap;
  readonly #abort = new AbortController();
  readonly #bodies = new Set<Promise<void>>();
  #channel: HttpChannel | null = null;
  #exchanges = 0;
  #resumes = 0;
  #closing: Promise<void> | null = null;

  constructor(options: HttpFrameTransportOptions) {
    this.#options = options;
    this.#tap = new TapWriter(options.tap, options.clock, options.secrets);
    this.#total = new TotalCap(options.maxFrameBytes);
    this.ended = this.#latch.ended;
  }

  async start(): Promise<void> {
    const url = readUrl(this.#options.url);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      throw this.#end({
        reason: 'connectionFailed',
        message: 'the address is no http or https URL',
      });
    }
    this.#channel = new HttpChannel(url, this.#tap, this.#options.secrets);
    this.#tap.event('started', describeUrl(url));
  }

  setProtocolVersion(version: string): void {
    if (this.#channel !== null) this.#channel.protocolVersion = version;
  }

  overrideNextRequest(method: string, build: (idText: string) => string): void {
    this.#outgoing.set(method, build);
  }

  /** Resolves at the answer's headers. Rejects where the message can't have been understood. */
  async send(message: JSONRPCMessage): Promise<void> {
    const over = this.#latch.value;
    if (over !== null && !isCancellation(message)) throw new TransportEndedError(over);
    const body = Buffer.from(this.#outgoing.make(message).text, 'utf8');
    const awaitsAnswer = 'method' in message && 'id' in message;
    this.#tap.bytes('>', body);
    const response = await this.#post(body, awaitsAnswer);
    this.#refuseRedirect(response);
    const reading = this.#read(response, awaitsAnswer ? readFrame(body).head.idText : null);
    this.#bodies.add(reading);
    const status = response.statusCode ?? 0;
    const forget = () => this.#bodies.delete(reading);
    void reading.then(forget, forget);
    if (status >= 200 && status < 300) return;
    await reading;
    const failure =
      `the server answered with HTTP ${status} ${response.statusMessage ?? ''}`.trim();
    if (!awaitsAnswer && !isInitialized(message)) throw new Error(failure);
    throw this.#end({ reason: 'httpStatus', status, message: failure });
  }

  close(): Promise<void> {
    this.#latch.end({ reason: 'closed' });
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #post(body: Uint8Array, awaitsAnswer: boolean): Promise<IncomingMessage> {
    try {
      if (this.#channel === null) throw new Error('The transport is not started.');
      return await this.#channel.post(body, this.#abort.signal);
    } catch (error) {
      const message = describeFailure(error);
      const reason = brokeOff(error) ? 'connectionLost' : 'connectionFailed';
      if (awaitsAnswer) throw this.#end({ reason, message });
      throw new Error(message);
    }
  }

  #refuseRedirect(response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status < 300 || status > 399 || location === undefined) return;
    response.destroy();
    const to = readUrl(location, this.#options.url);
    const place = to === null ? location.slice(0, 200) : describeUrl(to);
    throw this.#end({
      reason: 'connectionFailed',
      message: `the server redirects (HTTP ${status}) to ${place}, and redirects are not followed`,
    });
  }

  /** Reads one body to its end. `idText` is the id whose answer it should bring, if any. */
  async #read(response: IncomingMessage, idText: string | null): Promise<void> {
    this.#exchanges += 1;
    const exchange = this.#exchanges;
    let isAnswered = false;
    const reader = new HttpBodyReader({
      tap: this.#tap,
      response,
      maxFrameBytes: this.#options.maxFrameBytes,
      onFrame: (bytes, brokeOff) => {
        if (idText !== null && !brokeOff && answersId(bytes, idText)) isAnswered = true;
        this.#receive(bytes);
      },
      onTooLarge: (end) => this.#endTooLarge(end),
    });
    let failure: string | null = null;
    try {
      for await (const chunk of response) {
        // Node's types say any; a response without encoding gives buffers.
        const bytes = chunk as Buffer;
        this.#options.onBody?.(exchange, bytes);
        reader.push(bytes);
      }
    } catch (error) {
      failure = describeFailure(error);
    }
    reader.finish(failure !== null);
    if (this.#abort.signal.aborted || idText === null || isAnswered) return;
    if ((response.statusCode ?? 0) >= 300) return;
    await this.#afterUnansweredBody(reader, idText, failure);
  }

  async #afterUnansweredBody(
    reader: HttpBodyReader,
    idText: string,
    failure: string | null,
  ): Promise<void> {
    if (reader.isEventStream && reader.lastEventId !== null) {
      if (await this.#resume(reader.lastEventId, reader.retryMs, idText)) return;
    }
    if (reader.isEventStream || failure !== null) {
      const message = 'the HTTP answer broke off before it held an answer to the request';
      this.#tap.event('error', failure === null ? message : `${message}: ${failure}`);
      this.#end({ reason: 'connectionLost', message });
      return;
    }
    const message =
      reader.frameCount === 0
        ? 'the HTTP answer is empty'
        : 'the HTTP answer holds no answer to the request';
    this.#tap.event('error', message);
    this.#end({ reason: 'httpStatus', status: 200, message });
  }

  /**
   * A server may end a stream early and expect the client to come back with the last event's id
   * (MCP 2025-11-25, transports, resumability). False where it can't be resumed.
   */
  async #resume(lastEventId: string, retryMs: number | null, idText: string): Promise<boolean> {
    this.#resumes += 1;
    if (this.#resumes > MAX_RESUMES) return false;
    await abortableDelay(retryMs ?? DEFAULT_RETRY_MS, this.#abort.signal);
    try {
      const response = await this.#channel?.resume(lastEventId, this.#abort.signal);
      if (response === undefined) return false;
      if (response.statusCode !== 200 || mediaTypeOf(response) !== 'text/event-stream') {
        response.destroy();
        return false;
      }
      await this.#read(response, idText);
      return true;
    } catch {
      return this.#abort.signal.aborted;
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#latch.value?.reason === 'tooLarge') return;
    this.#tap.bytes('<', bytes);
    const end = this.#total.add(bytes.length);
    if (end !== null) this.#endTooLarge(end);
    deliverFrame(this, bytes, true);
  }

  #endTooLarge(end: TooLarge): void {
    if (!this.#latch.end(end)) return;
    this.#closing ??= this.#shutDown();
  }

  async #shutDown(): Promise<void> {
    // The rest of a stream that has brought the answer can hold a second one.
    if (this.#latch.value?.reason === 'closed') {
      await Promise.race([
        Promise.allSettled(this.#bodies),
        abortableDelay(STREAM_END_GRACE_MS, this.#abort.signal),
      ]);
    }
    if (this.#latch.value?.reason !== 'connectionFailed') await this.#channel?.endSession();
    this.#abort.abort();
    await Promise.allSettled(this.#bodies);
    this.onclose?.();
  }

  #end(end: TransportEnd): TransportEndedError {
    if (this.#latch.end(end)) this.#closing ??= this.#shutDown();
    return new TransportEndedError(this.#latch.value ?? end);
  }
}

function answersId(bytes: Uint8Array, idText: string): boolean {
  const { kind, idText: id } = readFrame(bytes).head;
  return (kind === 'response' || kind === 'error') && id === idText;
}

function isCancellation(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/cancelled';
}

function isInitialized(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/initialized';
}

function abortableDelay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
