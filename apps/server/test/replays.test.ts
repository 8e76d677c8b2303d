import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import {
  ERROR_CATALOGUE,
  type Replay,
  type StepId,
  type TargetName,
  TargetNameSchema,
} from '@misstep/model';
import type { ReplayCall } from '@misstep/replay';
import { describe, expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { StartGate } from '../src/services/replay/start-gate.ts';
import { fileOf } from './recordings.ts';
import {
  call,
  makeFolder,
  openTestApp,
  openTestServices,
  smallRecording,
  type TestApp,
  until,
} from './support.ts';

/** A tiny MCP server that keeps every line it was sent, and counts its starts. */
const SERVER = `
import { appendFileSync, mkdirSync } from 'node:fs';
const log = process.argv[2];
appendFileSync(log + '.starts', JSON.stringify(process.argv.slice(3)) + '\\n');
let rest = '';
process.stdin.on('data', (chunk) => {
  rest += chunk;
  const lines = rest.split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    appendFileSync(log, line + '\\n');
    const message = JSON.parse(line);
    const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) + '\\n');
    if (message.method === 'initialize') answer({ protocolVersion: message.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'depot', version: '9' } });
    else if (message.method === 'tools/list') answer({ tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }, { name: 'peek', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] });
    else if (message.method === 'tools/call' && message.params.arguments.code !== 'hang') answer({ content: [{ type: 'text', text: 'here' }] });
  }
});
`;

interface Depot {
  readonly args: string[];
  readonly lines: () => Promise<string[]>;
  readonly starts: () => Promise<string[]>;
}

async function makeDepot(): Promise<Depot> {
  const folder = await makeFolder();
  const script = join(folder, 'server.mjs');
  const log = join(folder, 'log');
  await writeFile(script, SERVER);
  const linesOf = async (path: string) =>
    (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { args: [script, log], lines: () => linesOf(log), starts: () => linesOf(`${log}.starts`) };
}

const name: TargetName = TargetNameSchema.parse('depot');

async function addDepot(services: Services, depot: Depot, trusted = false, args: string[] = []) {
  const added = await services.targets.add(name, {
    transport: 'stdio',
    command: process.execPath,
    args: [...depot.args, ...args],
    cwd: null,
  });
  await services.targets.confirm(name, added.description, trusted);
}

async function importedCall(services: Services) {
  const [outcome] = await services.imports.importFiles([fileOf('rec.jsonl', smallRecording())]);
  const runId = outcome?.runs[0]?.id;
  if (runId === undefined) throw new Error('no run');
  const step = (await services.store.listSteps(runId)).findLast(({ kind }) => kind === 'tool');
  if (step === undefined) throw new Error('no call');
  return { runId, stepId: step.id };
}

let keys = 0;
function request(place: Awaited<ReturnType<typeof importedCall>>, change: object = {}) {
  keys += 1;
  return {
    ...place,
    targetName: name,
    argumentsText: null,
    tool: null,
    confirmTool: 'find_parcel',
    timeoutMs: 20_000,
    idempotencyKey: `key-number-${keys}`,
    ...change,
  };
}

const sentCalls = async (depot: Depot) =>
  (await depot.lines()).filter((line) => line.includes('"tools/call"'));

describe('a replay over HTTP', () => {
  async function start({ app }: TestApp, place: { runId: string; stepId: StepId }, body: object) {
    return call(app, routes.startReplay, {
      params: place,
      body: {
        targetName: name,
        argumentsText: null,
        confirmTool: null,
        idempotencyKey: 'one-two-three',
        ...body,
      },
    });
  }

  test('nothing is called by importing, opening and searching; unconfirmed is refused; confirmed is sent once', async () => {
    const opened = await openTestApp();
    const { app, services } = opened;
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    for (const route of [
      routes.listRuns,
      routes.listTargets,
      routes.getStatus,
      routes.listReplays,
      routes.listImports,
    ]) {
      expect((await call(app, route)).status).toBe(200);
    }
    for (const route of [
      routes.getRun,
      routes.getSkeleton,
      routes.listFrames,
      routes.listUnread,
      routes.getStep,
    ]) {
      expect((await call(app, route, { params: place })).status).toBe(200);
    }
    expect(await depot.starts()).toEqual([]);

    const refused = await start(opened, place, {});
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { error: { code: 'REPLAY_REFUSED', details: { reason: 'notConfirmed' } } },
    ]);
    const misnamed = await start(opened, place, { confirmTool: 'peek' });
    expect(misnamed.json).toMatchObject({ error: { details: { reason: 'notConfirmed' } } });
    expect(await depot.starts()).toEqual([]);

    const sent = await start(opened, place, { confirmTool: 'find_parcel' });
    expect(sent.status).toBe(200);
    const { id } = sent.json as Replay;
    const done = await until(async () => {
      const replay = (await call(app, routes.getReplay, { params: { replayId: id } }))
        .json as Replay;
      return replay.state === 'done' ? replay : null;
    });
    expect(done).toMatchObject({
      outcome: 'result',
      tool: 'find_parcel',
      argumentsText: '{"code":"one","exact":true}',
    });
    expect(done.receipt?.arguments.sameBytesAsRecorded).toBe(true);
    expect(done.receipt?.toolDefinition.recordedSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await sentCalls(depot)).toHaveLength(1);

    // The same key, also in other words, is the same replay.
    const again = await start(opened, place, {
      confirmTool: 'find_parcel',
      argumentsText: '{"code":"other"}',
    });
    expect((again.json as Replay).id).toBe(id);
    expect(await sentCalls(depot)).toHaveLength(1);
    const cancelled = await call(app, routes.cancelReplay, { params: { replayId: id } });
    expect(cancelled.json).toMatchObject({ id, outcome: 'result' });
    const list = await call(app, routes.listReplays, { query: place });
    expect(list.json).toMatchObject({
      total: 1,
      replays: [{ id, outcome: 'result', editedArguments: false, state: 'done' }],
    });
    expect((await call(app, routes.getStep, { params: place })).json).toMatchObject({
      replayCount: 1,
    });
  });

  test('what is missing is named', async () => {
    const opened = await openTestApp();
    const { app, services } = opened;
    const place = await importedCall(services);
    expect((await start(opened, place, {})).json).toMatchObject({
      error: { code: 'TARGET_NOT_FOUND' },
    });
    await services.targets.add(name, { transport: 'stdio', command: 'x', args: [], cwd: null });
    const unconfirmed = await start(opened, place, { confirmTool: 'find_parcel' });
    expect(unconfirmed.json).toMatchObject({
      error: { details: { reason: 'targetNotConfirmed' } },
    });
    const noStep = await start(opened, { ...place, stepId: 'none' as StepId }, {});
    expect(noStep.json).toMatchObject({ error: { code: 'STEP_NOT_FOUND' } });
    for (const route of [routes.getReplay, routes.cancelReplay]) {
      const params = { replayId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
      expect((await call(app, route, { params })).json).toMatchObject({
        error: { code: 'REPLAY_NOT_FOUND' },
      });
    }
    expect(ERROR_CATALOGUE.REPLAY_REFUSED.status).toBe(409);
  });
});

describe('the arguments', () => {
  test('reach the server byte for byte', async () => {
    const services = await openTestServices();
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    const argumentsText =
      '{"a":9007199254740993,"b":1.0,"c":-0,"d":1e400,"a":2,"e":"\\ud800","__proto__":{"x":1}}';
    const started = await services.replays.start(request(place, { argumentsText }));
    const done = await services.replays.whenDone(started.id);
    expect(done.outcome).toBe('result');
    expect(await sentCalls(depot)).toEqual([expect.stringContaining(argumentsText)]);
    expect(done.argumentsText).toBe(argumentsText);
    expect(done.frames.some(({ text }) => text.includes(argumentsText))).toBe(true);
    const { replays } = await services.replays.list({ limit: 1 });
    expect(replays[0]?.editedArguments).toBe(true);
  });
});

describe('one at a time', () => {
  test('a second replay to the target is refused and named; cancel frees it', async () => {
    const services = await openTestServices();
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    const hanging = { argumentsText: '{"code":"hang"}' };
    const first = await services.replays.start(request(place, hanging));
    expect(first.state).not.toBe('done');
    await expect(services.replays.start(request(place))).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
      details: { reason: 'alreadyRunning', replayId: first.id },
    });
    const cancelled = await services.replays.cancel(first.id);
    expect(cancelled).toMatchObject({ state: 'done', outcome: 'cancelled' });
    const next = await services.replays.start(request(place));
    expect((await services.replays.whenDone(next.id)).outcome).toBe('result');
  });

  test('the same key at the same time sends once', async () => {
    const services = await openTestServices();
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    const same = request(place);
    const started = await Promise.all([1, 2, 3].map(() => services.replays.start(same)));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    await services.replays.whenDone(started[0]?.id ?? ('' as never));
    expect(await sentCalls(depot)).toHaveLength(1);
  });

  test('and never again after a restart; what ran then is cancelled', async () => {
    const dataFolder = await makeFolder();
    const depot = await makeDepot();
    const first = await openTestServices({ dataFolder });
    await addDepot(first, depot);
    const place = await importedCall(first);
    const hanging = request(place, { argumentsText: '{"code":"hang"}' });
    const started = await first.replays.start(hanging);
    await until(async () => ((await sentCalls(depot)).length === 1 ? true : null));
    await first.close();

    const second = await openTestServices({ dataFolder });
    const again = await second.replays.start(hanging);
    expect(again).toMatchObject({ id: started.id, state: 'done', outcome: 'cancelled' });
    expect(again.frames.length).toBeGreaterThan(3);
    expect(await sentCalls(depot)).toHaveLength(1);
  });

  test('a refusal that only the tool list can bring leaves no record and frees the key', async () => {
    const services = await openTestServices();
    const depot = await makeDepot();
    await addDepot(services, depot, true);
    const place = await importedCall(services);
    const unconfirmed = request(place, { confirmTool: null });
    await expect(services.replays.start(unconfirmed)).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
      details: { reason: 'notConfirmed' },
    });
    expect((await services.replays.list({ limit: 9 })).total).toBe(0);
    expect(await readdir(join(services.store.dataFolder, 'replays'))).toEqual([]);
    expect(await sentCalls(depot)).toEqual([]);
    const readOnly = await services.replays.start({ ...unconfirmed, tool: 'peek' });
    expect((await services.replays.whenDone(readOnly.id)).outcome).toBe('result');
  });

  test('a fault of ours ends the record as interrupted, and says so on the record', async () => {
    const replayCall: ReplayCall = () => Promise.reject(new Error('the log cannot be written'));
    const services = await openTestServices({ replayCall });
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    const started = await services.replays.start(request(place));
    expect(await services.replays.whenDone(started.id)).toMatchObject({
      state: 'done',
      outcome: 'interrupted',
    });
  });
});

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
        headers: { host: '127.0.0.1:4999', authorization: 'Bearer test-token-of-this-start' },
      });
    }
    expect(await services.targets.list()).toEqual([]);
    const place = { runId: outcome?.runs[0]?.id ?? ('' as never), stepId: 'x' as StepId };
    const command = await call(app, routes.startReplay, {
      params: place,
      body: {
        targetName: name,
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
      const added = services.targets.add(name, { transport: 'streamable-http', url });
      await expect(added, url).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    }
    expect(await services.targets.list()).toEqual([]);
  });
});

test('at most five starts in a second, the next ones wait', async () => {
  let nowMs = 0;
  const waits: number[] = [];
  const gate = new StartGate(
    5,
    1000,
    () => nowMs,
    async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  );
  const at: number[] = [];
  for (let start = 0; start < 12; start += 1) {
    await gate.pass();
    at.push(nowMs);
    nowMs += 10;
  }
  for (const [index, time] of at.entries()) {
    const fifthBefore = at[index - 5];
    if (fifthBefore !== undefined) expect(time - fifthBefore).toBeGreaterThanOrEqual(1000);
  }
  expect(waits.length).toBe(2);
});
