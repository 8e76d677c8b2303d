import { existsSync, readFileSync } from 'node:fs';
import { type Route, routes } from '@misstep/contract';
import { TargetNameSchema } from '@misstep/model';
import { describe, expect, test, vi } from 'vitest';
import { HOST, openTestApp, smallRecording, TOKEN, until } from './support.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;
const OTHER_ADDRESSES = [
  '/',
  '/runs',
  '/index.html',
  '/assets/app.js',
  '/favicon.ico',
  '/api',
  '/api/nope',
  '/%zz',
  '/..%2f..%2fetc/passwd',
  '/v1/traces',
];
const good = { host: HOST, authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

type Headers = Record<string, string>;
interface Attack {
  readonly name: string;
  readonly headers: Headers;
  readonly payload?: string;
  readonly statuses: readonly number[];
}

const without = (name: keyof typeof good): Headers =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
const FORM = 'multipart/form-data; boundary=x';
const attacks: readonly Attack[] = [
  { name: 'no token', headers: without('authorization'), statuses: [401] },
  { name: 'wrong token', headers: { ...good, authorization: 'Bearer x' }, statuses: [401] },
  {
    name: 'foreign cookie',
    headers: { ...without('authorization'), cookie: `misstep_1=${TOKEN}` },
    statuses: [401],
  },
  { name: 'evil host', headers: { ...good, host: 'evil.example' }, statuses: [403] },
  { name: '0.0.0.0', headers: { ...good, host: '0.0.0.0:4999' }, statuses: [403] },
  { name: 'localhost.evil', headers: { ...good, host: 'localhost.evil:4999' }, statuses: [403] },
  { name: 'other port', headers: { ...good, host: '127.0.0.1:5000' }, statuses: [403] },
  { name: 'evil origin', headers: { ...good, origin: 'http://evil.example' }, statuses: [403] },
  { name: 'null origin', headers: { ...good, origin: 'null' }, statuses: [403] },
  { name: 'cross-site', headers: { ...good, 'sec-fetch-site': 'cross-site' }, statuses: [403] },
  {
    name: 'text/plain',
    headers: { ...good, 'content-type': 'text/plain' },
    payload: '{}',
    statuses: [415],
  },
  {
    name: 'form',
    headers: { ...good, 'content-type': 'application/x-www-form-urlencoded' },
    payload: '{}=',
    statuses: [415],
  },
  {
    name: 'multipart',
    headers: { ...good, 'content-type': FORM },
    payload: '--x--',
    statuses: [415],
  },
];

/** Children that this thread started; those of tests in other threads are not ours. Linux only. */
function childCount(): number {
  const path = '/proc/thread-self/children';
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).length : 0;
}

function addressOf(route: Route, ids: Record<string, string>): string {
  return route.path.replace(/:([a-zA-Z0-9]+)/g, (_match, name: string) => ids[name] ?? '0');
}

describe('every address refuses what is not the page of this start', () => {
  test('in every method, without a trace', { timeout: 120_000 }, async () => {
    const sent = vi.fn();
    const { app, services } = await openTestApp({
      replayCall: () => {
        sent();
        return Promise.reject(new Error('nothing may be sent'));
      },
    });
    const started = await services.imports.begin({
      name: 'rec.jsonl',
      format: null,
      text: smallRecording(),
      files: [],
    });
    const { runs } = await until(async () => {
      const list = await services.runs.list({ offset: 0, limit: 10 });
      return services.imports.get(started.id).state === 'done' && list.total === 1 ? list : null;
    });
    const run = runs[0];
    const steps = await services.store.listSteps(run?.id ?? ('' as never));
    const step = steps.find(({ kind }) => kind === 'tool');
    const detail = await services.runs.get(run?.id ?? ('' as never));
    const name = TargetNameSchema.parse('depot');
    await services.targets.add(name, { transport: 'stdio', command: 'depot', args: [], cwd: null });
    await services.targets.confirm(name, 'depot', false);

    const ids = {
      runId: run?.id ?? '',
      stepId: step?.id ?? '',
      sha256: detail.sources[0]?.sha256 ?? '',
      importId: started.id,
      index: '0',
      name,
      replayId: started.id,
    };
    const state = async () =>
      JSON.stringify([
        await services.runs.list({ offset: 0, limit: 10 }),
        await services.targets.list(),
        await services.store.listMarks(detail.id),
        await services.replays.list({ limit: 10 }),
        services.imports.list().map(({ id, state: importState }) => [id, importState]),
        await services.store.stats(),
      ]);
    const before = await state();
    const childrenBefore = childCount();
    const addresses = [
      ...new Set(Object.values(routes).map((route) => addressOf(route, ids))),
      ...OTHER_ADDRESSES,
    ];
    expect(addresses.length).toBeGreaterThan(20);

    const wrong: string[] = [];
    let count = 0;
    for (const url of addresses) {
      for (const method of METHODS) {
        for (const { name: attack, headers, payload, statuses } of attacks) {
          const response = await app.inject({
            method: method as 'GET',
            url,
            headers,
            ...(payload === undefined ? {} : { payload }),
          });
          count += 1;
          const traversal = url.includes('%2f') && [403].includes(response.statusCode);
          // The receiver of spans asks for its own token before it looks at a body.
          const isReceiver = method === 'POST' && url.startsWith('/v1/');
          const isStrange = isReceiver && response.statusCode === 401;
          if (!statuses.includes(response.statusCode) && !traversal && !isStrange) {
            wrong.push(`${attack}: ${method} ${url} -> ${response.statusCode}`);
          }
          if (response.headers['content-security-policy'] === undefined) {
            wrong.push(`${attack}: ${method} ${url} has no policy`);
          }
          if (/<[a-z]/i.test(response.body)) wrong.push(`${attack}: ${method} ${url} sends markup`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBe(addresses.length * METHODS.length * attacks.length);
    expect(await state()).toBe(before);
    expect(childCount()).toBe(childrenBefore);
    expect(sent).not.toHaveBeenCalled();
  });

  test('the same requests without the fault are answered', async () => {
    const { app } = await openTestApp();
    const response = await app.inject({ method: 'GET', url: '/api/status', headers: good });
    expect(response.statusCode).toBe(200);
    for (const [method, url] of [
      ['POST', '/api/status'],
      ['PATCH', '/api/runs'],
      ['DELETE', '/'],
    ] as const) {
      const wrongMethod = await app.inject({
        method,
        url,
        headers: { host: HOST, authorization: good.authorization },
      });
      expect(wrongMethod.statusCode).toBe(405);
      expect(wrongMethod.headers.allow).toContain('GET');
    }
  });
});
