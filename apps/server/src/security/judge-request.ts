import type { IncomingMessage } from 'node:http';
import { MisstepError } from '@misstep/model';
import { isReceiverPath, isReceiverRequest, RECEIVER_TOKEN_HEADER } from './receiver-address.ts';
import { cookieName, isToken, readCookie } from './token.ts';

/** Where authorization servers send the browser back to; see docs/decisions/0047. */
export const SIGN_IN_REDIRECT_PATH = '/oauth/callback';

export interface Guard {
  readonly token: string;
  /** The port that is listened on, known only once it is. */
  readonly port: () => number;
}

/** What becomes of a request before any route sees it. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse'; readonly error: MisstepError }
  /** The token came in a page's address: keep it as a cookie and show the address without it. */
  | { readonly kind: 'welcome'; readonly location: string };

type RawRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/**
 * Judges every request alike, whatever its route, method or existence: own host (against DNS
 * rebinding), own origin (against other pages), the token of this start.
 */
export function judgeRequest(request: RawRequest, guard: Guard): Verdict {
  const isReceiver = isReceiverRequest(request);
  const isRedirect = isSignInRedirect(request);
  const error =
    judgeHost(request, guard.port()) ??
    judgeSender(request, isReceiver, isRedirect) ??
    judgePath(request);
  if (error !== null) return { kind: 'refuse', error };
  // The receiver has a token of its own, which its route asks for; that of this start opens it not.
  if (isReceiver || isRedirect || holdsToken(request, guard)) return { kind: 'pass' };
  const location = welcomeLocation(request, guard.token);
  if (location !== null) return { kind: 'welcome', location };
  // An exporter, or who looks whether one could send here: it never has the token of this start.
  if (isReceiverPath(splitUrl(request.url).pathname) && RECEIVER_TOKEN_HEADER in request.headers) {
    const error = new MisstepError('METHOD_NOT_ALLOWED', 'This address takes POST.');
    return { kind: 'refuse', error };
  }
  return {
    kind: 'refuse',
    error: new MisstepError('TOKEN_MISSING', 'The request does not carry the token of this start.'),
  };
}

/** True for addresses that a person opens, as against what programs call. */
export function isPagePath(url: string | undefined): boolean {
  const { pathname } = splitUrl(url);
  return pathname !== '/api' && !pathname.startsWith('/api/');
}

function judgeHost({ rawHeaders, url }: RawRequest, port: number): MisstepError | null {
  const hosts = valuesOf(rawHeaders, 'host');
  const allowed = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const [host] = hosts;
  // An absolute target would overrule the header, so only paths are served.
  const named = url?.startsWith('/') === true;
  if (named && hosts.length === 1 && host !== undefined && allowed.includes(host.toLowerCase())) {
    return null;
  }
  return new MisstepError('HOST_REFUSED', 'The request names a host that is not this Misstep.');
}

function judgeOrigin({ rawHeaders, headers }: RawRequest): MisstepError | null {
  const origins = valuesOf(rawHeaders, 'origin');
  const own = `http://${headers.host?.toLowerCase()}`;
  const sites = valuesOf(rawHeaders, 'sec-fetch-site');
  // `same-site` is another port of this machine: another program's page.
  const fromElsewhere = sites.some((site) => site !== 'same-origin' && site !== 'none');
  if (!fromElsewhere && origins.every((origin) => origin.toLowerCase() === own)) return null;
  return new MisstepError('ORIGIN_REFUSED', 'The request comes from a page that is not Misstep.');
}

function judgeSender(
  request: RawRequest,
  isReceiver: boolean,
  isRedirect: boolean,
): MisstepError | null {
  if (isReceiver) return refusePage(request);
  return isRedirect ? null : judgeOrigin(request);
}

/** Spans come from programs: no page, not even ours, has any business there. */
function refusePage({ rawHeaders }: RawRequest): MisstepError | null {
  const marks = ['origin', 'sec-fetch-site'].flatMap((name) => valuesOf(rawHeaders, name));
  return marks.length === 0
    ? null
    : new MisstepError('ORIGIN_REFUSED', 'Spans are not taken from a page.');
}

/**
 * A browser that goes where another site sends it: neither our origin nor our SameSite cookie can
 * come along. Only a whole page may be loaded so, by GET; what it may do hangs on a `state` that
 * only the browser which began the sign-in knows.
 */
function isSignInRedirect({ method, url, rawHeaders }: RawRequest): boolean {
  const only = (name: string, value: string) =>
    valuesOf(rawHeaders, name).every((each) => each === value);
  return (
    method === 'GET' &&
    splitUrl(url).pathname === SIGN_IN_REDIRECT_PATH &&
    valuesOf(rawHeaders, 'origin').length === 0 &&
    only('sec-fetch-mode', 'navigate') &&
    only('sec-fetch-dest', 'document')
  );
}

function judgePath({ url }: RawRequest): MisstepError | null {
  const { pathname } = splitUrl(url);
  // Nothing of ours has a dot segment, a backslash or an encoded slash in its path.
  if (!/(^|\/)(\.|%2e){1,2}(\/|$)|%2f|%5c|%00|\\/i.test(pathname)) return null;
  return new MisstepError('PATH_REFUSED', 'The address tries to leave the folder it is in.');
}

function holdsToken({ headers }: RawRequest, { token, port }: Guard): boolean {
  const bearer = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
  const given = bearer ?? readCookie(headers.cookie, cookieName(port()));
  return given !== null && isToken(token, given);
}

function welcomeLocation({ method, url }: RawRequest, token: string): string | null {
  if (method !== 'GET' || !isPagePath(url)) return null;
  const { pathname, search } = splitUrl(url);
  const query = new URLSearchParams(search);
  const given = query.get('token');
  if (given === null || !isToken(token, given)) return null;
  query.delete('token');
  const rest = query.toString();
  // `//name` in a Location is another host.
  return `/${pathname.replace(/^\/+/, '')}${rest === '' ? '' : `?${rest}`}`;
}

function splitUrl(url = '/'): { pathname: string; search: string } {
  const [withoutFragment = '/'] = url.split('#');
  const at = withoutFragment.indexOf('?');
  return at < 0
    ? { pathname: withoutFragment, search: '' }
    : { pathname: withoutFragment.slice(0, at), search: withoutFragment.slice(at + 1) };
}

/** Every value under a header name as it was sent; Node itself keeps only the first of some. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}
