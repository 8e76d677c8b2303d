import type { IncomingMessage } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionSecrets } from './connection-options.ts';
import {
  type BuildRequest,
  deliverFrame,
  EndLatch,
  OutgoingText,
  type RawTransport,
  type TransportEnd,
  TransportEndedError,
} from './frame-transport.ts';
import { HttpBodyReader } from './http-body.ts';
import { HttpChannel } from './http-channel.ts';
import {
  describeFailure,
  describeUrl,
  hasTooLargeHeaders,
  mediaTypeOf,
  readHttpUrl,
  readPaced,
  readUrl,
  redirectFault,
  statusText,
} from './http-exchange.ts';
import { PostBody } from './post-body.ts';
import { shortened } from './shortened.ts';
import { type ConnectionClock, type FrameTap, TapWriter } from './tap.ts';
import { TotalCap } from './total-cap.ts';

export interface SseFrameTransportOptions {
  readonly url: string;
  readonly maxFrameBytes: number;
  readonly tap: FrameTap;
  readonly clock: ConnectionClock;
  /** Their headers go with every request. */
  readonly secrets?: ConnectionSecrets;
}

/**
 * HTTP+SSE (MCP 2024-11-05). One event stream brings everything from the server; its first event
 * names the address that messages are posted to. A POST is only acknowledged, and a stream that
 * breaks off can't be resumed.
 */
export class SseFrameTransport implements RawTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ended: Promise<TransportEnd>;

  readonly #options: SseFrameTransportOptions;
  readonly #tap: TapWriter;
  readonly #latch = new EndLatch();
  readonly #outgoing = new OutgoingText();
  readonly #total: TotalCap;
  readonly #abort = new AbortController();
  readonly #bodies = new Set<Promise<void>>();
  #channel: HttpChannel | null = null;
  #endpoint: URL | null = null;
  #onEndpoint: () => void = () => undefined;
  #started: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: SseFrameTransportOptions) {
    this.#options = options;
    this.#tap = new TapWriter(options.tap, options.clock, options.secrets);
    this.#total = new TotalCap(options.maxFrameBytes);
    this.ended = this.#latch.ended;
  }

  /** Resolves once the server has named its endpoint; pending while it names none. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    const url = readHttpUrl(this.#options.url);
    if (url === null) throw this.#fail('the address is no http or https URL');
    const channel = new HttpChannel(url, this.#tap, this.#options.secrets);
    this.#channel = channel;
    this.#tap.event('started', describeUrl(url));
    const response = await this.#open(channel);
    const fault = redirectFault(response, this.#options.url) ?? streamFault(response);
    if (fault !== null) {
      response.destroy();
      const status = response.statusCode ?? 0;
      if (status >= 400) throw this.#end({ reason: 'httpStatus', status, message: fault });
      throw this.#fail(fault);
    }
    const named = new Promise<void>((resolve) => {
      this.#onEndpoint = resolve;
    });
    this.#keep(this.#readStream(response));
    await Promise.race([named, this.ended]);
    if (this.#latch.value !== null) throw new TransportEndedError(this.#latch.value);
  }

  setProtocolVersion(version: string): void {
    if (this.#channel !== null && version >= '2025-06-18') this.#channel.protocolVersion = version;
  }

  overrideNextRequest(method: string, build: BuildRequest): void {
    this.#outgoing.set(method, build);
  }

  /** Resolves at the headers of the acknowledgement. */
  async send(message: JSONRPCMessage): Promise<void> {
    const over = this.#latch.value;
    const isNotification = !('id' in message);
    if (over !== null && !isNotification) throw new TransportEndedError(over);
    const channel = this.#channel;
    const url = this.#endpoint;
    if (channel === null || url === null) throw new Error('The transport is not started.');
    const body = Buffer.from(this.#outgoing.make(message), 'utf8');
    this.#tap.bytes('>', body);
    let response: IncomingMessage;
    try {
      response = await channel.post({ body, url, signal: this.#abort.signal });
    } catch (error) {
      if (this.#abort.signal.aborted) throw error;
      throw this.#unreached(error);
    }
    const reading = this.#readAcknowledgement(response);
    this.#keep(reading);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return;
    await reading;
    const redirect = redirectFault(response, url.href);
    if (redirect !== null) throw this.#fail(redirect);
    const failure = `the server answered with ${statusText(response)}`;
    if (isNotification) throw new Error(failure);
    throw this.#end({ reason: 'httpStatus', status, message: failure });
  }

  sendRequest(): Promise<void> {
    return Promise.reject(new Error('HTTP+SSE has no revision without initialize.'));
  }

  sendNotification(): Promise<void> {
    return this.sendRequest();
  }

  close(): Promise<void> {
    this.#latch.end({ reason: 'closed' });
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #open(channel: HttpChannel): Promise<IncomingMessage> {
    try {
      return await channel.openStream(this.#abort.signal);
    } catch (error) {
      throw this.#unreached(error);
    }
  }

  async #readStream(response: IncomingMessage): Promise<void> {
    const reader = new HttpBodyReader({
      tap: this.#tap,
      response,
      maxFrameBytes: this.#options.maxFrameBytes,
      total: this.#total,
      onFrame: (bytes) => this.#receive(bytes),
      onTooLarge: (end) => this.#end(end),
      onNamedEvent: (type, data) => {
        if (type === 'endpoint') this.#named(new TextDecoder().decode(data).trim());
      },
    });
    const failure = await readPaced(response, (piece) => reader.push(piece), this.#abort.signal);
    if (this.#abort.signal.aborted) return;
    reader.finish(failure !== null);
    const why = failure === null ? '' : `: ${failure}`;
    if (this.#endpoint === null) {
      this.#fail(`the event stream ended before it named an endpoint${why}`);
      return;
    }
    const message = `the event stream ended, and HTTP+SSE cannot resume it${why}`;
    this.#tap.event('error', message);
    this.#end({ reason: 'connectionLost', message });
  }

  /** Only to the origin that the person named: what goes there can hold secrets. */
  #named(text: string): void {
    const own = readHttpUrl(this.#options.url);
    const url = readHttpUrl(readUrl(text, this.#options.url)?.href ?? '');
    if (url === null || own === null) {
      this.#fail(`the server's endpoint is no http or https address: ${shortened(text, 200)}`);
    } else if (url.origin !== own.origin) {
      this.#fail(
        `the server names an endpoint of another origin, ${shortened(url.origin, 200)}, and Misstep sends nothing there; the target's is ${own.origin}`,
      );
    } else if (this.#endpoint === null) {
      this.#endpoint = url;
      this.#onEndpoint();
    } else if (this.#endpoint.href !== url.href) {
      this.#tap.event('note', 'the server names another endpoint; the first one counts');
    }
  }

  async #readAcknowledgement(response: IncomingMessage): Promise<void> {
    const body = new PostBody({
      tap: this.#tap,
      response,
      maxFrameBytes: this.#options.maxFrameBytes,
      onFrame: (bytes) => this.#receive(bytes),
    });
    await readPaced(response, (piece) => body.push(piece), this.#abort.signal);
    if (!this.#abort.signal.aborted) body.finish();
  }

  #receive(bytes: Uint8Array): void {
    if (this.#latch.value?.reason === 'tooLarge') return;
    this.#tap.bytes('<', bytes);
    const end = this.#total.add(bytes.length);
    if (end !== null) this.#end(end);
    deliverFrame(this, bytes, true);
  }

  #keep(reading: Promise<void>): void {
    this.#bodies.add(reading);
    const forget = () => this.#bodies.delete(reading);
    void reading.then(forget, forget);
  }

  #unreached(error: unknown): TransportEndedError {
    const reason = hasTooLargeHeaders(error) ? 'headersTooLarge' : 'connectionFailed';
    return this.#end({ reason, message: describeFailure(error) });
  }

  #fail(message: string): TransportEndedError {
    return this.#end({ reason: 'connectionFailed', message });
  }

  #end(end: TransportEnd): TransportEndedError {
    if (this.#latch.end(end)) this.#closing ??= this.#shutDown();
    return new TransportEndedError(this.#latch.value ?? end);
  }

  async #shutDown(): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled(this.#bodies);
    this.onclose?.();
  }
}

function streamFault(response: IncomingMessage): string | null {
  if (response.statusCode !== 200) return `the server answered with ${statusText(response)}`;
  const type = mediaTypeOf(response);
  if (type === 'text/event-stream') return null;
  return `the address answers with ${shortened(type, 200) || 'no content type'}, not with an event stream`;
}
