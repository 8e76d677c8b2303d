import { SignInError } from './sign-in-error.ts';

const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Addresses of this machine, by name: `localhost` is one wherever a resolver is sane. */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/**
 * Throws where tokens or codes would travel in the clear (OAuth 2.1, 1.5), or where a server
 * elsewhere points Misstep at a service of this machine.
 */
export function checkSignInUrl(url: URL, server: URL): void {
  if (isLoopback(url)) {
    if (isLoopback(server) && (url.protocol === 'http:' || url.protocol === 'https:')) return;
    throw new SignInError(
      `it points at ${url.host}, an address of this machine, which a server elsewhere may not`,
    );
  }
  if (url.protocol === 'https:') return;
  throw new SignInError(
    `${url.protocol}//${url.host} is not https, so tokens would travel in the open`,
  );
}

/** `fetch` for the sign-in at one server: checked addresses, bounded time and size, no credentials. */
export function createSignInFetch(
  server: URL,
  /** Ends it sooner than its own bound of twenty seconds a request. */
  signal?: AbortSignal,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (address, init = {}) => {
    let url = new URL(address);
    for (let hop = 0; ; hop += 1) {
      checkSignInUrl(url, server);
      const response = await send(url, init, signal);
      if (!REDIRECTS.has(response.status)) return readCapped(response, url);
      const location = response.headers.get('location');
      await response.body?.cancel();
      if ((init.method ?? 'GET') !== 'GET' || location === null || hop >= MAX_REDIRECTS) {
        throw new SignInError(`${url.host} answered with a redirect, which is not followed there`);
      }
      if (!URL.canParse(location, url.href))
        throw new SignInError(`${url.host} redirects to no URL`);
      url = new URL(location, url);
    }
  };
}

async function send(url: URL, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  const bound = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(url, {
      ...init,
      redirect: 'manual',
      credentials: 'omit',
      signal: signal === undefined ? bound : AbortSignal.any([signal, bound]),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new SignInError(`${url.host} does not answer${code}`);
  }
}

async function readCapped(response: Response, url: URL): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  if (response.body !== null) {
    // The DOM's type of a stream does not know that Node's can be iterated.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_BODY_BYTES) {
        throw new SignInError(`${url.host} answered with more than ${MAX_BODY_BYTES} bytes`);
      }
      chunks.push(chunk);
    }
  }
  const { status, statusText, headers } = response;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, statusText, headers });
}
