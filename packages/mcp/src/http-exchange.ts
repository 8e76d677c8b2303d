import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
}

// `Mcp-Session-Id` stays: it names the session, and a person needs it to find it in a server's log.
const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'www-authenticate',
  'proxy-authenticate',
]);

/**
 * Sends one HTTP request on a connection of its own and gives the answer at its headers. Node's
 * own client is used because it neither decodes bodies nor follows redirects nor gives up after
 * five minutes as `fetch` does. Rejects where no answer comes.
 */
export function sendHttp(request: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = request;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers, signal, agent: false });
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Status and headers on one line each, without secrets. */
export function describeResponse(method: string, url: URL, response: IncomingMessage): string {
  const lines = [
    `${method} ${describeUrl(url)} → ${response.statusCode} ${response.statusMessage ?? ''}`.trim(),
  ];
  const { rawHeaders } = response;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = SECRET_HEADERS.has(name.toLowerCase()) ? '(not kept)' : rawHeaders[at + 1];
    lines.push(`${name}: ${value}`);
  }
  return lines.join('\n');
}

/** Without user, password, query and fragment, which can hold secrets. */
export function describeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** The operating system's words for why no connection came about. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) {
    const [first] = error.errors;
    return first === undefined ? error.message : describeFailure(first);
  }
  return error instanceof Error ? error.message : String(error);
}

/** True where there was a connection and the other side ended it. */
export function brokeOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/** `text/html` of `Text/HTML; charset=utf-8`. */
export function mediaTypeOf(response: IncomingMessage): string {
  return (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Null where the text is no URL. */
export function readUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}
