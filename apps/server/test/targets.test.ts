import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import type { StepId } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { addDepot, depotName, importedCall, makeDepot, request } from './depot.ts';
import { fileOf } from './recordings.ts';
import {
  call,
  HOST,
  makeFolder,
  openTestApp,
  openTestServices,
  smallRecording,
  TOKEN,
} from './support.ts';

describe('a command', () => {
  test('is words for a process, never for a shell', async () => {
    const services = await openTestServices();
    const depot = await makeDepot();
    const trap = await makeFolder();
    const words = [
      `--x=$(touch ${trap}/dollar)`,
      `; touch ${trap}/semicolon`,
      `a\ntouch ${trap}/newline`,
      `\`touch ${trap}/backtick\``,
      `| touch ${trap}/pipe`,
      `&& touch ${trap}/and`,
      '%PATH%',
      '*',
      '',
    ];
    await addDepot(services, depot, false, words);
    const started = await services.replays.start(request(await importedCall(services)));
    expect((await services.replays.whenDone(started.id)).outcome).toBe('result');
    expect(await depot.starts()).toEqual([JSON.stringify(words)]);
    expect(await readdir(trap)).toEqual([]);
  });

  test('is never taken from what was imported, nor from an address', async () => {
    const { app, services } = await openTestApp();
    const trap = await makeFolder();
    const evil = { mcpServers: { depot: { command: 'touch', args: [join(trap, 'taken')] } } };
    const text = `${smallRecording()}${JSON.stringify(evil)}\n${JSON.stringify({ ts: '2026-01-05T10:00:09Z', dir: 'send', msg: { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'find_parcel', arguments: evil } } })}\n`;
    const [outcome] = await services.imports.importFiles([
      fileOf('mcp.json', text),
      fileOf('claude_desktop_config.json', JSON.stringify(evil)),
    ]);
    expect(outcome?.error).toBeNull();
    for (const url of [
      '/?command=touch&args=x',
      '/targets?add=depot&command=touch',
      '/api/targets?command=touch',
      '/api/status?command=touch',
    ]) {
      await app.inject({
        method: 'GET',
        url,
        headers: { host: HOST, authorization: `Bearer ${TOKEN}` },
      });
    }
    expect(await services.targets.list()).toEqual([]);
    const place = { runId: outcome?.runs[0]?.id ?? ('' as never), stepId: 'x' as StepId };
    const command = await call(app, routes.startReplay, {
      params: place,
      body: {
        targetName: depotName,
        argumentsText: null,
        confirmTool: null,
        idempotencyKey: 'one-two-three',
        command: 'touch',
      },
    });
    expect(command.json).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
    await mkdir(join(trap, 'looked'));
    expect(await readdir(trap)).toEqual(['looked']);
  });
});

describe('targets over HTTP', () => {
  const name = depotName;

  test('are added, confirmed word for word, and removed', async () => {
    const { app } = await openTestApp();
    const address = {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'a server; rm -rf /'],
      cwd: null,
    };
    const added = await call(app, routes.addTarget, { body: { name, address } });
    expect(added.json).toMatchObject({
      confirmedAt: null,
      description: 'npx -y "a server; rm -rf /"',
    });
    expect((await call(app, routes.addTarget, { body: { name, address } })).json).toMatchObject({
      error: { code: 'TARGET_EXISTS' },
    });
    const confirm = (description: string, params = { name: String(name) }) =>
      call(app, routes.confirmTarget, { params, body: { description } });
    for (const wrong of [
      '',
      'npx',
      'npx -y "a server; rm -rf / "',
      'NPX -y "a server; rm -rf /"',
    ]) {
      expect((await confirm(wrong)).json).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
    }
    expect((await confirm('npx -y "a server; rm -rf /"')).json).toMatchObject({
      confirmedAt: expect.any(String),
      trustsReadOnlyHint: false,
    });
    expect((await confirm('x', { name: 'absent' })).json).toMatchObject({
      error: { code: 'TARGET_NOT_FOUND' },
    });
    expect((await call(app, routes.removeTarget, { params: { name } })).json).toEqual({
      removed: true,
      revocation: null,
    });
    expect((await call(app, routes.removeTarget, { params: { name } })).status).toBe(404);
    expect((await call(app, routes.listTargets)).json).toEqual({ targets: [] });
  });

  test('only http and https URLs are addresses, and none that holds a password', async () => {
    const services = await openTestServices();
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'C:\\x.exe',
      '',
      'ftp://a/b',
      'http://user:secret@a/',
      '//a/b',
    ]) {
      const added = services.targets.add(depotName, { transport: 'streamable-http', url });
      await expect(added, url).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    }
    expect(await services.targets.list()).toEqual([]);
  });
});
