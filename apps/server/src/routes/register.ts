import { Readable } from 'node:stream';
import type { Route, RouteName } from '@misstep/contract';
import { MisstepError } from '@misstep/model';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { explainInvalid } from '../errors/explain-error.ts';
import type { Limits } from '../security/limits.ts';
import { Download, type Handler } from './handler.ts';

/** Puts one route of the contract on the app: checks what comes in, sends what comes out. */
export function registerRoute<R extends Route>(
  app: FastifyInstance,
  name: RouteName,
  route: R,
  handler: Handler<R>,
  limits: Limits,
): void {
  app.route({
    method: route.method,
    url: route.path,
    config: { bodyKind: route.bodyKind },
    bodyLimit: bodyLimitOf(name, limits),
    handler: async (request, reply) => {
      const result = await handler({
        params: check<R['params']>(route.params, request.params, 'path'),
        query: check<R['query']>(route.query, onceOnly(request.query), 'query'),
        body: readBody(route, request.body),
        bytes: request.body instanceof Readable ? request.body : Readable.from([]),
        signal: goneSignal(reply),
      });
      return result instanceof Download ? sendDownload(reply, result) : sendJson(reply, result);
    },
  });
}

/** Work that nobody waits for any more need not go on. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function check<S extends z.ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const checked = schema.safeParse(value);
  if (!checked.success) throw explainInvalid(checked.error, part);
  return checked.data;
}

/** No query field of any route is a list: which of two values was meant nobody can know. */
function onceOnly(query: unknown): unknown {
  for (const [name, value] of Object.entries(query ?? {})) {
    if (!Array.isArray(value)) continue;
    throw new MisstepError(
      'REQUEST_INVALID',
      `query.${name}: it is given ${value.length} times; give it once.`,
      { field: `query.${name}` },
    );
  }
  return query;
}

/** Bytes are handed on as they come; a route without a body has a schema for none. */
function readBody<R extends Route>(route: R, body: unknown): z.output<R['body']> {
  return check<R['body']>(route.body, route.bodyKind === 'json' ? body : undefined, '');
}

function bodyLimitOf(name: RouteName, limits: Limits): number {
  if (name === 'createImport') return limits.pastedTextBytes;
  // Two calls' arguments may come with an experiment, each as large as a replay's.
  if (name === 'planExperiment' || name === 'startExperiment') {
    return 2 * limits.replayArgumentsBytes;
  }
  if (name === 'readTargetConfig' || name === 'importTargets') return limits.targetConfigBytes;
  if (name === 'startReplay' || name === 'checkArguments') return limits.replayArgumentsBytes;
  return limits.jsonBodyBytes;
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  // Well-formed JSON.stringify writes half characters as escapes, so that they survive UTF-8.
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(value));
}

function sendDownload(reply: FastifyReply, download: Download): FastifyReply {
  return reply
    .type('application/octet-stream')
    .header('content-length', download.sizeBytes)
    .header('content-disposition', attachment(download.name))
    .send(download.open());
}

/** RFC 6266: an ASCII name for everyone, the real one (RFC 8187) for who reads it. */
function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, '_');
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** A body's parsers: JSON in UTF-8 that holds no key which reaches for a prototype, and bytes. */
export function addBodyParsers(app: FastifyInstance, limits: Limits): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done) => {
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        // Replacing bytes in silence would change what the person typed.
        done(new MisstepError('REQUEST_INVALID', 'The body is not UTF-8.'), undefined);
        return;
      }
      parseJson(request, text, done);
    },
  );
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => {
    done(null, payload);
  });
  addBodyTimeouts(app, limits);
}

/**
 * Node's own limit counts from the first byte to the last and would end a long upload, so JSON
 * bodies and uploads each get a timer of their own. A body that is late loses its connection.
 */
function addBodyTimeouts(app: FastifyInstance, limits: Limits): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  app.addHook('preParsing', async (request, _reply, payload) => {
    const kind = request.routeOptions.config?.bodyKind;
    const end = () => request.raw.destroy();
    if (kind === 'json') timers.set(request, setTimeout(end, limits.jsonBodyTimeoutMs));
    if (kind === 'bytes' || kind === 'spans') {
      const timer = setTimeout(end, limits.uploadIdleTimeoutMs);
      timers.set(request, timer);
      payload.on('data', () => timer.refresh());
      // Listening starts the flow; whoever reads the body starts it again.
      payload.pause();
    }
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config?.bodyKind === 'json') clearTimeout(timers.get(request));
  });
  app.addHook('onResponse', async (request) => clearTimeout(timers.get(request)));
  app.addHook('onRequestAbort', async (request) => clearTimeout(timers.get(request)));
}
