import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ConnectionSecrets } from './connection-options.ts';
import { describeFailure, describeResponse, describeUrl, sendHttp } from './http-exchange.ts';
import type { TapWriter } from './tap.ts';

const DELETE_GRACE_MS = 500;
const RESERVED =
  /^(?:accept|accept-encoding|connection|content-length|content-type|last-event-id|mcp-.*|transfer-encoding|upgrade)$/i;

/** What one HTTP request has of its own. */
export interface PostOptions {
  readonly body: Uint8Array;
  /** Beside those that every request has; these win. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Where HTTP+SSE wants messages; else the address itself. */
  readonly url?: URL;
  /** Without the session and revision of the connection: the request says all (MCP 2026-07-28). */
  readonly isStateless?: boolean;
}

/** The HTTP requests of one MCP session: its headers, and an event for each answer or failure. */
export class HttpChannel {
  /** Null where the revision has no such header, or none is agreed on yet. */
  protocolVersion: string | null = null;
  readonly #url: URL;
  readonly #tap: TapWriter;
  readonly #headers: OutgoingHttpHeaders;
  #serverSession: string | null = null;

  constructor(url: URL, tap: TapWriter, secrets?: ConnectionSecrets) {
    this.#url = url;
    this.#tap = tap;
    this.#headers = this.#allowed(secrets?.headers ?? new Map());
  }

  /** True where the server named a session. */
  get hasSession(): boolean {
    return this.#serverSession !== null;
  }

  /** Sends one message. Rejects where no answer comes. */
  post(options: PostOptions): Promise<IncomingMessage> {
    const { body, headers = {}, signal, url = this.#url, isStateless = false } = options;
    const own = {
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    return this.#exchange('POST', url, body, own, signal, isStateless);
  }

  /** Opens an event stream that belongs to no request: that of HTTP+SSE, or a standing one. */
  openStream(signal: AbortSignal): Promise<IncomingMessage> {
    return this.#exchange('GET', this.#url, null, { accept: 'text/event-stream' }, signal);
  }

  /** Asks for what a stream that broke off would have brought after that event. */
  resume(lastEventId: string, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId };
    return this.#exchange('GET', this.#url, null, headers, signal);
  }

  /** Opens the stream on which a server sends what belongs to no request of ours. */
  listen(lastEventId: string | null, signal: AbortSignal): Promise<IncomingMessage> {
    if (lastEventId !== null) return this.resume(lastEventId, signal);
    return this.openStream(signal);
  }

  /** Tells the server that its session is over, where it opened one. */
  async endSession(): Promise<void> {
    if (this.#serverSession === null) return;
    try {
      const signal = AbortSignal.timeout(DELETE_GRACE_MS);
      const response = await this.#exchange('DELETE', this.#url, null, {}, signal);
      response.destroy();
    } catch {
      // Most servers need no goodbye; the event says that it failed.
    }
  }

  /** The target's own headers, but for those by which the protocol itself works. */
  #allowed(headers: ReadonlyMap<string, string>): OutgoingHttpHeaders {
    const kept: [string, string][] = [];
    for (const [name, value] of headers) {
      if (RESERVED.test(name)) {
        this.#tap.event('note', `the target's header ${name} is not sent: the protocol sets it`);
      } else kept.push([name.toLowerCase(), value]);
    }
    return Object.fromEntries(kept);
  }

  async #exchange(
    method: 'POST' | 'GET' | 'DELETE',
    url: URL,
    body: Uint8Array | null,
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
    isStateless = false,
  ): Promise<IncomingMessage> {
    const own: OutgoingHttpHeaders = {
      ...this.#headers,
      'accept-encoding': 'identity',
      ...(isStateless ? {} : this.#sessionHeaders()),
      ...headers,
    };
    try {
      const response = await sendHttp({ method, url, headers: own, body, signal });
      const session = response.headers['mcp-session-id'];
      if (typeof session === 'string' && !isStateless) this.#serverSession ??= session;
      this.#tap.event('http', describeResponse(method, url, response));
      return response;
    } catch (error) {
      if (!signal.aborted) {
        this.#tap.event('error', `${method} ${describeUrl(url)}: ${describeFailure(error)}`);
      }
      throw error;
    }
  }

  #sessionHeaders(): OutgoingHttpHeaders {
    return {
      ...(this.#serverSession === null ? {} : { 'mcp-session-id': this.#serverSession }),
      ...(this.protocolVersion === null ? {} : { 'mcp-protocol-version': this.protocolVersion }),
    };
  }
}
