import type { ErrorCode } from '@misstep/model';
import type { z } from 'zod';

/**
 * One address of the HTTP surface as data: the server registers it, the typed client calls it,
 * docs and the security tests list it. Every route also may answer TOKEN_MISSING, HOST_REFUSED,
 * ORIGIN_REFUSED, REQUEST_INVALID and INTERNAL.
 */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fastify's notation, e.g. /api/runs/:runId */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly params: Params;
  readonly query: Query;
  /** `none`: a body is refused. `bytes`: application/octet-stream, streamed. */
  readonly bodyKind: 'none' | 'json' | 'bytes';
  readonly body: Body;
  readonly responseKind: 'json' | 'bytes';
  readonly response: Response;
  readonly errors: readonly ErrorCode[];
}

export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
>(route: Route<Params, Query, Body, Response>): Route<Params, Query, Body, Response> {
  return route;
}
