import { routes } from '@misstep/contract';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../compose.ts';
import type { Limits } from '../security/limits.ts';
import { accountHandlers } from './account.ts';
import { experimentHandlers } from './experiments.ts';
import { findHandlers } from './find.ts';
import type { Handlers } from './handler.ts';
import { importHandlers } from './imports.ts';
import { priceHandlers } from './prices.ts';
import { receiverHandlers } from './receiver.ts';
import { registerRoute } from './register.ts';
import { replayHandlers } from './replays.ts';
import { runHandlers } from './runs.ts';
import { schemaHandlers } from './schemas.ts';
import { sourceHandlers } from './sources.ts';
import { systemHandlers } from './system.ts';
import { targetHandlers } from './targets.ts';

export function registerRoutes(
  app: FastifyInstance,
  services: Services,
  limits: Limits,
  port: () => number,
): void {
  const handlers: Handlers = {
    ...systemHandlers(services),
    ...runHandlers(services),
    ...importHandlers(services),
    ...findHandlers(services),
    ...sourceHandlers(services),
    ...targetHandlers(services, port),
    ...replayHandlers(services),
    ...receiverHandlers(services),
    ...priceHandlers(services),
    ...experimentHandlers(services),
    ...schemaHandlers(services),
    ...accountHandlers(services),
  };
  for (const name of routeNames()) register(app, name, handlers, limits);
}

type Name = keyof Handlers;

function routeNames(): Name[] {
  // Object.keys forgets that the keys of this constant are known.
  return Object.keys(routes) as Name[];
}

function register<N extends Name>(
  app: FastifyInstance,
  name: N,
  handlers: Handlers,
  limits: Limits,
): void {
  registerRoute<(typeof routes)[N]>(app, name, routes[name], handlers[name], limits);
}
