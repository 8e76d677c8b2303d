import { ERROR_CATALOGUE, type ErrorCode, MisstepError } from '@misstep/model';
import { z } from 'zod';
import type { Route } from './route.ts';

const ErrorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

export interface CallInput<R extends Route> {
  params?: z.input<R['params']>;
  query?: z.input<R['query']>;
  body?: z.input<R['body']>;
  signal?: AbortSignal;
}

export interface ClientOptions {
  /** Origin of the server, '' for the page's own. */
  baseUrl: string;
  /** Sent as a bearer token; the browser uses its cookie instead. */
  token?: string;
  fetch?: typeof fetch;
}

/**
 * Calls one route and gives its checked answer. Throws MisstepError with the server's code and
 * message, or with code INTERNAL where the answer isn't Misstep's (server gone, wrong port).
 */
export type Client = <R extends Route>(
  route: R,
  input?: CallInput<R>,
) => Promise<z.output<R['response']>>;

export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (route, input = {}) => {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
    let body: BodyInit | undefined;
    if (route.bodyKind === 'json') {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(input.body ?? {});
    } else if (route.bodyKind === 'bytes') {
      headers['content-type'] = 'application/octet-stream';
      // The route's schema for bytes is unknown; callers pass a Blob or bytes.
      body = input.body as BodyInit;
    }
    const response = await send(options.baseUrl + routeUrl(route, input), {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    const text = await response.text();
    if (!response.ok) throw readError(response.status, text);
    // The schema's output type is what it says; TypeScript can't see through the generic.
    return route.response.parse(JSON.parse(text)) as z.output<(typeof route)['response']>;
  };
}

/** The address of a route with its parameters and query filled in. */
export function routeUrl<R extends Route>(route: R, input: CallInput<R> = {}): string {
  const params = z.record(z.string(), z.coerce.string()).parse(input.params ?? {});
  const path = route.path.replace(/:([a-zA-Z0-9]+)/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(
    z.record(z.string(), z.unknown()).parse(input.query ?? {}),
  )) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

function readError(status: number, text: string): MisstepError {
  try {
    const { error } = ErrorBodySchema.parse(JSON.parse(text));
    // Unknown codes come from a newer server; INTERNAL keeps them visible in the message.
    const code: ErrorCode = error.code in ERROR_CATALOGUE ? (error.code as ErrorCode) : 'INTERNAL';
    return new MisstepError(code, error.message, error.details, { hint: error.hint });
  } catch (cause) {
    return new MisstepError(
      'INTERNAL',
      `The server answered ${status} without an error body.`,
      {},
      { cause },
    );
  }
}
