import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ConnectionSecrets } from './connection-options.ts';
import { describeFailure, describeResponse, describeUrl, sendHttp } from './http-exchange.ts';
import type { TapWriter } from './tap.ts';

const DELETE_GRACE_MS = 500;
const RESERVED =
  /^(?:accept|accept-encoding|connection|content-length|content-type|last-event-id|mcp-.*|transfer-encoding|upgrade)$/i;

/** The HTTP requests of one MCP session: its headers, and an event for each answer or failure. */
export class HttpChannel {
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

  /** Sends one message. Rejects where no answer comes. */
  post(body: Uint8Array, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'application/json, text/event-stream',
    };
    return this.#exchange('POST', body, headers, signal);
  }

  /** Asks for what a stream that broke off would have brought after that event. */
  resume(lastEventId: string, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId };
    return this.#exchange('GET', null, headers, signal);
  }

  /** Tells the server that its session is over, where it opened one. */
  async endSession(): Promise<void> {
    if (this.#serverSession === null) return;
    try {
      const signal = AbortSignal.timeout(DELETE_GRACE_MS);
      const response = await this.#exchange('DELETE', null, {}, signal);
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
    body: Uint8Array | null,
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const url = this.#url;
    const own: OutgoingHttpHeaders = {
      ...this.#headers,
      'accept-encoding': 'identity',
      ...headers,
    };
    if (this.#serverSession !== null) own['mcp-session-id'] = this.#serverSession;
    if (this.protocolVersion !== null) own['mcp-protocol-version'] = this.protocolVersion;
    try {
      const response = await sendHttp({ method, url, headers: own, body, signal });
      const session = response.headers['mcp-session-id'];
      if (typeof session === 'string') this.#serverSession ??= session;
      this.#tap.event('http', describeResponse(method, url, response));
      return response;
    } catch (error) {
      if (!signal.aborted) {
        this.#tap.event('error', `${method} ${describeUrl(url)}: ${describeFailure(error)}`);
      }
      throw error;
    }
  }
}
