import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes, type TargetView } from '@misstep/contract';
import type { ConnectionSecrets } from '@misstep/mcp';
import type { ReplayRequest } from '@misstep/replay';
import { lineServer } from '@misstep/testkit';
import { describe, expect, test } from 'vitest';
import { depotName, importedCall, request } from './depot.ts';
import { call, openTestApp, openTestServices } from './support.ts';

const KEY = 'shelf-key-0123456789';
const command = { transport: 'stdio' as const, command: 'depot', args: ['--quiet'], cwd: null };
const url = (address: string) => ({ transport: 'streamable-http' as const, url: address });
const variable = (value: string | null, name = 'SHELF_KEY') => ({
  kind: 'environment' as const,
  name,
  value,
});
const header = (value: string | null, name = 'X-Shelf') => ({
  kind: 'header' as const,
  name,
  value,
});

/** Services whose replays only say what they were given. */
async function catching() {
  const given: (ConnectionSecrets | undefined)[] = [];
  const replayCall = ({ secrets }: ReplayRequest) => {
    given.push(secrets);
    return Promise.resolve({
      ok: false as const,
      error: { reason: 'toolUnknown' as const, sentence: 'Nothing was sent.' },
    });
  };
  const { app, services, dataFolder } = await openTestApp({ replayCall });
  const place = await importedCall(services);
  const send = async () => {
    const refusal: unknown = await services.replays
      .start(request(place))
      .catch((error: unknown) => error);
    return Object(refusal).details?.reason;
  };
  const confirm = (view: TargetView) =>
    services.targets.confirm(view.name, view.description, false);
  return { app, services, dataFolder, given, send, confirm };
}

describe('the values of a target', () => {
  test('reach a connection, and no answer, database or error', async () => {
    const { app, services, dataFolder, given, send, confirm } = await catching();
    const added = await call(app, routes.addTarget, {
      body: {
        name: depotName,
        address: command,
        secrets: [variable(KEY), variable(null, 'LATER')],
      },
    });
    expect(added.json).toMatchObject({
      description: 'depot --quiet (environment: SHELF_KEY, LATER)',
      secrets: [
        { kind: 'environment', name: 'SHELF_KEY', state: 'set' },
        { kind: 'environment', name: 'LATER', state: 'missing' },
      ],
    });
    await confirm(await services.targets.get(depotName));
    expect(await send()).toBe('secretsMissing');
    expect(given).toEqual([]);
    await call(app, routes.updateTarget, {
      params: { name: depotName },
      body: { secrets: [variable('soon', 'LATER')] },
    });
    expect(await send()).toBe('toolUnknown');
    expect([...(given[0]?.environment ?? [])]).toEqual([
      ['SHELF_KEY', KEY],
      ['LATER', 'soon'],
    ]);
    const shown = JSON.stringify([
      added.text,
      (await call(app, routes.listTargets)).text,
      await readFile(join(dataFolder, 'misstep.db'), 'latin1'),
      await readFile(join(dataFolder, 'misstep.db-wal'), 'latin1').catch(() => ''),
    ]);
    expect(shown).not.toContain(KEY);
    expect(await readFile(join(dataFolder, 'secrets.json'), 'utf8')).toContain(KEY);
  });

  test('are read anew for each connection', async () => {
    const { services, given, send, confirm } = await catching();
    await confirm(await services.targets.add(depotName, command, { secrets: [variable('first')] }));
    await send();
    await services.targets.update(depotName, { secrets: [variable('second')] });
    await send();
    expect(given.map((each) => each?.environment.get('SHELF_KEY'))).toEqual(['first', 'second']);
  });

  test('of a command are not used for any other command, arguments or folder', async () => {
    for (const address of [
      { ...command, command: 'depot2' },
      { ...command, args: ['--quiet', '--more'] },
      { ...command, cwd: '/' },
    ]) {
      const { services, given, send, confirm } = await catching();
      await confirm(await services.targets.add(depotName, command, { secrets: [variable(KEY)] }));
      const moved = await services.targets.update(depotName, { address });
      expect(moved).toMatchObject({
        confirmedAt: null,
        secrets: [{ name: 'SHELF_KEY', state: 'otherAddress' }],
      });
      await confirm(moved);
      expect(await send()).toBe('secretsMissing');
      expect(given).toEqual([]);
      await services.targets.update(depotName, { secrets: [variable('again')] });
      expect(await send()).toBe('toolUnknown');
    }
  });

  test('of a URL stay with its scheme, host and port', async () => {
    const { services, given, send, confirm } = await catching();
    const first = await services.targets.add(depotName, url('https://depot.example/mcp'), {
      secrets: [header(KEY), header('Bearer x', 'authorization')],
    });
    expect(first.description).toBe('https://depot.example/mcp (headers: X-Shelf, authorization)');
    const move = async (address: string) => {
      await confirm(await services.targets.update(depotName, { address: url(address) }));
      return send();
    };
    expect(await move('https://depot.example:443/other')).toBe('toolUnknown');
    for (const address of [
      'http://depot.example/mcp',
      'https://depot.example:8443/mcp',
      'https://depot.example.evil/mcp',
      'https://other.example/mcp',
    ]) {
      expect(await move(address), address).toBe('secretsMissing');
    }
    expect(given).toHaveLength(1);
    expect([...(given[0]?.headers ?? [])]).toEqual([
      ['X-Shelf', KEY],
      ['authorization', 'Bearer x'],
    ]);
  });

  test('go with the target, its name and its kind', async () => {
    const { app, services, dataFolder } = await catching();
    const path = join(dataFolder, 'secrets.json');
    await services.targets.add(depotName, command, {
      secrets: [variable(KEY), variable('b', 'B')],
    });
    const params = { name: depotName, kind: 'environment', secretName: 'SHELF_KEY' };
    expect((await call(app, routes.removeTargetSecret, { params })).json).toMatchObject({
      settings: { environmentNames: ['B'] },
      description: 'depot --quiet (environment: B)',
    });
    expect(await readFile(path, 'utf8')).not.toContain(KEY);
    expect((await call(app, routes.removeTargetSecret, { params })).json).toMatchObject({
      error: { code: 'SECRET_NOT_FOUND' },
    });
    await services.targets.update(depotName, {
      address: url('http://127.0.0.1:1/'),
      secrets: [header(KEY)],
    });
    expect(await services.targets.get(depotName)).toMatchObject({
      settings: { environmentNames: [], headerNames: ['X-Shelf'] },
    });
    await services.targets.remove(depotName);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ version: 1, secrets: [] });
    expect((await services.targets.add(depotName, url('http://127.0.0.1:1/'))).secrets).toEqual([]);
  });

  test('that can’t be passed on are refused without being quoted', async () => {
    const { app } = await openTestApp();
    const bad = [
      [command, header(KEY)],
      [command, variable(KEY, 'A=B')],
      [command, variable(KEY, '')],
      [command, variable(`${KEY}\0`)],
      [url('http://a.example/'), variable(KEY)],
      [url('http://a.example/'), header(`${KEY}\r\nHost: evil`)],
      [url('http://a.example/'), header(`${KEY}\u2603`)],
      [url('http://a.example/'), header('')],
      [url('http://a.example/'), header(KEY, 'Host')],
      [url('http://a.example/'), header(KEY, 'mcp-session-id')],
      [url('http://a.example/'), header(KEY, 'X Shelf')],
    ] as const;
    for (const [address, secret] of bad) {
      const added = await call(app, routes.addTarget, {
        body: { name: depotName, address, secrets: [secret] },
      });
      expect(added.json, secret.name).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
      expect(added.text).not.toContain(KEY);
    }
    expect((await call(app, routes.listTargets)).json).toEqual({ targets: [] });
  });
});

describe('a confirmation', () => {
  test('is of the text that names what goes out, and ends where that changes', async () => {
    const { services, confirm } = await catching();
    const view = await services.targets.add(depotName, command, { secrets: [variable(KEY)] });
    const confirmed = async () => {
      await confirm(await services.targets.get(depotName));
    };
    await confirm(view);
    const after = async (change: Parameters<typeof services.targets.update>[1]) => {
      const { confirmedAt } = await services.targets.update(depotName, change);
      await confirmed();
      return confirmedAt !== null;
    };
    expect(await after({ secrets: [variable('other value')] })).toBe(true);
    expect(await after({ protocolRevision: '2025-06-18' })).toBe(true);
    expect(await after({ address: { ...command } })).toBe(true);
    expect(await after({ secrets: [variable('x', 'NODE_OPTIONS')] })).toBe(false);
    expect(await after({ address: { ...command, args: [] } })).toBe(false);
    expect(await after({ address: url('http://127.0.0.1:1/mcp') })).toBe(false);
    expect(await after({ address: { transport: 'sse', url: 'http://127.0.0.1:1/mcp' } })).toBe(
      false,
    );
    expect(await after({ secrets: [header(KEY)] })).toBe(false);
    expect(await services.targets.get(depotName)).toMatchObject({
      description: 'http://127.0.0.1:1/mcp (by HTTP+SSE) (headers: X-Shelf)',
      settings: { protocolRevision: '2025-06-18' },
    });
  });

  test('can’t be had for words that look like names of the environment', async () => {
    const services = await openTestServices();
    const plain = await services.targets.add(depotName, command, { secrets: [variable(null)] });
    await services.targets.remove(depotName);
    const args = ['--quiet', '(environment:', 'SHELF_KEY)'];
    const forged = await services.targets.add(depotName, { ...command, args });
    expect(forged.description).not.toBe(plain.description);
  });
});

describe('a child', () => {
  test('gets the values of its target and no others of ours', async () => {
    const services = await openTestServices();
    const place = await importedCall(services);
    const script = join(services.store.dataFolder, 'env-server.mjs');
    await writeFile(script, ENV_SERVER);
    process.env.MISSTEP_TEST_OUTER = 'outer-value';
    const address = {
      transport: 'stdio' as const,
      command: process.execPath,
      args: [script],
      cwd: null,
    };
    const { description } = await services.targets.add(depotName, address, {
      secrets: [variable(KEY)],
    });
    await services.targets.confirm(depotName, description, false);
    const started = await services.replays.start(request(place));
    const replay = await services.replays.whenDone(started.id);
    delete process.env.MISSTEP_TEST_OUTER;
    expect(replay.outcome).toBe('result');
    const answer = replay.frames.at(-1)?.text ?? '';
    expect(answer).toContain(`length of SHELF_KEY is ${KEY.length}`);
    expect(answer).toContain('outer is undefined');
  });
});

const ENV_SERVER =
  lineServer(`    const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'env', version: '1' } });
    else if (method === 'tools/list') answer({ tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') answer({ content: [{ type: 'text', text: 'length of SHELF_KEY is ' + process.env.SHELF_KEY?.length + ', outer is ' + process.env.MISSTEP_TEST_OUTER }] });`);
