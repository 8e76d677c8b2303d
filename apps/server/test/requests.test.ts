import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import { describe, expect, test } from 'vitest';
import { ABSENT_HASH, ABSENT_RUN, errorOf } from './answers.ts';
import { call, HOST, openTestApp, shareTestApp, TOKEN } from './support.ts';

describe('requests that cannot be read', () => {
  const shared = shareTestApp();
  const headers = {
    host: HOST,
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
  };

  test.each([
    ['{"name":"x","text":"y","__proto__":{"polluted":1}}', 400],
    ['{"name":"x","constructor":{"prototype":{"polluted":1}}}', 400],
    ['{"name":', 400],
    ['', 400],
    ['[1]', 400],
    ['null', 400],
  ])('%s', async (payload, status) => {
    const { app } = shared();
    const sent = await app.inject({ method: 'POST', url: '/api/imports', headers, payload });
    expect(sent.statusCode).toBe(status);
    expect(JSON.parse(sent.body)).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('bytes that are no UTF-8 are not replaced in silence', async () => {
    const { app } = shared();
    const payload = Buffer.concat([
      Buffer.from('{"name":"x","text":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const sent = await app.inject({ method: 'POST', url: '/api/imports', headers, payload });
    expect(sent.statusCode).toBe(400);
  });

  test('bodies beyond the limit of their route', async () => {
    const { app } = await openTestApp({
      app: { limits: { jsonBodyBytes: 1000, pastedTextBytes: 5000 } },
    });
    const large = {
      name: 'x',
      address: { transport: 'streamable-http', url: `http://a/${'b'.repeat(2000)}` },
    };
    expect(errorOf(await call(app, routes.addTarget, { body: large }))).toEqual([
      413,
      'BODY_TOO_LARGE',
    ]);
    const paste = (length: number) =>
      call(app, routes.createImport, { body: { name: 'x', text: 'y'.repeat(length) } });
    expect((await paste(3000)).status).toBe(200);
    expect(errorOf(await paste(6000))).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('parameters and queries are checked, and the field is named', async () => {
    const { app } = shared();
    const get = (url: string) =>
      app.inject({
        method: 'GET',
        url,
        headers: { host: HOST, authorization: headers.authorization },
      });
    for (const [url, field] of [
      ['/api/runs?limit=0', 'query.limit'],
      ['/api/runs?limit=1&limit=2', 'query.limit'],
      ['/api/runs?nope=1', 'query'],
      ['/api/runs/x', 'path.runId'],
      [`/api/runs/${ABSENT_RUN}/steps/${'s'.repeat(190)}`, 'path.stepId'],
      [`/api/sources/${ABSENT_HASH}/bytes?offset=0&length=65537`, 'query.length'],
    ] as const) {
      const sent = await get(url);
      expect([sent.statusCode, JSON.parse(sent.body).error.details.field]).toEqual([400, field]);
    }
    const tooLong = await get(`/api/runs/${'x'.repeat(500)}`);
    expect([400, 404, 414]).toContain(tooLong.statusCode);
  });
});

describe('the page', () => {
  const shared = shareTestApp(async (folder) => {
    await mkdir(join(folder, 'assets'));
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html>\n<html><head><title>M</title></head></html>',
    );
    await writeFile(join(folder, 'assets/index-Ab3dE_9x.js'), 'export {};');
    await writeFile(join(folder, 'secret.txt'), 'served, as it is in the folder');
  });
  const headers = { host: HOST, cookie: `misstep_4999=${TOKEN}` };

  test('answers every address that a person opens, with its own nonce each time', async () => {
    const { app } = shared();
    const nonces = new Set<string>();
    for (const url of ['/', '/runs', '/runs/abc?tab=call', '/index.html'.replace('.html', '')]) {
      const sent = await app.inject({ method: 'GET', url, headers });
      expect(sent.statusCode).toBe(200);
      expect(sent.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(sent.headers['cache-control']).toBe('no-store');
      const nonce = /<meta property="csp-nonce" nonce="([^"]+)"/.exec(sent.body)?.[1] ?? '';
      expect(sent.headers['content-security-policy']).toContain(
        `style-src 'self' 'nonce-${nonce}'`,
      );
      expect(sent.headers['content-security-policy']).not.toContain('unsafe');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
  });

  test('files are themselves, cached by their hash; a missing one is no page', async () => {
    const { app } = shared();
    const script = await app.inject({ method: 'GET', url: '/assets/index-Ab3dE_9x.js', headers });
    expect(script.body).toBe('export {};');
    expect(script.headers['content-type']).toContain('javascript');
    expect(script.headers['cache-control']).toContain('immutable');
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    for (const url of ['/assets/index-gone.js', '/favicon.ico', '/assets/']) {
      expect((await app.inject({ method: 'GET', url, headers })).statusCode).toBe(404);
    }
    expect(
      (await app.inject({ method: 'GET', url: '/secret.txt', headers: { host: HOST } })).statusCode,
    ).toBe(401);
  });

  test('opening it with the token sets the cookie and shows a clean address', async () => {
    const { app } = shared();
    const sent = await app.inject({
      method: 'GET',
      url: `/runs?x=1&token=${TOKEN}`,
      headers: { host: HOST },
    });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, '/runs?x=1']);
    expect(sent.headers['set-cookie']).toBe(
      `misstep_4999=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`,
    );
    const without = await app.inject({ method: 'GET', url: '/', headers: { host: HOST } });
    expect(without.statusCode).toBe(401);
    expect(without.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(without.body).toContain('Open the address that Misstep printed');
  });

  test.each([
    '/..%2f..%2f..%2fetc/passwd',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/api/imports/../../etc/passwd',
  ])('%s leads nowhere', async (url) => {
    const { app } = shared();
    const sent = await app.inject({ method: 'GET', url, headers });
    expect(sent.body).not.toContain('root:');
    expect(sent.body).not.toContain('"name"');
    expect([200, 403, 404]).toContain(sent.statusCode);
    if (sent.statusCode === 200) expect(sent.body).toContain('<title>M</title>');
  });

  test('a path in a query is no way to a file', async () => {
    const { app } = shared();
    for (const url of [
      '/api/import?path=/etc/passwd',
      '/api/imports?path=/etc/passwd',
      '/?path=/etc/passwd',
    ]) {
      const sent = await app.inject({ method: 'GET', url, headers });
      expect(sent.body).not.toContain('root:');
    }
  });
});
