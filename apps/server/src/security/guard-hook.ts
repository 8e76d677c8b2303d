import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../errors/send-error.ts';
import { sendOtlpError } from '../errors/send-otlp-error.ts';
import { type BodyKind, judgeBody } from './judge-body.ts';
import { type Guard, judgeRequest } from './judge-request.ts';
import { isReceiverRequest } from './receiver-address.ts';
import { SECURITY_HEADERS } from './response-headers.ts';
import { tokenCookie } from './token.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's body may be; absent = none. */
    bodyKind?: BodyKind;
  }
}

/**
 * The one check in front of everything: routes, files, addresses that don't exist, methods that
 * nobody serves. Answers the request itself and gives false where it may not go on.
 */
export function guardRequest(request: FastifyRequest, reply: FastifyReply, guard: Guard): boolean {
  reply.headers(SECURITY_HEADERS);
  const refuse = isReceiverRequest(request.raw) ? sendOtlpError : sendError;
  const verdict = judgeRequest(request.raw, guard);
  if (verdict.kind === 'refuse') {
    if (verdict.error.code === 'METHOD_NOT_ALLOWED') reply.header('allow', 'POST');
    refuse(request, reply, verdict.error);
    return false;
  }
  if (verdict.kind === 'welcome') {
    reply.header('set-cookie', tokenCookie(guard.port(), guard.token));
    reply.code(303).header('location', verdict.location).send();
    return false;
  }
  const { bodyKind = 'none' } = request.routeOptions.config ?? {};
  // The receiver of spans has a token of its own, and looks at nothing else before it.
  const bodyError = bodyKind === 'spans' ? null : judgeBody(bodyKind, request.headers);
  if (bodyError === null) return true;
  refuse(request, reply, bodyError);
  return false;
}

export function addGuardHook(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (guardRequest(request, reply, guard)) done();
  });
}
