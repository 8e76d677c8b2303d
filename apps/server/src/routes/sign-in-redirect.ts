import type { FastifyInstance } from 'fastify';
import { SIGN_IN_REDIRECT_PATH } from '../security/judge-request.ts';
import type { SignInService } from '../services/sign-in-service.ts';

/**
 * Where an authorization server sends the person's browser back to. The one address without the
 * token (docs/decisions/0047): it comes from another site, and does nothing but hand its query to
 * the sign-in whose secret `state` it brings. It says nothing of what it was sent.
 */
export function addSignInRedirect(app: FastifyInstance, signIns: SignInService): void {
  app.get(SIGN_IN_REDIRECT_PATH, async (request, reply) => {
    const [, search = ''] = (request.raw.url ?? '').split('?', 2);
    const done = await signIns.complete(new URLSearchParams(search));
    reply.type('text/plain; charset=utf-8');
    if (done === null) {
      reply.code(400);
      return 'This sign-in is over or was never begun here. Start it again in Misstep.\n';
    }
    if (done.problem !== null) {
      reply.code(502);
      return `${done.problem}\n`;
    }
    return `You are signed in at ${done.targetName}. Close this page and go back to Misstep.\n`;
  });
}

export function signInRedirectUri(port: number): string {
  return `http://127.0.0.1:${port}${SIGN_IN_REDIRECT_PATH}`;
}
