import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import { describe, expect, test } from 'vitest';
import { depotName, importedCall, request } from './depot.ts';
import { approve, comeBack, confirmedTarget, oauthServer } from './sign-in-support.ts';
import { call, HOST, openTestApp, openTestServices, TOKEN } from './support.ts';

describe('a sign-in', () => {
  test('ends with tokens that go to the server and nowhere else', async () => {
    const { server, app, services, dataFolder, begin, view } = await confirmedTarget();
    const place = await importedCall(services);
    const before = await services.replays.start(request(place));
    expect((await services.replays.whenDone(before.id)).outcomeSentence).toContain(
      'misstep target sign-in depot',
    );
    const begun = await begin();
    expect(begun.json).toMatchObject({ authority: server.origin });
    expect((await view()).signIn.state).toBe('waiting');
    const back = await comeBack(app, await approve(begun), {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    });
    expect([back.statusCode, back.body]).toEqual([
      200,
      'You are signed in at depot. Close this page and go back to Misstep.\n',
    ]);
    expect(await view()).toMatchObject({
      confirmedAt: expect.any(String),
      signIn: { state: 'signedIn', authority: server.origin, problem: null },
    });
    const started = await services.replays.start(request(place));
    const replay = await services.replays.whenDone(started.id);
    expect(replay.outcome).toBe('result');
    expect(server.seen.at(-1)).toMatch(/^Bearer ./);

    const path = join(dataFolder, 'secrets.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const kept = await readFile(path, 'utf8');
    expect([...server.secrets].some((secret) => kept.includes(secret))).toBe(true);
    const shown = JSON.stringify([
      await services.targets.list(),
      (await call(app, routes.listTargets)).json,
      begun.json,
      back.body,
      replay,
      await readFile(join(dataFolder, 'misstep.db'), 'latin1'),
      await readFile(join(dataFolder, 'misstep.db-wal'), 'latin1').catch(() => ''),
    ]);
    for (const secret of server.secrets) expect(shown).not.toContain(secret);

    expect((await call(app, routes.signOut, { params: { name: depotName } })).json).toMatchObject({
      signIn: { state: 'signedOut' },
    });
    const after = await readFile(path, 'utf8');
    for (const secret of server.secrets) expect(after).not.toContain(secret);
  });

  test('is never taken for signed out while its tokens are fetched', async () => {
    const { app, begin, view } = await confirmedTarget();
    const url = await approve(await begin());
    let isBack = false;
    const back = comeBack(app, url).finally(() => {
      isBack = true;
    });
    const seen = new Set<string>();
    while (!isBack) seen.add((await view()).signIn.state);
    await back;
    expect(seen).toContain('waiting');
    expect(seen).not.toContain('signedOut');
    expect((await view()).signIn.state).toBe('signedIn');
  });

  test('counts a state once, and takes none that it did not give', async () => {
    const { app, begin, server, view } = await confirmedTarget();
    const url = await approve(await begin());
    const foreign = url.replace(/state=[^&]+/, 'state=AAAA');
    for (const other of [foreign, '/oauth/callback', '/oauth/callback?code=x&state=']) {
      expect((await comeBack(app, other)).statusCode).toBe(400);
    }
    expect((await view()).signIn.state).toBe('waiting');
    expect((await comeBack(app, url)).statusCode).toBe(200);
    expect((await comeBack(app, url)).statusCode).toBe(400);
    expect(server.counts.issued).toBe(1);
  });

  test('is given up by a later one, by the person and by the target’s end', async () => {
    const { app, services, begin } = await confirmedTarget();
    const first = await approve(await begin());
    const second = await approve(await begin());
    expect((await comeBack(app, first)).statusCode).toBe(400);
    await call(app, routes.signOut, { params: { name: depotName } });
    expect((await comeBack(app, second)).statusCode).toBe(400);
    const third = await approve(await begin());
    await services.targets.remove(depotName);
    expect((await comeBack(app, third)).statusCode).toBe(400);
  });

  test('is refused where the redirect comes from another authorization server', async () => {
    const { app, begin, server, view } = await confirmedTarget({ falseIssuer: 'http://evil.test' });
    const back = await comeBack(app, await approve(await begin()));
    expect(back.statusCode).toBe(502);
    expect(back.body).toContain('another authorization server');
    expect(server.counts.issued).toBe(0);
    expect((await view()).signIn).toMatchObject({
      state: 'signedOut',
      problem: expect.stringContaining('another authorization server'),
    });
  });

  test('says an error of the redirect by its code alone', async () => {
    const { app, begin, view } = await confirmedTarget();
    const url = new URL(await approve(await begin()), 'http://x');
    const state = url.searchParams.get('state');
    const words = encodeURIComponent('<script>alert(1)</script>');
    const back = await comeBack(
      app,
      `/oauth/callback?error=${words}%0A&error_description=${words}&state=${state}`,
    );
    expect(back.body).toBe(
      'The sign-in at depot failed: the authorization server answered an error.\n',
    );
    expect(back.headers['content-type']).toContain('text/plain');
    expect((await view()).signIn.problem).not.toContain('script');
  });

  test('goes nowhere but to http and https', async () => {
    for (const authorizationEndpoint of [
      'javascript:alert(1)',
      'http://elsewhere.test/authorize',
    ]) {
      const { begin } = await confirmedTarget({ authorizationEndpoint });
      const begun = await begin();
      expect(begun.json).toMatchObject({ error: { code: 'SIGN_IN_FAILED' } });
    }
  });

  test('asks only what was confirmed, is a URL, and has no header in the way', async () => {
    const server = await oauthServer();
    const services = await openTestServices();
    const redirectUri = 'http://127.0.0.1:1/oauth/callback';
    const begin = () => services.signIns.begin(depotName, { redirectUri });
    const address = { transport: 'streamable-http' as const, url: server.url };
    await services.targets.add(depotName, address);
    await expect(begin()).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(server.seen).toEqual([]);
    const { description } = await services.targets.update(depotName, {
      secrets: [{ kind: 'header', name: 'authorization', value: 'Bearer mine' }],
    });
    await services.targets.confirm(depotName, description, false);
    await expect(begin()).rejects.toThrow('in the way');
    await services.targets.remove(depotName);
    await services.targets.add(depotName, {
      transport: 'stdio',
      command: 'x',
      args: [],
      cwd: null,
    });
    await expect(begin()).rejects.toThrow('only a server at a URL');
  });

  test('takes a client that the authorization server knows', async () => {
    const { app, begin, server } = await confirmedTarget({ registersClients: false });
    expect((await begin()).json).toMatchObject({
      error: { message: expect.stringContaining('give the id of a client') },
    });
    const begun = await begin({ clientId: 'known-client' });
    expect((await comeBack(app, await approve(begun))).statusCode).toBe(200);
    expect(server.counts).toMatchObject({ registered: 0, issued: 1 });
  });
});

describe('a client with a secret', () => {
  const secret = 'client-secret-"42"\\x';
  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'is known to the authorization server by %s, also when tokens are renewed and revoked',
    async (method) => {
      const client = { secret, method };
      const { app, services, begin, server, dataFolder } = await confirmedTarget({
        registersClients: false,
        client,
        tokenLifeSeconds: 5,
        revocation: 'works',
      });
      const begun = await begin({ clientId: 'known-client', clientSecret: secret });
      expect(begun.json).toMatchObject({ secretGoesTo: server.origin });
      expect((await comeBack(app, await approve(begun))).statusCode).toBe(200);
      const target = await services.store.getTarget(depotName);
      expect(await services.signIns.accessToken(target)).toMatchObject({ ok: true });
      expect(server.counts.renewed).toBe(1);
      // Typed once: the next sign-in of the same client has it.
      const again = await begin({ clientId: 'known-client' });
      expect((await comeBack(app, await approve(again))).statusCode).toBe(200);
      const shown = JSON.stringify([begun.json, await services.targets.list(), again.json]);
      expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
      const database = await readFile(join(dataFolder, 'misstep.db'), 'latin1');
      expect(database).not.toContain('client-secret');
      await call(app, routes.signOut, { params: { name: depotName } });
      expect(server.counts.revoked).toBe(2);
      const kept = await readFile(join(dataFolder, 'secrets.json'), 'utf8');
      expect(kept).not.toContain('client-secret');
    },
  );

  test('is refused with another secret, without one, and without its id', async () => {
    const client = { secret, method: 'client_secret_basic' as const };
    const { app, begin, view } = await confirmedTarget({ registersClients: false, client });
    for (const clientSecret of ['another', undefined]) {
      const given = { clientId: 'known-client', ...(clientSecret && { clientSecret }) };
      const back = await comeBack(app, await approve(await begin(given)));
      expect(back.statusCode).toBe(502);
      expect((await view()).signIn.problem).toContain('invalid_client');
    }
    expect((await begin({ clientSecret: secret })).json).toMatchObject({
      error: { message: expect.stringContaining('give the client id') },
    });
  });
});

describe('tokens', () => {
  test('that the server no longer takes end a replay with what to do, and are not in it', async () => {
    const { app, services, begin, server } = await confirmedTarget();
    await comeBack(app, await approve(await begin()));
    server.revoke();
    const started = await services.replays.start(request(await importedCall(services)));
    const replay = await services.replays.whenDone(started.id);
    expect(replay.outcomeSentence).toContain(
      'It no longer accepts the sign-in. Sign in again on the servers screen or with: misstep target sign-in depot',
    );
    expect(server.seen.at(-1)).toMatch(/^Bearer ./);
    for (const secret of server.secrets) expect(JSON.stringify(replay)).not.toContain(secret);
  });

  test('are renewed before they end, and asked for anew where they can’t be', async () => {
    const { app, services, begin, server } = await confirmedTarget({ tokenLifeSeconds: 5 });
    await comeBack(app, await approve(await begin()));
    const target = await services.store.getTarget(depotName);
    const [one, two] = await Promise.all([
      services.signIns.accessToken(target),
      services.signIns.accessToken(target),
    ]);
    expect(one).toEqual(two);
    expect(one).toMatchObject({ ok: true });
    expect(server.counts.renewed).toBe(1);
    server.revoke(true);
    expect(await services.signIns.accessToken(target)).toMatchObject({
      ok: false,
      error: { reason: 'signInNeeded', sentence: expect.stringContaining('target sign-in depot') },
    });
    const place = await importedCall(services);
    await expect(services.replays.start(request(place))).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
      details: { reason: 'signInNeeded' },
    });
  });

  test('that end without a refresh token read as expired', async () => {
    const { app, begin, view } = await confirmedTarget({
      tokenLifeSeconds: 1,
      givesRefreshToken: false,
    });
    await comeBack(app, await approve(await begin()));
    expect((await view()).signIn.state).toBe('expired');
  });

  test('stay with the origin that they were given for', async () => {
    const { app, services, begin, view } = await confirmedTarget();
    const other = await oauthServer();
    await comeBack(app, await approve(await begin()));
    const address = { transport: 'streamable-http' as const, url: other.url };
    const { description } = await services.targets.update(depotName, { address });
    expect(await view()).toMatchObject({ confirmedAt: null, signIn: { state: 'otherAddress' } });
    await services.targets.confirm(depotName, description, false);
    const place = await importedCall(services);
    await expect(services.replays.start(request(place))).rejects.toMatchObject({
      details: { reason: 'signInNeeded' },
    });
    expect(other.seen).toEqual([]);
  });
});

describe('the address without a token', () => {
  test('takes a page that a browser loads, and nothing else', async () => {
    const { app } = await openTestApp();
    const status = async (
      headers: Record<string, string>,
      method = 'GET',
      url = '/oauth/callback',
    ) =>
      (await app.inject({ method: method as 'GET', url, headers: { host: HOST, ...headers } }))
        .statusCode;
    expect(await status({})).toBe(400);
    expect(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(
      400,
    );
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
    for (const dest of ['iframe', 'image', 'script', 'empty']) {
      expect(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': dest })).toBe(403);
    }
    expect(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403);
    for (const method of ['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await status({}, method), method).toBe(401);
    }
    for (const url of [
      '/oauth/callback/',
      '/oauth',
      '/oauth/callbackx',
      '//oauth/callback',
      '/oauth/%63allback',
    ]) {
      expect(await status({}, 'GET', url), url).toBe(401);
    }
    expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(400);
  });
});
