import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import type { Replay, StepId } from '@misstep/model';
import type { ReplayCall } from '@misstep/replay';
import { hostileStdioCommand } from '@misstep/testkit';
import { describe, expect, test } from 'vitest';
import { StartGate } from '../src/services/replay/start-gate.ts';
import { addDepot, depotName, importedCall, makeDepot, request, sentCalls } from './depot.ts';
import { call, makeFolder, openTestApp, openTestServices, type TestApp, until } from './support.ts';

describe('a replay over HTTP', () => {
  async function start({ app }: TestApp, place: { runId: string; stepId: StepId }, body: object) {
    return call(app, routes.startReplay, {
      params: place,
      body: {
        targetName: depotName,
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
      routes.listUnused,
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

    // The same key is the same replay; with another request it is refused.
    const same = await start(opened, place, { confirmTool: 'find_parcel' });
    expect((same.json as Replay).id).toBe(id);
    const again = await start(opened, place, {
      confirmTool: 'find_parcel',
      argumentsText: '{"code":"other"}',
    });
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({ error: { details: { reason: 'keyUsed', replayId: id } } });
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
    await services.targets.add(depotName, {
      transport: 'stdio',
      command: 'x',
      args: [],
      cwd: null,
    });
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

  test('also across processes: the second is refused, and cancelling it from here is, too', async () => {
    const dataFolder = await makeFolder();
    const [app, beside] = [
      await openTestServices({ dataFolder }),
      await openTestServices({ dataFolder }),
    ];
    const depot = await makeDepot();
    await addDepot(app, depot);
    const place = await importedCall(app);
    const first = await app.replays.start(request(place, { argumentsText: '{"code":"hang"}' }));
    const refusal = { code: 'REPLAY_REFUSED', details: { replayId: first.id } };
    await expect(beside.replays.start(request(place))).rejects.toMatchObject(refusal);
    await expect(beside.replays.cancel(first.id)).rejects.toMatchObject(refusal);
    expect(await app.replays.get(first.id)).toMatchObject({ outcome: null });
    expect(await app.replays.cancel(first.id)).toMatchObject({ outcome: 'cancelled' });
    const next = await beside.replays.start(request(place));
    expect((await beside.replays.whenDone(next.id)).outcome).toBe('result');
  });

  test('its run is not deleted under it; its target may be removed', async () => {
    const { app, services } = await openTestApp();
    const added = await services.targets.add(depotName, {
      transport: 'stdio',
      ...hostileStdioCommand('never-answers'),
      cwd: null,
    });
    await services.targets.confirm(depotName, added.description, false);
    const place = await importedCall(services);
    const { id } = await services.replays.start(
      request(place, { tool: 'echo', confirmTool: 'echo' }),
    );
    const remove = () => call(app, routes.deleteRun, { params: { runId: place.runId } });
    const refused = await remove();
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { error: { code: 'RUN_BUSY', details: { replayId: id } } },
    ]);
    await services.targets.remove(depotName);
    expect(await services.replays.cancel(id)).toMatchObject({
      outcome: 'cancelled',
      receipt: { target: { name: depotName } },
    });
    expect((await remove()).status).toBe(200);
    expect((await call(app, routes.getReplay, { params: { replayId: id } })).status).toBe(404);
  });

  test('the same key at the same time sends once', async () => {
    const services = await openTestServices();
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    const same = request(place);
    const started = await Promise.all([1, 2, 3].map(() => services.replays.start(same)));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    const [other] = await Promise.allSettled([
      services.replays.start({ ...same, argumentsText: '{"code":"other"}' }),
    ]);
    expect(other).toMatchObject({ reason: { details: { reason: 'keyUsed' } } });
    await services.replays.whenDone(started[0]?.id ?? ('' as never));
    expect(await sentCalls(depot)).toHaveLength(1);
  });

  test('and never again after a restart; what ran then says that Misstep was stopped', async () => {
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
    expect(again).toMatchObject({ id: started.id, state: 'done', outcome: 'interrupted' });
    expect(again.outcomeSentence).toMatch(/^Misstep was stopped while the call was running;/);
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
      outcomeSentence: expect.stringMatching(
        /; the frames so far are kept. The call was not sent.$/,
      ),
    });
  });

  test('a disk that is full while the call runs leaves its effect open', async () => {
    const replayCall: ReplayCall = async ({ onState }) => {
      onState?.('waiting');
      throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    };
    const services = await openTestServices({ replayCall });
    const depot = await makeDepot();
    await addDepot(services, depot);
    const place = await importedCall(services);
    const started = await services.replays.start(request(place));
    const { outcomeSentence } = await services.replays.whenDone(started.id);
    expect(outcomeSentence).toContain('the disk is full');
    expect(outcomeSentence).toContain(
      'The call may have been sent: whether the tool did its work is not known',
    );
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
