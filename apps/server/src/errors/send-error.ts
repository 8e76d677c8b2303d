import type { MisstepError } from '@misstep/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPagePath } from '../security/judge-request.ts';

/**
 * One shape for every error: `{error:{code,message,hint,details}}`. A person who opens a page
 * without the token gets a few plain words instead.
 */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: MisstepError): void {
  const { headers } = request.raw;
  const hasBody = headers['content-length'] !== undefined || 'transfer-encoding' in headers;
  // Nobody reads the rest of a refused body, so the connection can't be used again.
  if (hasBody && !request.raw.complete) reply.header('connection', 'close');
  reply.code(error.status);
  if (error.code === 'TOKEN_MISSING' && isPagePath(request.raw.url)) {
    reply.type('text/plain; charset=utf-8').send(`${error.message}\n${error.hint}\n`);
    return;
  }
  reply.type('application/json; charset=utf-8').send(errorText(error));
}

export function errorText({ code, message, hint, details }: MisstepError): string {
  return JSON.stringify({ error: { code, message, hint, details } });
}
