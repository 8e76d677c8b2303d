import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy } from '../security/response-headers.ts';

/** Where the browser side is built to. */
export function builtAppFolder(): string {
  return fileURLToPath(new URL('../../../web/dist/app', import.meta.url));
}

/**
 * Serves the files that are there at the start, each by a route of its own, and what is in its
 * folder of hashed names as it is then: it may be built anew while the server runs. Nothing else of
 * the disk has an address. Names with a hash never change what they hold.
 */
export async function addAppFiles(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const options: FastifyStaticOptions = {
    root: folder,
    index: false,
    cacheControl: false,
    decorateReply: false,
    setHeaders(response, path) {
      const hashed = /-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(path);
      response.header(
        'cache-control',
        hashed ? 'private, max-age=31536000, immutable' : 'no-cache',
      );
    },
  };
  const others = { wildcard: false, globIgnore: ['**/index.html', 'assets/**'] };
  await app.register(fastifyStatic, { ...options, ...others });
  const root = `${folder}/assets`;
  if (existsSync(root))
    await app.register(fastifyStatic, {
      ...options,
      root,
      prefix: '/assets/',
      allowedPath: isFile,
    });
}

/** A folder has no page of its own. */
function isFile(path: string): boolean {
  return !path.endsWith('/');
}

/** The page behind every address that a person opens; it reads the address itself. */
export class AppPage {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = `${folder}/index.html`;
  }

  /** Read each time: it names the scripts of its own build, which may be newer than this start. */
  #html(): string | null {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch {
      return null;
    }
  }

  send(reply: FastifyReply): FastifyReply {
    const html = this.#html();
    if (html === null) {
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('The browser side has not been built: run `npm run build`.\n');
    }
    const nonce = randomBytes(18).toString('base64');
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(withNonce(html, nonce));
  }
}

/** Browsers hide the `nonce` attribute from style sheets; the page reads it as a property. */
function withNonce(html: string, nonce: string): string {
  return html.replace('<head>', `<head>\n    <meta property="csp-nonce" nonce="${nonce}" />`);
}
