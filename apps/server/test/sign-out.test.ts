import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import type { OAuthMcpOptions } from '@misstep/testkit';
import { describe, expect, test } from 'vitest';
import { depotName } from './depot.ts';
import { approve, comeBack, confirmedTarget } from './sign-in-support.ts';
import { call } from './support.ts';

describe('signing out', () => {
  const signOut = async (options: OAuthMcpOptions) => {
    const opened = await confirmedTarget(options);
    await comeBack(opened.app, await approve(await opened.begin()));
    const out = await call(opened.app, routes.signOut, { params: { name: depotName } });
    expect(out.json).toMatchObject({ signIn: { state: 'signedOut' } });
    for (const token of opened.server.secrets) expect(out.text).not.toContain(token);
    const kept = await readFile(join(opened.dataFolder, 'secrets.json'), 'utf8');
    for (const token of opened.server.secrets) expect(kept).not.toContain(token);
    return { server: opened.server, revocation: Object(out.json).revocation };
  };

  test('revokes both tokens where the authorization server names a place for it', async () => {
    const { server, revocation } = await signOut({ revocation: 'works' });
    expect(revocation).toMatchObject({ state: 'revoked' });
    expect(server.counts.revoked).toBe(2);
  });

  test('says where tokens can’t be revoked, and forgets them all the same', async () => {
    const { revocation } = await signOut({});
    expect(revocation).toMatchObject({
      state: 'no endpoint',
      sentence: expect.stringContaining('when they expire'),
    });
  });

  test.each([
    ['fails', 0, 'did not revoke the tokens (it answered unsupported_token_type)'],
    ['fails for refresh tokens', 1, 'has revoked the access token and did not revoke the refresh'],
  ] as const)('says why revoking %s, in its own words, of both', async (how, count, words) => {
    const { server, revocation } = await signOut({ revocation: how });
    expect(revocation).toMatchObject({ state: 'failed', sentence: expect.stringContaining(words) });
    expect(revocation.sentence).toContain('it answered unsupported_token_type');
    expect(server.counts.revoked).toBe(count);
  });

  test('waits for a server that does not answer no longer than five seconds', async () => {
    const startedMs = performance.now();
    const { revocation } = await signOut({ revocation: 'hangs' });
    expect(revocation).toMatchObject({
      state: 'failed',
      sentence: expect.stringContaining('did not answer within 5 seconds'),
    });
    expect(performance.now() - startedMs).toBeLessThan(25_000);
  });

  test('comes first where the server is removed', async () => {
    const { app, begin, server } = await confirmedTarget({ revocation: 'works' });
    await comeBack(app, await approve(await begin()));
    const out = await call(app, routes.removeTarget, { params: { name: depotName } });
    expect(out.json).toMatchObject({ removed: true, revocation: { state: 'revoked' } });
    expect(server.counts.revoked).toBe(2);
  });

  test('of nothing says nothing of tokens', async () => {
    const { app } = await confirmedTarget({ revocation: 'works' });
    const out = await call(app, routes.signOut, { params: { name: depotName } });
    expect(out.json).toMatchObject({ revocation: null });
  });
});
