import { routes } from '@misstep/contract';
import { type Experiment, readFrameLog } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { markdownOf } from '../src/services/experiment/export-experiment.ts';
import { addDepot, depotName, importedCall, makeDepot, sentCalls } from './depot.ts';
import {
  addServer,
  attributeOf,
  callOf,
  common,
  ended,
  planOf,
  repeatOf,
  runOf,
  startOf,
} from './experiment-support.ts';
import { call, makeFolder, openTestApp, openTestServices, until } from './support.ts';

describe('a plan', () => {
  test('says what would be sent, and sends nothing', async () => {
    const opened = await openTestApp();
    const depot = await makeDepot();
    await addDepot(opened.services, depot);
    const place = await importedCall(opened.services);
    const plan = await planOf(
      opened,
      place,
      attributeOf(place, { a: 1, b: 1 }, { a: 2, b: 2 }, 'hash'),
    );
    expect(plan).toMatchObject({
      kind: 'attribute',
      tool: 'find_parcel',
      callCount: 4 + 2 * 4,
      destructiveCount: 12,
      needsName: true,
      harm: expect.stringMatching(/server was not asked yet/i),
      calls: [
        { name: 'A', from: 'edited', argumentsText: '{"a":1,"b":1}' },
        { name: 'B', from: 'edited', argumentsText: '{"a":2,"b":2}' },
      ],
      wholeLattice: true,
      expected: { ms: 12_000, basis: 'recording', sampleCount: 1 },
      places: [
        { pointer: '/count', kind: 'value', words: '1' },
        { pointer: '/parcel', kind: 'value', words: '9007199254740993' },
      ],
    });
    expect(plan.order).toHaveLength(12);
    const again = await call(opened.app, routes.planExperiment, {
      params: place,
      body: { request: plan.request, seed: plan.seed },
    });
    expect(again.json).toEqual(plan);
    expect(await depot.starts()).toEqual([]);
    const list = await call(opened.app, routes.listExperiments);
    expect(list.json).toEqual({ total: 0, experiments: [] });
  });

  test('that can not be is refused with its field', async () => {
    const opened = await openTestApp();
    await addDepot(opened.services, await makeDepot());
    const place = await importedCall(opened.services);
    const refusal = async (request: object) =>
      (await call(opened.app, routes.planExperiment, { params: place, body: { request } })).json;
    const same = attributeOf(place, { a: 1 }, { a: 1 }, 'hash');
    expect(await refusal(same)).toMatchObject({ error: { details: { field: 'callB' } } });
    const colour = attributeOf(place, { a: 1 }, { a: 2 }, 'colour');
    expect(await refusal(colour)).toMatchObject({ error: { details: { field: 'signature' } } });
    const pointer = { ...attributeOf(place, { a: 1 }, { a: 2 }, 'hash'), ignoredPointers: ['at'] };
    expect(await refusal(pointer)).toMatchObject({
      error: { details: { field: 'ignoredPointers' } },
    });
    const broken = { ...repeatOf(place, 2), call: callOf(place, '[1]') };
    expect(await refusal(broken)).toMatchObject({
      error: { code: 'REPLAY_REFUSED', details: { reason: 'argumentsNotObject' } },
    });
    expect(await refusal({ ...repeatOf(place, 2), gapMs: 0 })).toMatchObject({
      error: { code: 'REQUEST_INVALID' },
    });
    const replayId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    expect(
      await refusal({ ...repeatOf(place, 2), call: { ...callOf(place), replayId } }),
    ).toMatchObject({
      error: { code: 'REPLAY_NOT_FOUND' },
    });
  });

  test('is confirmed as it was shown, once, by the name of the tool', async () => {
    const opened = await openTestApp();
    const depot = await makeDepot();
    await addDepot(opened.services, depot);
    const place = await importedCall(opened.services);
    const plan = await planOf(opened, place, repeatOf(place, 2));
    const notConfirmed = { error: { code: 'REPLAY_REFUSED', details: { reason: 'notConfirmed' } } };
    for (const change of [
      { confirmTool: null },
      { confirmTool: 'peek' },
      { planSha256: '0'.repeat(64) },
      { request: repeatOf(place, 3) },
      { seed: (plan.seed ^ 1) >>> 0 },
    ]) {
      expect((await startOf(opened, place, plan, change)).json).toMatchObject(notConfirmed);
    }
    expect(await depot.starts()).toEqual([]);
    const key = { idempotencyKey: 'pressed-twice' };
    const [one, two] = await Promise.all([
      startOf(opened, place, plan, key),
      startOf(opened, place, plan, key),
    ]);
    expect((one.json as Experiment).id).toBe((two.json as Experiment).id);
    const done = await ended(opened, (one.json as Experiment).id);
    expect((await startOf(opened, place, plan, key)).json).toMatchObject({ id: done.id });
    for (const change of [{ seed: (plan.seed ^ 1) >>> 0 }, { request: repeatOf(place, 3) }]) {
      const other = await startOf(opened, place, plan, { ...key, ...change });
      expect(other.status).toBe(409);
      expect(other.json).toMatchObject({ error: { details: { reason: 'keyUsed' } } });
    }
    expect(await sentCalls(depot)).toHaveLength(2);
    expect(done).toMatchObject({ state: 'complete', sentCount: 2, confirmedTool: 'find_parcel' });
  });
});

describe('an experiment over HTTP', () => {
  test('repeats, and each call is a replay with receipt and frames', async () => {
    const opened = await openTestApp();
    await addServer(opened, '({ at: n, same: 1 })');
    const place = await importedCall(opened.services);
    const done = await runOf(opened, place, repeatOf(place, 3));
    expect(done.matrix).toMatchObject({
      kind: 'repeat',
      sameBytes: false,
      movingPointers: ['/at'],
      moves: [{ pointer: '/at', values: ['1', '2', '3'] }],
    });
    const ids = done.sends.map(({ replayId }) => replayId);
    const { replays } = await opened.services.store.listReplays({ limit: 9 });
    expect(replays.map(({ id }) => id).reverse()).toEqual(ids);
    for (const replay of replays) {
      expect(replay).toMatchObject({ experimentId: done.id, outcome: 'result' });
      expect(replay.receipt?.arguments.sameBytesAsRecorded).toBe(true);
    }
    const starts = replays.map(({ startedAt }) => Date.parse(startedAt)).reverse();
    for (const [index, at] of starts.entries()) {
      if (index > 0) expect(at - (starts[index - 1] ?? 0)).toBeGreaterThanOrEqual(195);
    }
    const list = await call(opened.app, routes.listExperiments, { query: { runId: place.runId } });
    expect(list.json).toMatchObject({
      total: 1,
      experiments: [{ id: done.id, kind: 'repeat', sentCount: 3 }],
    });
  });

  test('attributes, leaving out by name what moves by itself', async () => {
    const opened = await openTestApp();
    await addServer(opened, '({ at: n, rows: args.since === "2025" ? [1, 2] : [] })');
    const place = await importedCall(opened.services);
    const request = attributeOf(
      place,
      { since: '2026', limit: 5 },
      { since: '2025', limit: 9 },
      'hash',
    );
    const { matrix, sends, plan } = await runOf(opened, place, request);
    if (matrix.kind !== 'attribute') throw new Error('another kind');
    expect(matrix).toMatchObject({ refusal: null, excludedPointers: ['/at'], sentCount: 12 });
    expect(matrix.sentence).toMatch(/^since alone turns A’s result into B’s; limit does not\. /);
    expect(sends.map(({ id }) => id)).toEqual(plan.order.map(({ id }) => id));
  });

  test('refuses to attribute where the base call is not stable, and sends no further', async () => {
    const opened = await openTestApp();
    await addServer(opened, '({ count: n })');
    const place = await importedCall(opened.services);
    const request = attributeOf(place, { since: '2026' }, { since: '2025' }, 'value:/count');
    const done = await runOf(opened, place, request);
    expect(done).toMatchObject({ state: 'complete', sentCount: 3 });
    expect(done.matrix).toMatchObject({
      refusal:
        'Nothing is attributed: the value at /count is not stable, the same call A came to 1 and 3.',
      judgements: [],
    });
  });

  test('stops when it is asked, and keeps what came', async () => {
    const opened = await openTestApp();
    await addServer(opened, 'n < 3 ? { n: 1 } : undefined');
    const place = await importedCall(opened.services);
    const started = await startOf(opened, place, await planOf(opened, place, repeatOf(place, 9)));
    const { id } = started.json as Experiment;
    await until(async () => {
      const { total } = await opened.services.store.listReplays({ limit: 1 });
      return total === 3 ? total : null;
    });
    // The target is its own meanwhile.
    const other = await call(opened.app, routes.startReplay, {
      params: place,
      body: {
        targetName: depotName,
        argumentsText: null,
        confirmTool: 'find_parcel',
        idempotencyKey: 'in-between-1',
      },
    });
    expect(other.json).toMatchObject({ error: { details: { reason: 'alreadyRunning' } } });
    const stopped = await call(opened.app, routes.stopExperiment, { params: { experimentId: id } });
    expect(stopped.json).toMatchObject({ state: 'stopped', matrix: { sameBytes: true } });
    expect((stopped.json as Experiment).matrix).toMatchObject({ rows: [{}, {}] });
    const again = await call(opened.app, routes.stopExperiment, { params: { experimentId: id } });
    expect(again.json).toMatchObject({ id, state: 'stopped' });
    const none = { experimentId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
    for (const route of [routes.stopExperiment, routes.getExperiment]) {
      expect((await call(opened.app, route, { params: none })).json).toMatchObject({
        error: { code: 'EXPERIMENT_NOT_FOUND' },
      });
    }
  });

  test('ends where the server can not be started any more, and says at which call', async () => {
    const opened = await openTestApp();
    await addServer(
      opened,
      '(n === 4 && (await_unlink(), 0), { since: args.since })'.replace(
        'await_unlink()',
        "process.getBuiltinModule('node:fs').rmSync(process.argv[1])",
      ),
    );
    const place = await importedCall(opened.services);
    const request = attributeOf(
      place,
      { since: '2026', x: 1, y: 1 },
      { since: '2025', x: 2, y: 2 },
      'hash',
    );
    const done = await runOf(opened, place, request);
    expect(done).toMatchObject({ state: 'failed', sentCount: 4 });
    expect(done.reason).toMatch(/^Call 5 \(.*\) was not sent: /);
    expect(done.matrix).toMatchObject({
      sentCount: 4,
      outcomeA: expect.anything(),
      outcomeB: expect.anything(),
    });
  });

  test('is interrupted, not cancelled, where Misstep stops; its call too', async () => {
    const dataFolder = await makeFolder();
    const services = await openTestServices({ dataFolder });
    await addServer({ services }, 'n < 2 ? 1 : undefined');
    const place = await importedCall(services);
    const request = repeatOf(place, 5) as Parameters<typeof services.experiments.plan>[1];
    const plan = await services.experiments.plan(place.runId, request, null);
    const { id } = await services.experiments.start({
      runId: place.runId,
      request,
      seed: plan.seed,
      planSha256: plan.sha256,
      confirmTool: 'find_parcel',
      idempotencyKey: 'stopped-with-all',
    });
    await until(async () =>
      (await services.store.listReplays({ limit: 1 })).total === 2 ? 1 : null,
    );
    await services.close();
    const next = await openTestServices({ dataFolder });
    expect(await next.experiments.get(id)).toMatchObject({
      state: 'interrupted',
      reason: expect.stringContaining('Misstep was stopped'),
    });
    const { replays } = await next.store.listReplays({ limit: 9 });
    expect(replays.map(({ outcome }) => outcome)).toEqual(['interrupted', 'result']);
    // The key begins nothing more.
    const again = await next.experiments.start({
      runId: place.runId,
      request,
      seed: plan.seed,
      planSha256: plan.sha256,
      confirmTool: 'find_parcel',
      idempotencyKey: 'stopped-with-all',
    });
    expect(again.id).toBe(id);
    expect((await next.store.listReplays({ limit: 9 })).total).toBe(2);
  });

  test('races, finds answers crossed, and keeps the frames', async () => {
    const opened = await openTestApp();
    const crossing =
      "(globalThis.held ??= []).push([id, args.k]) && globalThis.held.length === 2 ? (globalThis.held.forEach(([to], at) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: to, result: { content: [{ type: 'text', text: JSON.stringify({ k: globalThis.held[1 - at][1] }) }] } }) + '\\n')), globalThis.held = [], undefined) : (n < 5 ? (globalThis.held = [], { k: args.k }) : undefined)";
    await addServer(opened, crossing);
    const place = await importedCall(opened.services);
    const request = {
      kind: 'race',
      ...common,
      call: callOf(place, '{"k":1}'),
      callB: callOf(place, '{"k":2}'),
      atOnce: 4,
      connections: 'one',
    };
    const done = await runOf(opened, place, request);
    expect(done).toMatchObject({ state: 'complete', sentCount: 8 });
    expect(done.matrix).toMatchObject({ crossedCount: 4, canSeeCrossing: true });
    expect(done.sends.slice(4).map(({ replayId }) => replayId)).toEqual([null, null, null, null]);
    const frames = await opened.services.experiments.export(done.id, 'frames');
    const { entries } = readFrameLog(frames.bytes);
    const calls = entries.filter(
      ({ payload, lane }) => lane === '>' && Buffer.from(payload).includes('tools/call'),
    );
    expect(calls).toHaveLength(4);
    expect(await opened.services.loop.read()).toMatchObject({
      directCalls: { total: 8, inExperiments: 8 },
    });
  });

  test('leaves as JSON, CSV and Markdown that no program obeys', async () => {
    const opened = await openTestApp();
    await addServer(opened, '({ v: args["=cmd()"] === 1 ? "=1+1" : "[x](javascript:1)" })');
    const place = await importedCall(opened.services);
    const request = attributeOf(
      place,
      { '=cmd()': 1, '@b|c': '<img>' },
      { '=cmd()': 2, '@b|c': '-2' },
      'value:/v',
    );
    const done = await runOf(opened, place, request);
    const params = { experimentId: done.id };
    const get = (as: string) =>
      call(opened.app, routes.exportExperiment, { params, query: { as } });
    const json = await get('json');
    expect(JSON.parse(json.text)).toEqual(done);
    expect(json.headers['content-disposition']).toContain(`attribute-${done.id}.json`);
    const { text: csv } = await get('csv');
    expect(csv.split('\r\n')[0]).toContain(`"'=cmd()","'@b|c"`);
    const { text: markdown } = await get('markdown');
    expect(markdown).not.toMatch(/[^\\]<img|[^\\]\]\(/);
    expect(markdown).toContain('What this does not show');
    expect((await get('frames')).json).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(markdownOf(done)).toBe(markdown);
  });
});
