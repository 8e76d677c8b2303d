import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy } from '../security/response-headers.ts';

/** Where the browser side is built to. */
export function builtAppFolder(): string {
  return fileURLToPath(new URL('../../../web/dist/app', import.meta.url));
}

/**
 * Serves the files that are there at the start, each by a route of its own: nothing else of the
 * disk has an address. Names with a hash never change what they hold.
 */
export async function addAppFiles(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['**/index.html'],
    cacheControl: false,
    decorateReply: false,
    setHeaders(response, path) {
      const hashed = /-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(path);
      response.header(
        'cache-control',
        hashed ? 'private, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
}

/** The page behind every address that a person opens; it reads the address itself. */
export class AppPage {
  readonly #html: string | null;

  constructor(folder: string) {
    const path = `${folder}/index.html`;
    this.#html = existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  send(reply: FastifyReply): FastifyReply {
    if (this.#html === null) {
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('The browser side has not been built: run `npm run build`.\n');
    }
    const nonce = randomBytes(18).toString('base64');
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(withNonce(this.#html, nonce));
  }
}

/** Browsers hide the `nonce` attribute from style sheets; the page reads it as a property. */
function withNonce(html: string, nonce: string): string {
  return html.replace('<head>', `<head>\n    <meta property="csp-nonce" nonce="${nonce}" />`);
}
