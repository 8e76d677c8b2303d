import {
  request as httpRequest,
  type IncomingMessage,
  maxHeaderSize,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Pace, piecesOf } from './pace.ts';
import { shortened } from './shortened.ts';

const LONGEST_STATUS_MESSAGE = 200;
const LONGEST_PLACE = 300;

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

const CHALLENGE_PART = /\b(?:error|scope)="[ !#-[\]-~]{1,500}"/g;

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
    const value = rawHeaders[at + 1] ?? '';
    lines.push(`${name}: ${describeValue(name.toLowerCase(), value)}`);
  }
  return lines.join('\n');
}

/** Of a challenge what a person needs to sign in for more (RFC 6750, 3): never a nonce or a token. */
function describeValue(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name)) return value;
  const parts = name === 'www-authenticate' ? value.match(CHALLENGE_PART) : null;
  return parts === null ? '(not kept)' : `${parts.join(', ')} (the rest not kept)`;
}

/** Reads a body to its end, or until it is given up, with pauses for others; null = it is whole. */
export async function readPaced(
  response: IncomingMessage,
  push: (piece: Uint8Array) => void,
  signal: AbortSignal,
  onChunk?: (chunk: Uint8Array) => void,
): Promise<string | null> {
  const pace = new Pace();
  try {
    for await (const chunk of response) {
      // Node's types say any; a response without encoding gives buffers.
      const bytes = chunk as Buffer;
      onChunk?.(bytes);
      for (const piece of piecesOf(bytes)) {
        if (signal.aborted) return 'it was given up';
        push(piece);
        await pace.rest();
      }
    }
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

/** Why a redirect is the end; null where the answer is none. */
export function redirectFault(response: IncomingMessage, base: string): string | null {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (status < 300 || status > 399 || location === undefined) return null;
  const to = readUrl(location, base);
  const place =
    to === null ? shortened(location, LONGEST_PLACE) : shortened(describeUrl(to), LONGEST_PLACE);
  return `the server redirects (HTTP ${status}) to ${place}, and redirects are not followed`;
}

/** `HTTP 404 Not Found` */
export function statusText(response: IncomingMessage): string {
  const message = shortened(response.statusMessage ?? '', LONGEST_STATUS_MESSAGE);
  return `HTTP ${response.statusCode ?? 0} ${message}`.trim();
}

/** Null where the address is no http or https URL. */
export function readHttpUrl(text: string): URL | null {
  const url = readUrl(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
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
  if (hasTooLargeHeaders(error)) {
    return `its headers are larger than ${maxHeaderSize} bytes, the most that is read`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** True where the server answered, but with headers over the limit of Node's client. */
export function hasTooLargeHeaders(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
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
