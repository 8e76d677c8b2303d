import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_TARGET_SETTINGS, type Target, TargetSchema } from '@misstep/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToolList } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'misstep-ask-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = join(folder, 'server.mjs');
beforeAll(() => {
  writeFileSync(
    script,
    `
import { createInterface } from 'node:readline';
const behaviour = process.argv[2];
if (behaviour === 'dies') { console.error('no shelf to stand on'); process.exit(3); }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
  if (method === 'initialize' && behaviour !== 'silent') answer({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '2' } } });
  if (method === 'tools/list' && behaviour === 'refuses') answer({ error: { code: -32601, message: 'no tools here' } });
  else if (method === 'tools/list' && behaviour === 'goes-round') answer({ result: { tools: [{ name: 'a' }], nextCursor: 'again' } });
  else if (method === 'tools/list' && behaviour === 'goes-on') answer({ result: { tools: [{ name: 'a' }], nextCursor: String(Number(params?.cursor ?? 0) + 1) } });
  else if (method === 'tools/list') answer({ result: params?.cursor === 'two' ? { tools: [{ name: 'second' }] } : { tools: [{ name: 'first' }], nextCursor: 'two' } });
  if (method === 'tools/call') process.exit(9);
}
`,
  );
});

function target(behaviour: string, change: Partial<Target> = {}): Target {
  return TargetSchema.parse({
    name: 'shelf',
    address: {
      transport: 'stdio',
      command: process.execPath,
      args: [script, behaviour],
      cwd: null,
    },
    settings: NO_TARGET_SETTINGS,
    confirmedAt: '2026-01-01T00:00:00.000Z',
    trustsReadOnlyHint: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...change,
  });
}

function ask(of: Target, signal = new AbortController().signal, timeoutMs = 20_000) {
  return askToolList({
    target: of,
    defaultCwd: folder,
    timeoutMs,
    maxFrameBytes: 1_000_000,
    misstepVersion: '0',
    signal,
  });
}

describe('a server asked for its tools', () => {
  test('gives every page and its name', async () => {
    const asked = await ask(target('lists'));
    expect(asked).toMatchObject({
      ok: true,
      value: {
        tools: [{ name: 'first', definitionText: '{"name":"first"}' }, { name: 'second' }],
        handshake: { serverName: 'shelf', serverVersion: '2' },
      },
    });
  });

  test.each([
    [
      'dies',
      /^initialize was not answered: the server exited with code 3\..*no shelf to stand on$/,
    ],
    ['goes-round', /can't be used: page 2 names a cursor again .* 2 tools came\.$/],
    ['goes-on', /can't be used: it goes on after 100 pages, .* 100 tools came\.$/],
    ['refuses', /^The server's answer to tools\/list can't be used: .*no tools here/],
  ])('that %s says why there is no list', async (behaviour, sentence) => {
    const asked = await ask(target(behaviour));
    expect(asked).toMatchObject({ ok: false, error: expect.stringMatching(sentence) });
  });

  test('that is silent is waited for so long and no longer', async () => {
    const asked = await ask(target('silent'), new AbortController().signal, 300);
    expect(asked).toEqual({
      ok: false,
      error: 'The server did not answer initialize within 0.3 s.',
    });
  });

  test('is not started unless it is confirmed, and is let go when the person stops it', async () => {
    const marker = target('dies', { confirmedAt: null });
    expect(await ask(marker)).toMatchObject({
      ok: false,
      error: expect.stringContaining('not confirmed, so nothing was started'),
    });
    const controller = new AbortController();
    controller.abort();
    expect(await ask(target('silent'), controller.signal)).toMatchObject({
      ok: false,
      error: 'It was stopped before the server had listed its tools.',
    });
  });

  test('whose command is not there did not start', async () => {
    const address = {
      transport: 'stdio' as const,
      command: join(folder, 'none'),
      args: [],
      cwd: null,
    };
    expect(await ask(target('', { address }))).toMatchObject({
      ok: false,
      error: expect.stringContaining('did not start'),
    });
  });
});
