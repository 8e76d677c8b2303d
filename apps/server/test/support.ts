import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Route, routeUrl } from '@misstep/contract';
import type { ReplayCall } from '@misstep/replay';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AppOptions, buildApp } from '../src/app.ts';
import { openServices, type Services } from '../src/compose.ts';

export const TOKEN = 'test-token-of-this-start';
export const PORT = 4999;
export const HOST = `127.0.0.1:${PORT}`;

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-server-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly dataFolder: string;
}

/** Services over a data folder of the test's own; closed at its end. */
export async function openTestServices(
  options: { dataFolder?: string; replayCall?: ReplayCall } = {},
): Promise<Services> {
  const dataFolder = options.dataFolder ?? (await makeFolder());
  const { replayCall } = options;
  const services = await openServices({
    dataFolder,
    author: 'tester',
    ...(replayCall === undefined ? {} : { replayCall }),
  });
  onTestFinished(() => services.close());
  return services;
}

export async function openTestApp(
  options: { replayCall?: ReplayCall; app?: Partial<AppOptions> } = {},
): Promise<TestApp> {
  const { replayCall } = options;
  const services = await openTestServices(replayCall === undefined ? {} : { replayCall });
  const app = await buildApp(services, { token: TOKEN, port: PORT, ...options.app });
  onTestFinished(() => app.close());
  return { app, services, dataFolder: services.store.dataFolder };
}

/** One app for tests that leave nothing behind; `fill` puts files into its app folder. */
export function shareTestApp(fill?: (appFolder: string) => Promise<void>): () => TestApp {
  let shared: TestApp | null = null;
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'misstep-server-'));
    const appFolder = join(root, 'app');
    await mkdir(appFolder);
    await fill?.(appFolder);
    const dataFolder = join(root, 'data');
    const services = await openServices({ dataFolder, author: 'tester' });
    const app = await buildApp(services, { token: TOKEN, port: PORT, appFolder });
    shared = { app, services, dataFolder };
  });
  afterAll(async () => {
    await shared?.app.close();
    await shared?.services.close();
    await rm(root, { recursive: true, force: true });
  });
  return () => {
    if (shared === null) throw new Error('the shared app has not been opened');
    return shared;
  };
}

export interface Sent {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly json: unknown;
}

/** Calls a route as the page would; a success is held against the route's own schema. */
export async function call<R extends Route>(
  app: FastifyInstance,
  route: R,
  input: { params?: object; query?: object; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const contentType = route.bodyKind === 'json' ? 'application/json' : 'application/octet-stream';
  const payload =
    route.bodyKind === 'json'
      ? JSON.stringify(input.body ?? {})
      : (input.body as Buffer | undefined);
  const response = await app.inject({
    method: route.method,
    url: routeUrl(route, { params: input.params, query: input.query } as never),
    headers: {
      host: HOST,
      authorization: `Bearer ${TOKEN}`,
      ...(route.bodyKind === 'none' ? {} : { 'content-type': contentType }),
      ...input.headers,
    },
    ...(route.bodyKind === 'none' || payload === undefined ? {} : { payload }),
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  const json: unknown = isJson ? JSON.parse(response.body) : null;
  if (response.statusCode === 200 && route.responseKind === 'json') route.response.parse(json);
  return { status: response.statusCode, headers: response.headers, text: response.body, json };
}

/** One line of a wire recording as other tools write it. */
export function rpcLine(direction: 'send' | 'recv', ts: string, message: object): string {
  return `${JSON.stringify({ ts, dir: direction, msg: message })}\n`;
}

/** A small recording: tools/list, then a failed call and the same once more. */
export function smallRecording(session = 'one'): string {
  const at = (second: number) => `2026-01-05T10:00:0${second}.000Z`;
  const callOf = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'find_parcel', arguments: { code: session, exact: true } },
  });
  return [
    rpcLine('send', at(0), { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    rpcLine('recv', at(0), {
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }] },
    }),
    rpcLine('send', at(1), callOf(2)),
    rpcLine('recv', at(2), {
      jsonrpc: '2.0',
      id: 2,
      result: { isError: true, content: [{ type: 'text', text: 'the depot is asleep' }] },
    }),
    rpcLine('send', at(3), callOf(3)),
    rpcLine('recv', at(4), {
      jsonrpc: '2.0',
      id: 3,
      result: { content: [{ type: 'text', text: '{"count":1,"parcel":9007199254740993}' }] },
    }),
  ].join('');
}

/** Waits for a condition, without a fixed time. */
export async function until<T>(look: () => Promise<T | null> | T | null): Promise<T> {
  const endMs = performance.now() + 20_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > endMs) throw new Error('the condition never came about');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
