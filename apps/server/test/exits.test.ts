import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import { escapePointerSegment } from '@misstep/json';
import { maskSecretBytes } from '@misstep/mcp';
import type { Ulid } from '@misstep/model';
import { TAKE_AWAY_FORMS } from '@misstep/replay';
import { SecretFile } from '@misstep/store';
import { lineServer, startOAuthMcp } from '@misstep/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HeavyWork } from '../src/jobs/heavy-work.ts';
import { createReceiptService } from '../src/services/receipt-service.ts';
import { createExitService } from '../src/services/secrets/exit-secrets.ts';
import { depotName, importedCall, request } from './depot.ts';
import { callOf, common, repeatOf, runOf } from './experiment-support.ts';
import { call, makeFolder, openTestApp, type TestApp } from './support.ts';

/** Nothing of it is plain: quotes, a line break, a backslash, characters beyond Latin-1. */
const KEY = 'k"ey\\no 7\nzweite Zeile ✂️ é/+ends';
/** As a key of an object it stands in JSON Pointers, where both are written in another way. */
const KEYED = 'Tok~12/34|"56\'78&90<ab>=cd_ef';
const OTHER = 'another-value-entirely-1';

/** Repeats its key in every way that a server has: whole, in pieces, escaped, encoded. */
const LEAKY = lineServer(
  `    const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'depot ' + key, version: '9' } });
    if (method === 'tools/list') say({ tools: [{ name: 'find_parcel', description: 'by ' + key, inputSchema: { type: 'object', properties: { code: { type: 'string', enum: [key] } }, [key]: 1 } }] });
    if (method !== 'tools/call') continue;
    process.stderr.write('starts with ' + key.slice(0, half));
    await sleep(30);
    process.stderr.write(key.slice(half) + ' and in hex ' + Buffer.from(key).toString('hex') + '\\n');
    process.stdout.write(key + '\\n');
    say({ content: [{ type: 'text', text: JSON.stringify({
      plain: key, [key]: process.hrtime.bigint() + '', moves: process.hrtime.bigint() + key, url: encodeURIComponent(key), base64: Buffer.from('u:' + key).toString('base64'),
    }) }], structuredContent: { [key]: { [key + '/x']: String(process.hrtime.bigint()) } }, isError: params.arguments.fail === true });`,
  `import { setTimeout as sleep } from 'node:timers/promises';
const key = process.env.DEPOT_KEY;
const half = Math.floor(key.length / 2);`,
);

const WAYS: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  'as JSON': (key) => JSON.stringify(key).slice(1, -1),
  'as JSON within JSON': (key) => JSON.stringify(JSON.stringify(key).slice(1, -1)).slice(1, -1),
  'in a URL': encodeURIComponent,
  'in a JSON Pointer': escapePointerSegment,
  'in a JSON Pointer as JSON': (key) => JSON.stringify(escapePointerSegment(key)).slice(1, -1),
  'in CSV': (key) => key.replaceAll('"', '""'),
  'in Markdown': (key) => key.replace(/[\\`*_{}[\]()#+!|<>~&:@]/g, '\\$&'),
  'in a shell': (key) => key.replaceAll("'", "'\\''"),
  'in hex': (key) => Buffer.from(key).toString('hex'),
  'in Base64': (key) => Buffer.from(key).toString('base64').slice(0, -4),
  'its first line': (key) => key.split('\n')[0] ?? key,
  'its last line': (key) => key.split('\n').at(-1) ?? key,
};

const capturedWith = (key: string) => ({
  environment: new Map([['DEPOT_KEY', key]]),
  headers: new Map<string, string>(),
});

async function leakyTarget({ services }: TestApp, key = KEY) {
  const script = join(await makeFolder(), 'leaky.mjs');
  await writeFile(script, LEAKY);
  const address = {
    transport: 'stdio' as const,
    command: process.execPath,
    args: [script],
    cwd: null,
  };
  await services.targets.add(depotName, address);
  const { description } = await services.targets.update(depotName, {
    secrets: [{ kind: 'environment', name: 'DEPOT_KEY', value: key }],
  });
  await services.targets.confirm(depotName, description, false);
}

/** Every way by which a file, a copy or an answer of a replay or an experiment leaves. */
async function exits({ app, services }: TestApp, id: Ulid, experimentIds: readonly Ulid[]) {
  const found = new Map<string, Uint8Array>();
  const put = (name: string, value: unknown) =>
    found.set(
      name,
      typeof value === 'string' ? Buffer.from(value) : Buffer.from(JSON.stringify(value)),
    );
  const { bytes, notes } = await services.receipts.export(id);
  found.set('receipt export', bytes);
  put('receipt notes', notes);
  for (const form of TAKE_AWAY_FORMS) {
    const taken = await call(app, routes.takeAwayReplay, {
      params: { replayId: id },
      query: { form },
    });
    put(`take away ${form}`, taken.text);
  }
  for (const experimentId of experimentIds) {
    for (const as of ['json', 'csv', 'markdown', 'frames'] as const) {
      const made = await services.experiments.export(experimentId, as).catch(() => null);
      if (made !== null) found.set(`experiment ${experimentId} ${as}`, made.bytes);
    }
    const shown = await call(app, routes.getExperiment, { params: { experimentId } });
    put(`experiment ${experimentId}`, shown.text);
  }
  for (const route of [
    'getReplay',
    'getReceipt',
    'getComparison',
    'getTextDifference',
    'verifyReceipt',
  ] as const) {
    const sent = await call(app, routes[route], { params: { replayId: id } });
    expect([route, sent.status]).toEqual([route, 200]);
    // The arguments are the person's own words, which they may send again.
    put(route, { ...Object(sent.json), argumentsText: null });
  }
  const { runId, stepId } = await services.store.getReplay(id);
  const place = { runId, stepId, targetName: depotName };
  put('tools', await services.tools.describe(place).catch(() => null));
  const argumentsText = '{"code":"none of them"}';
  put('check', await services.tools.check({ ...place, argumentsText }).catch(() => null));
  const params = { replayId: id };
  const query = { offset: 0, limit: 2000 };
  put('rows', (await call(app, routes.listComparisonRows, { params, query })).text);
  put('schema', await services.schemas.report(id));
  for (const route of ['listReplays', 'listExperiments', 'getLoop'] as const) {
    const sent = await call(app, routes[route], { query: { limit: 100 } }).catch(() => null);
    if (sent !== null) put(route, sent.text);
  }
  return found;
}

function expectNoKey(found: ReadonlyMap<string, Uint8Array>, when: string, key = KEY): void {
  for (const [exit, bytes] of found) {
    const text = Buffer.from(bytes).toString('utf8');
    for (const [way, write] of Object.entries(WAYS)) {
      const at = text.indexOf(write(key));
      const around = at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 100);
      expect(around, `${exit} holds it ${way}, ${when}`).toBe('');
    }
    expect(maskSecretBytes(bytes, capturedWith(key)).count, `${exit}, ${when}`).toBe(0);
  }
}

describe('what was secret when a replay was captured', () => {
  test.each([
    ['a key of many lines', KEY],
    ['a key of the characters that encoders change', KEYED],
  ])('leaves by no exit, whatever became of the value since: %s', async (_what, key) => {
    const opened = await openTestApp();
    const { services } = opened;
    await leakyTarget(opened, key);
    const place = await importedCall(services);
    const argumentsText = JSON.stringify({ code: key });
    const { id } = await services.replays.start(request(place, { argumentsText }));
    const replay = await services.replays.whenDone(id);
    expect(replay.outcome).toBe('result');
    const log = await readFile((await services.store.getReplay(id)).frameLogPath);
    expect(log.includes(JSON.stringify(JSON.stringify(key)).slice(1, -1))).toBe(true);

    const repeated = await runOf(opened, place, repeatOf(place, 2));
    const raced = await runOf(opened, place, {
      kind: 'race',
      ...common,
      call: callOf(place),
      callB: null,
      atOnce: 2,
      connections: 'each',
    });
    expect([repeated.state, raced.state]).toEqual(['complete', 'complete']);
    const look = () => exits(opened, id, [repeated.id, raced.id]);

    const unchanged = await look();
    expectNoKey(unchanged, 'unchanged', key);
    expect(Buffer.from(unchanged.get('receipt export') ?? '').includes('(secret DEPOT_KEY)')).toBe(
      true,
    );
    const told = await services.receipts.verifyFile(
      unchanged.get('receipt export') ?? new Uint8Array(),
    );
    expect(told.verified, told.sentence).toBe(true);

    await services.targets.update(depotName, {
      secrets: [{ kind: 'environment', name: 'DEPOT_KEY', value: OTHER }],
    });
    const changed = await look();
    expectNoKey(changed, 'changed', key);
    await services.targets.removeSecret(depotName, 'environment', 'DEPOT_KEY');
    const removed = await look();
    expectNoKey(removed, 'removed', key);
    expect(await readFile(join(services.store.dataFolder, 'secrets.json'), 'utf8')).not.toContain(
      JSON.stringify(key).slice(1, -1),
    );
    await services.targets.remove(depotName);
    const gone = await look();
    expectNoKey(gone, 'with the target gone', key);
    // The same value has the same mask, and the file is the same, whatever is kept now.
    for (const later of [changed, removed, gone]) {
      expect(later.get('receipt export')).toEqual(unchanged.get('receipt export'));
    }
    // Where a value stood is no way to the value.
    const places = JSON.stringify((await services.store.getReplay(id)).secretPlaces);
    expectNoKey(new Map([['places', Buffer.from(places)]]), 'in what is noted', key);
  });

  test('leaves in no encoding that a server at a URL echoes, also once its token was renewed', async () => {
    const opened = await openTestApp();
    const { app, services } = opened;
    const server = await startOAuthMcp({ tokenLifeSeconds: 1, echoesToken: true });
    onTestFinished(() => server.stop());
    const address = { transport: 'streamable-http' as const, url: server.url };
    const { description } = await services.targets.add(depotName, address);
    await services.targets.confirm(depotName, description, false);
    const begun = await call(app, routes.startSignIn, { params: { name: depotName }, body: {} });
    const back = new URL(
      (await fetch(Object(begun.json).authorizationUrl, { redirect: 'manual' })).headers.get(
        'location',
      ) ?? '',
    );
    await services.signIns.complete(back.searchParams);
    const place = await importedCall(services);
    const { id } = await services.replays.start(request(place));
    expect((await services.replays.whenDone(id)).outcome).toBe('result');
    const token = server.seen.at(-1)?.replace('Bearer ', '') ?? '';
    expect(token).not.toBe('');
    const log = await readFile((await services.store.getReplay(id)).frameLogPath);
    expect(log.includes(token)).toBe(true);
    const expectNone = (found: ReadonlyMap<string, Uint8Array>) => {
      const secrets = {
        headers: new Map([['Authorization', `Bearer ${token}`]]),
        environment: new Map<string, string>(),
      };
      for (const [exit, bytes] of found)
        expect(maskSecretBytes(bytes, secrets).count, exit).toBe(0);
    };
    const before = await exits(opened, id, []);
    expectNone(before);
    const target = await services.store.getTarget(depotName);
    // Its life is over, so this gets another one, and the former is known no more.
    await services.signIns.accessToken(target);
    expect(await readFile(join(opened.dataFolder, 'secrets.json'), 'utf8')).not.toContain(token);
    const after = await exits(opened, id, []);
    expectNone(after);
    await call(app, routes.signOut, { params: { name: depotName } });
    const out = await exits(opened, id, []);
    expectNone(out);
    for (const each of [after, out])
      expect(each.get('receipt export')).toEqual(before.get('receipt export'));
  });

  test('is said to be unchecked where a replay was captured before places were noted', async () => {
    const opened = await openTestApp();
    const { services } = opened;
    await leakyTarget(opened);
    const place = await importedCall(services);
    const { id } = await services.replays.start(request(place));
    await services.replays.whenDone(id);
    const stored = await services.store.getReplay(id);
    const earlier = { ...stored, secretPlaces: null };
    const store = { ...services.store, getReplay: async () => earlier };
    const kept = { keptOf: async () => capturedWith(KEY) };
    const exits = createExitService(store, kept);
    const receipts = createReceiptService(store, services.values, exits, new HeavyWork());
    const { bytes, notes } = await receipts.export(id);
    expect(notes.join(' ')).toContain('Not checked for secrets that depot had then');
    expect(Buffer.from(bytes).toString()).toContain('Not checked for secrets that depot had then');
    // What is kept now is masked as ever.
    expectNoKey(new Map([['export', bytes]]), 'from before');
    const verified = await receipts.verifyFile(bytes);
    expect(verified.sentence).toContain('masked');
  });

  test('leaves in no tool list that the server was asked for', async () => {
    const opened = await openTestApp();
    const { services } = opened;
    await leakyTarget(opened, KEYED);
    const { runId, stepId } = await importedCall(services);
    await services.tools.ask(depotName, 20_000);
    const look = async (when: string) => {
      const place = { runId, stepId, targetName: depotName };
      const described = await services.tools.describe(place);
      const argumentsText = '{"code":"none of them"}';
      const checked = await services.tools.check({ ...place, argumentsText });
      const found = new Map([
        ['tools', Buffer.from(JSON.stringify(described))],
        ['check', Buffer.from(JSON.stringify(checked))],
      ]);
      expectNoKey(found, when, KEYED);
      const text = JSON.stringify(described);
      return [described.live?.from, checked?.by, text.includes('(secret DEPOT_KEY)')];
    };
    const known = ['asked', 'live', true];
    expect(await look('kept')).toEqual(known);
    await services.targets.update(depotName, {
      secrets: [{ kind: 'environment', name: 'DEPOT_KEY', value: OTHER }],
    });
    expect(await look('changed')).toEqual(known);
    await services.targets.removeSecret(depotName, 'environment', 'DEPOT_KEY');
    await look('removed');
  });

  test('is no fault of a file that was exported when other values were known', async () => {
    const opened = await openTestApp();
    const { services } = opened;
    await leakyTarget(opened, KEYED);
    const place = await importedCall(services);
    const { id } = await services.replays.start(request(place));
    await services.replays.whenDone(id);
    const stored = await services.store.getReplay(id);
    // As a version from before wrote it: nothing noted, what is kept now masked.
    const { frameLog: about, ...receipt } = JSON.parse(stored.receiptText ?? '');
    expect(about).toBeDefined();
    const receiptText = `${JSON.stringify(receipt)}\n`;
    const earlier = { ...stored, secretPlaces: null, receiptText };
    const store = { ...services.store, getReplay: async () => earlier };
    const serviceWith = (known: ReturnType<typeof capturedWith>) => {
      const exits = createExitService(store, { keptOf: async () => known });
      return createReceiptService(store, services.values, exits, new HeavyWork());
    };
    const { bytes } = await serviceWith(capturedWith(KEYED)).export(id);
    const later = serviceWith(capturedWith(OTHER));
    const told = await later.verifyFile(bytes);
    expect([told.verified, told.sentence]).toEqual([
      true,
      expect.stringContaining('only in masked places'),
    ]);
    // Another byte than those that were masked is a fault as ever.
    const changed = Buffer.from(bytes);
    const at = changed.indexOf('2.0","id"');
    changed.write('3', at);
    expect((await later.verifyFile(changed)).verified).toBe(false);
    const shown = await later.show(id);
    expect(shown.notChecked).toContain('Not checked for secrets that depot had then');
  });

  test('is not kept any longer for that', async () => {
    const opened = await openTestApp();
    await leakyTarget(opened);
    await opened.services.targets.remove(depotName);
    expect(await new SecretFile(opened.dataFolder).read()).toEqual([]);
  });
});
