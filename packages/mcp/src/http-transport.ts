import type { IncomingMessage } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { AnsweredIds } from './answered-ids.ts';
import type { ConnectionSecrets } from './connection-options.ts';
import { readFrame } from './describe-frame.ts';
import {
  type BuildRequest,
  deliverFrame,
  EndLatch,
  OutgoingText,
  type RawRequest,
  type RawTransport,
  RefusedRequestError,
  type TransportEnd,
  TransportEndedError,
} from './frame-transport.ts';
import { HttpBodyReader } from './http-body.ts';
import { HttpChannel } from './http-channel.ts';
import {
  brokeOff,
  describeFailure,
  describeUrl,
  hasTooLargeHeaders,
  mediaTypeOf,
  readHttpUrl,
  readPaced,
  redirectFault,
  statusText,
} from './http-exchange.ts';
import { shortened } from './shortened.ts';
import { StandingStream } from './standing-stream.ts';
import { type ConnectionClock, type FrameTap, TapWriter } from './tap.ts';
import { type TooLarge, TotalCap } from './total-cap.ts';

export interface HttpFrameTransportOptions {
  readonly url: string;
  readonly maxFrameBytes: number;
  readonly tap: FrameTap;
  readonly clock: ConnectionClock;
  /** Their headers go with every request. */
  readonly secrets?: ConnectionSecrets;
  /** True where requests that belong to no POST of ours are wanted: then a GET stream stands open. */
  readonly listens?: boolean;
  /** Every body's raw bytes as they arrive, SSE framing included. `exchange` counts from 1. */
  readonly onBody?: (exchange: number, chunk: Uint8Array) => void;
}

const STREAM_END_GRACE_MS = 1000;
const DEFAULT_RETRY_MS = 1000;
const MAX_RESUMES = 5;
/** No replay waits longer for its answer (the most that a timeout can be). */
const LONGEST_RETRY_MS = 600_000;
/** From here on a person would wonder why nothing happens. */
const TOLD_RETRY_MS = 5000;
/** Earlier ones have no `MCP-Protocol-Version` header. */
const FIRST_REVISION_WITH_HEADER = '2025-06-18';

/**
 * Streamable HTTP (MCP 2025-03-26 to 2026-07-28) over Node's own client. Each message is one POST;
 * the answer is one JSON body or an event stream, whose events' data are frames. A standing GET
 * stream is opened only where somebody answers what the server asks: one call alone needs none.
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
  readonly #bodies = new Set<Promise<boolean>>();
  #channel: HttpChannel | null = null;
  #started: Promise<void> | null = null;
  #standing: StandingStream | null = null;
  #exchanges = 0;
  #resumes = 0;
  #closing: Promise<void> | null = null;

  constructor(options: HttpFrameTransportOptions) {
    this.#options = options;
    this.#tap = new TapWriter(options.tap, options.clock, options.secrets);
    this.#total = new TotalCap(options.maxFrameBytes);
    this.ended = this.#latch.ended;
  }

  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    const url = readHttpUrl(this.#options.url);
    if (url === null) {
      throw this.#end({
        reason: 'connectionFailed',
        message: 'the address is no http or https URL',
      });
    }
    this.#channel = new HttpChannel(url, this.#tap, this.#options.secrets);
    this.#tap.event('started', describeUrl(url));
  }

  setProtocolVersion(version: string): void {
    if (this.#channel !== null && version >= FIRST_REVISION_WITH_HEADER) {
      this.#channel.protocolVersion = version;
    }
  }

  overrideNextRequest(method: string, build: BuildRequest): void {
    this.#outgoing.set(method, build);
  }

  /** Resolves at the answer's headers. Rejects where the message can't have been understood. */
  async send(message: JSONRPCMessage): Promise<void> {
    const over = this.#latch.value;
    if (over !== null && !isCancellation(message)) throw new TransportEndedError(over);
    const awaitsAnswer = 'method' in message && 'id' in message;
    await this.#exchange({
      text: this.#outgoing.make(message),
      headers: {},
      signal: this.#abort.signal,
      awaitsAnswer,
      isStateless: false,
      isFatal: awaitsAnswer || isInitialized(message),
    });
    if (isInitialized(message)) await this.#listen();
  }

  /** The same for one request that needs no session and no other one. */
  async sendRequest({ text, headers, signal, isProbe }: RawRequest): Promise<void> {
    const over = this.#latch.value;
    if (over !== null) throw new TransportEndedError(over);
    await this.#exchange({
      text,
      headers,
      signal: AbortSignal.any([signal, this.#abort.signal]),
      awaitsAnswer: true,
      isStateless: true,
      isFatal: !isProbe,
    });
  }

  async sendNotification(): Promise<void> {
    // Revisions that come this way have none over HTTP.
  }

  close(): Promise<void> {
    this.#latch.end({ reason: 'closed' });
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #exchange(exchange: Exchange): Promise<void> {
    const body = Buffer.from(exchange.text, 'utf8');
    this.#tap.bytes('>', body);
    const hadSession = !exchange.isStateless && (this.#channel?.hasSession ?? false);
    const response = await this.#post(body, exchange);
    const redirect = redirectFault(response, this.#options.url);
    if (redirect !== null) {
      response.destroy();
      throw this.#end({ reason: 'connectionFailed', message: redirect });
    }
    const idText = exchange.awaitsAnswer ? readFrame(body).head.idText : null;
    const reading = this.#read(response, idText, exchange);
    this.#bodies.add(reading);
    const forget = () => this.#bodies.delete(reading);
    void reading.then(forget, forget);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return;
    const isAnswered = await reading;
    // An error with a status of its own is an answer like any other.
    if (exchange.isStateless && isAnswered) return;
    const failure = `the server answered with ${statusText(response)}`;
    if (!exchange.isFatal) throw new RefusedRequestError(status, failure);
    if (status === 404 && hadSession) {
      const message = `the server no longer knows the session that it opened (${statusText(response)})`;
      throw this.#end({ reason: 'sessionLost', message });
    }
    throw this.#end({ reason: 'httpStatus', status, message: failure });
  }

  async #post(body: Uint8Array, exchange: Exchange): Promise<IncomingMessage> {
    const { headers, signal, isStateless, awaitsAnswer } = exchange;
    try {
      if (this.#channel === null) throw new Error('The transport is not started.');
      return await this.#channel.post({ body, headers, signal, isStateless });
    } catch (error) {
      const message = describeFailure(error);
      if (awaitsAnswer && !signal.aborted) throw this.#end({ reason: reasonOf(error), message });
      throw new Error(message);
    }
  }

  async #listen(): Promise<void> {
    const { listens = false, maxFrameBytes } = this.#options;
    if (!listens || this.#channel === null) return;
    this.#standing = new StandingStream({
      channel: this.#channel,
      tap: this.#tap,
      maxFrameBytes,
      total: this.#total,
      signal: this.#abort.signal,
      onFrame: (bytes) => this.#receive(bytes),
      onTooLarge: (end) => this.#endTooLarge(end),
    });
    await this.#standing.open();
  }

  /** Reads one body to its end; true where it brings the answer to the request with that id. */
  async #read(
    response: IncomingMessage,
    idText: string | null,
    exchange: Pick<Exchange, 'signal' | 'isStateless' | 'isFatal'>,
  ): Promise<boolean> {
    this.#exchanges += 1;
    const ordinal = this.#exchanges;
    let isAnswered = false;
    const answered = new AnsweredIds();
    const reader = new HttpBodyReader({
      tap: this.#tap,
      response,
      maxFrameBytes: this.#options.maxFrameBytes,
      total: this.#total,
      errorsHaveStatus: exchange.isStateless,
      onFrame: (bytes, brokeOff) => {
        if (idText !== null && !brokeOff && answersId(bytes, idText)) isAnswered = true;
        if (!brokeOff) answered.see(bytes);
        this.#receive(bytes);
      },
      onTooLarge: (end) => this.#endTooLarge(end),
    });
    const failure = await readPaced(
      response,
      (piece) => reader.push(piece),
      exchange.signal,
      (chunk) => this.#options.onBody?.(ordinal, chunk),
    );
    reader.finish(failure !== null);
    if (exchange.signal.aborted || idText === null || isAnswered) return isAnswered;
    if ((response.statusCode ?? 0) >= 300) return false;
    await this.#afterUnansweredBody({ reader, answered, failure }, idText, exchange);
    return false;
  }

  async #afterUnansweredBody(
    { reader, answered, failure }: UnansweredBody,
    idText: string,
    exchange: Pick<Exchange, 'signal' | 'isStateless' | 'isFatal'>,
  ): Promise<void> {
    if (reader.isEventStream || failure !== null) {
      const why = await this.#resume(reader, idText, exchange);
      if (why === null) return;
      // Only where the connection gave way, or an event has no end, did anything break off.
      const endedWhole = failure === null && !reader.brokeOff;
      const came = !endedWhole
        ? 'broke off before it held an answer to the request'
        : `ended without an answer to the request${answered.words(idText)}`;
      const message = `the HTTP answer ${came}${why}`;
      this.#tap.event('error', failure === null ? message : `${message}: ${failure}`);
      this.#end({ reason: 'connectionLost', message, ...(endedWhole ? { endedWhole } : {}) });
      return;
    }
    const message =
      reader.frameCount === 0
        ? 'the HTTP answer is empty'
        : `the HTTP answer holds no answer to the request${answered.words(idText)}`;
    this.#tap.event('error', message);
    if (exchange.isFatal) this.#end({ reason: 'httpStatus', status: 200, message });
  }

  /**
   * A server may end a stream early and expect the client to come back with the last event's id
   * (MCP 2025-11-25, transports, resumability). Null where it was resumed, else why not, as the
   * rest of a sentence.
   */
  async #resume(
    { isEventStream, lastEventId, hasUnusableId, retryMs }: HttpBodyReader,
    idText: string,
    exchange: Pick<Exchange, 'signal' | 'isStateless' | 'isFatal'>,
  ): Promise<string | null> {
    if (!isEventStream) return '';
    if (exchange.isStateless) return '; streams of revision 2026-07-28 cannot be resumed';
    if (lastEventId === null) {
      return hasUnusableId
        ? '; its event ids are too long to be sent back, so the stream could not be resumed'
        : '; it gave no event id to resume the stream from';
    }
    if (retryMs !== null && retryMs > LONGEST_RETRY_MS) {
      return `; it asks for ${Math.round(retryMs / 1000)} s before the stream is resumed, longer than a replay waits`;
    }
    this.#resumes += 1;
    if (this.#resumes > MAX_RESUMES) return `, also after it was resumed ${MAX_RESUMES} times`;
    if (retryMs !== null && retryMs >= TOLD_RETRY_MS) {
      this.#tap.event(
        'note',
        `waits ${retryMs} ms before the stream is resumed, as the server asks`,
      );
    }
    await abortableDelay(retryMs ?? DEFAULT_RETRY_MS, this.#abort.signal);
    if (this.#abort.signal.aborted) return null;
    const after = `the event stream after event ${shortened(lastEventId, 100)}`;
    try {
      const response = await this.#channel?.resume(lastEventId, this.#abort.signal);
      if (response === undefined) return null;
      if (response.statusCode !== 200 || mediaTypeOf(response) !== 'text/event-stream') {
        response.destroy();
        return `; ${after} could not be resumed (${statusText(response)})`;
      }
      this.#tap.event('note', `resumed ${after}`);
      await this.#read(response, idText, exchange);
      return null;
    } catch (error) {
      if (this.#abort.signal.aborted) return null;
      return `; ${after} could not be resumed (${describeFailure(error)})`;
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
    await Promise.allSettled([...this.#bodies, this.#standing?.closed()]);
    this.onclose?.();
  }

  #end(end: TransportEnd): TransportEndedError {
    if (this.#latch.end(end)) this.#closing ??= this.#shutDown();
    return new TransportEndedError(this.#latch.value ?? end);
  }
}

function reasonOf(error: unknown): 'headersTooLarge' | 'connectionLost' | 'connectionFailed' {
  if (hasTooLargeHeaders(error)) return 'headersTooLarge';
  return brokeOff(error) ? 'connectionLost' : 'connectionFailed';
}

interface UnansweredBody {
  readonly reader: HttpBodyReader;
  readonly answered: AnsweredIds;
  readonly failure: string | null;
}

/** One POST and what it is for. */
interface Exchange {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly awaitsAnswer: boolean;
  /** It needs no session (MCP 2026-07-28). */
  readonly isStateless: boolean;
  /** A refusal of it ends the connection. */
  readonly isFatal: boolean;
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
