import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Experiment, ExperimentPlan } from '@misstep/model';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type NewExperiment, openStore } from '../src/index.ts';
import { experiments } from '../src/migrations/0004-experiments.ts';
import { APPLICATION_ID, MIGRATIONS } from '../src/migrations/index.ts';
import {
  makeReplay,
  openTemporaryStore,
  replayIdOf,
  runIdOf,
  saveRun,
  stepIdOf,
  targetNameOf,
  temporaryFolder,
} from './support.ts';

function matrixOf(sentence: string): Experiment['matrix'] {
  return {
    kind: 'repeat',
    rows: [],
    sameBytes: null,
    sameOutcome: null,
    movingPointers: [],
    movingPointersOmitted: 0,
    moves: [],
    medianNs: null,
    notShown: [],
    sentence,
  };
}

const call = { stepId: stepIdOf(2), replayId: null, argumentsText: null };

function makeExperiment(number: number, change: Partial<NewExperiment> = {}): NewExperiment {
  const targetName = change.targetName ?? targetNameOf(`bookings-${number}`);
  const plan: ExperimentPlan = {
    request: {
      kind: 'repeat',
      targetName,
      timeoutMs: 1000,
      gapMs: 200,
      sendsLeftOut: false,
      call,
      times: 2,
    },
    kind: 'repeat',
    tool: 'find_bookings',
    callCount: 2,
    destructiveCount: 2,
    needsName: true,
    harm: 'Each call may change something at the server.',
    sentence: '2 calls at most.',
    calls: [],
    order: [],
    seed: 1,
    expected: { ms: null, basis: null, sampleCount: 0 },
    wholeLattice: null,
    places: [],
    sha256: 'a'.repeat(64),
  };
  return {
    id: replayIdOf(1000 + number),
    runId: runIdOf(1),
    stepId: stepIdOf(2),
    stepSeq: 2,
    targetName,
    tool: 'find_bookings\0',
    plan,
    confirmedTool: 'find_bookings\0',
    idempotencyKey: `experiment-${number}`,
    startedAt: '2026-11-30T09:00:00.000Z',
    matrix: matrixOf('Nothing yet.'),
    ...change,
  };
}

const end = {
  ending: 'complete' as const,
  reason: null,
  endedAt: '2026-11-30T09:01:00.000Z',
  matrix: matrixOf('All the same.'),
};

const send = {
  ordinal: 1,
  id: '1',
  label: 'call 1 of 2',
  replayId: replayIdOf(1),
  outcome: 'result' as const,
  callDurationNs: 5,
  server: 'depot 9',
  toolSha256: 'b'.repeat(64),
};

describe('experiments', () => {
  it('keep each call as it happened, end once, and are listed newest first', async () => {
    const store = await openTemporaryStore();
    await saveRun(store);
    await saveRun(store, { number: 2 });
    const first = makeExperiment(1);
    const { frameLogPath } = await store.createExperiment(first);
    expect(frameLogPath.startsWith(store.dataFolder)).toBe(true);
    await store.recordExperimentSend(first.id, send, matrixOf('One call.'));
    expect(await store.getExperiment(first.id)).toEqual({
      ...first,
      frameLogPath,
      secretPlaces: null,
      ending: null,
      reason: null,
      endedAt: null,
      sends: [send],
      matrix: matrixOf('One call.'),
    });
    await store.finishExperiment(first.id, end);
    const ended = await store.getExperiment(first.id);
    expect(ended).toMatchObject({ ...end, sends: [send] });
    await expect(store.finishExperiment(first.id, end)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await store.findExperimentByKey('experiment-1')).toEqual(ended);
    expect(await store.findExperimentByKey('experiment-9')).toBeNull();
    await store.createExperiment(makeExperiment(2, { runId: runIdOf(2) }));
    const all = await store.listExperiments({ limit: 1 });
    expect([all.total, all.experiments.map(({ id }) => id)]).toEqual([2, [replayIdOf(1002)]]);
    const own = await store.listExperiments({ runId: runIdOf(1), limit: 9 });
    expect([own.total, own.experiments.map(({ id }) => id)]).toEqual([1, [first.id]]);
    await expect(store.getExperiment(replayIdOf(7))).rejects.toMatchObject({
      code: 'EXPERIMENT_NOT_FOUND',
    });
    await expect(
      store.createExperiment(makeExperiment(3, { stepId: stepIdOf(99) })),
    ).rejects.toMatchObject({
      code: 'STEP_NOT_FOUND',
    });
  });

  it('have their target to themselves, but for their own replays', async () => {
    const store = await openTemporaryStore();
    await saveRun(store);
    const targetName = targetNameOf('bookings');
    const experiment = makeExperiment(1, { targetName });
    await store.createExperiment(experiment);
    const busy = {
      code: 'REPLAY_REFUSED',
      details: { reason: 'alreadyRunning', experimentId: experiment.id },
    };
    await expect(store.createReplay(makeReplay(1, { targetName }))).rejects.toMatchObject(busy);
    await expect(store.createExperiment(makeExperiment(2, { targetName }))).rejects.toMatchObject(
      busy,
    );
    const again = makeExperiment(3, { idempotencyKey: 'experiment-1' });
    await expect(store.createExperiment(again)).rejects.toMatchObject(busy);
    const own = makeReplay(2, { targetName, experimentId: experiment.id });
    await store.createReplay(own);
    expect(await store.getReplay(own.id)).toMatchObject({ experimentId: experiment.id });
    await expect(store.deleteRun(runIdOf(1))).rejects.toMatchObject({ code: 'RUN_BUSY' });
    await store.finishReplay(own.id, {
      outcome: 'result',
      outcomeSentence: 'It answered.',
      receiptText: null,
      comparison: null,
    });
    await expect(store.deleteRun(runIdOf(1))).rejects.toMatchObject({
      code: 'RUN_BUSY',
      details: { experimentId: experiment.id },
    });
    await store.finishExperiment(experiment.id, end);
    const alone = makeReplay(3, { targetName, prepared: { ms: 1200, from: 'edit' } });
    await store.createReplay(alone);
    expect(await store.getReplay(alone.id)).toMatchObject({ prepared: { ms: 1200, from: 'edit' } });
    await expect(store.createExperiment(makeExperiment(4, { targetName }))).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
    });
  });

  it('go with their run, frames and all', async () => {
    const store = await openTemporaryStore();
    await saveRun(store);
    const { frameLogPath } = await store.createExperiment(makeExperiment(1));
    await writeFile(frameLogPath, 'frames');
    await store.finishExperiment(replayIdOf(1001), end);
    await store.deleteRun(runIdOf(1));
    await expect(store.getExperiment(replayIdOf(1001))).rejects.toMatchObject({
      code: 'EXPERIMENT_NOT_FOUND',
    });
    await expect(writeFile(frameLogPath, 'x', { flag: 'r+' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('of a killed process say so, with what was kept, and let their target go', async () => {
    const dataFolder = await temporaryFolder();
    const store = await openTemporaryStore(dataFolder);
    await saveRun(store);
    const experiment = makeExperiment(1, { targetName: targetNameOf('bookings') });
    await store.createExperiment(experiment);
    await store.recordExperimentSend(experiment.id, send, matrixOf('One call.'));
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    const database = new BetterSqlite3(`${dataFolder}/misstep.db`);
    database.prepare('UPDATE experiments SET process = ?').run(`${child.pid}-1`);
    database.close();
    await store.createExperiment(makeExperiment(2, { targetName: targetNameOf('bookings') }));
    const logs: string[] = [];
    const next = await openStore({ dataFolder, onLog: (line) => logs.push(line) });
    expect(logs).toEqual(['1 experiments were interrupted.']);
    expect(await next.getExperiment(experiment.id)).toMatchObject({
      ending: 'interrupted',
      reason: expect.stringContaining('Misstep ended while this ran'),
      sends: [send],
      matrix: { sentence: 'One call.' },
    });
    await next.close();
  });

  it('of another run and the rows of the loop are read together', async () => {
    const store = await openTemporaryStore();
    await saveRun(store);
    await store.updateRun(runIdOf(1), { tags: ['case:late parcels', 'other'] });
    await store.createReplay(makeReplay(1, { prepared: { ms: 900, from: 'open' } }));
    await store.finishReplay(replayIdOf(1), {
      outcome: 'result',
      outcomeSentence: 'It answered.',
      receiptText: '{"receiptVersion":1}',
      comparison: null,
    });
    await store.createReplay(makeReplay(2));
    await store.createExperiment(makeExperiment(5));
    await store.recordExperimentSend(replayIdOf(1005), { ...send, replayId: null }, matrixOf('x'));
    const facts = await store.readLoop();
    expect(facts).toMatchObject({
      atOnceCount: 1,
      replays: [
        { tool: 'find_bookings', preparedMs: 900, preparedFrom: 'open', isInExperiment: false },
      ],
      runs: [{ cases: ['late parcels'] }],
    });
    expect(facts.replays[0]?.runKey).toBe(facts.runs[0]?.runKey);
  });
});

it('a folder from before there were experiments is taken over', async () => {
  const dataFolder = await temporaryFolder();
  const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(experiments));
  expect(before.length).toBeGreaterThan(1);
  const database = new BetterSqlite3(`${dataFolder}/misstep.db`);
  for (const migration of before) database.exec(migration);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${before.length}`);
  database.prepare("INSERT INTO settings VALUES ('kept', 'since then')").run();
  database.close();
  const store = await openTemporaryStore(dataFolder);
  expect(await store.getSetting('kept')).toBe('since then');
  await saveRun(store);
  await store.createReplay(makeReplay(1));
  expect(await store.getReplay(replayIdOf(1))).toMatchObject({
    experimentId: null,
    prepared: null,
  });
  await store.createExperiment(makeExperiment(2));
});
