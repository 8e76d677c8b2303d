import { routes } from '@misstep/contract';
import { MisstepError } from '@misstep/model';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Services } from './compose.ts';
import { answerClientError } from './errors/client-error.ts';
import { explainError } from './errors/explain-error.ts';
import { sendError } from './errors/send-error.ts';
import { registerRoutes } from './routes/all.ts';
import { addReceiver } from './routes/otlp-receiver.ts';
import { addBodyParsers } from './routes/register.ts';
import { addSignInRedirect } from './routes/sign-in-redirect.ts';
import { addGuardHook, guardRequest } from './security/guard-hook.ts';
import { type Guard, isPagePath } from './security/judge-request.ts';
import { LIMITS, type Limits } from './security/limits.ts';
import { isReceiverPath } from './security/receiver-address.ts';
import { AppPage, addAppFiles, builtAppFolder } from './static/app-files.ts';

export interface AppOptions {
  readonly token: string;
  /** What Host has to name where nothing listens (tests); else the port that is listened on. */
  readonly port?: number;
  readonly appFolder?: string;
  readonly limits?: Partial<Limits>;
}

/** The whole HTTP side, not listening yet. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const limits: Limits = { ...LIMITS, ...options.limits };
  const app = fastify({
    logger: false,
    bodyLimit: limits.jsonBodyBytes,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Counted by body, see addBodyTimeouts.
    requestTimeout: 0,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: limits.maxParamLength },
    http: {
      // Node would answer without our headers; the guard refuses it with them.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: limits.maxHeaderBytes,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // Addresses that can't be decoded never reach the hooks.
      if (guardRequest(request, reply, guard)) sendError(request, reply, explainError(error));
    },
  });
  const guard: Guard = { token: options.token, port: () => portOf(app) ?? options.port ?? 0 };
  app.server.maxConnections = limits.maxConnections;
  addGuardHook(app, guard);
  addBodyParsers(app, limits);
  app.setErrorHandler((error, request, reply) => sendError(request, reply, explainError(error)));
  registerRoutes(app, services, limits, guard.port);
  addReceiver(app, services.receiver, limits);
  addSignInRedirect(app, services.signIns);
  const folder = options.appFolder ?? builtAppFolder();
  await addAppFiles(app, folder);
  addPages(app, new AppPage(folder));
  await app.ready();
  return app;
}

/** Whatever is no route and no file: a page of the app, the wrong method, or nothing. */
function addPages(app: FastifyInstance, page: AppPage): void {
  const addresses = Object.values(routes).map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:[a-zA-Z0-9]+/g, '[^/]+')}$`),
  }));
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.raw.url?.split('?')[0] ?? '/';
    if (isReceiverPath(path)) {
      reply.header('allow', 'POST');
      return sendError(request, reply, methodNotAllowed(['POST']));
    }
    if (isPagePath(path)) {
      if (request.method === 'GET' && !isFilePath(path)) return page.send(reply);
      if (request.method === 'GET') return sendError(request, reply, notFound());
      reply.header('allow', 'GET');
      return sendError(request, reply, methodNotAllowed(['GET']));
    }
    const methods = addresses
      .filter(({ pattern }) => pattern.test(path))
      .map((each) => each.method);
    if (methods.length === 0) return sendError(request, reply, notFound());
    reply.header('allow', methods.join(', '));
    return sendError(request, reply, methodNotAllowed(methods));
  });
}

/** A missing script must not come back as the page. */
function isFilePath(path: string): boolean {
  return path.startsWith('/assets/') || /\.[a-z0-9]{2,5}$/i.test(path);
}

function notFound(): MisstepError {
  return new MisstepError('NOT_FOUND', 'There is nothing at this address.');
}

function methodNotAllowed(methods: readonly string[]): MisstepError {
  return new MisstepError('METHOD_NOT_ALLOWED', `This address takes ${methods.join(', ')}.`);
}

/** The port that is listened on; null where nothing listens. */
export function portOf(app: FastifyInstance): number | null {
  const address = app.server.address();
  return address !== null && typeof address === 'object' ? address.port : null;
}
