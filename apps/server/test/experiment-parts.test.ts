import { routes } from '@misstep/contract';
import { expect, test } from 'vitest';
import { csvOf } from '../src/services/experiment/export-experiment.ts';
import { Pacer } from '../src/services/experiment/pacer.ts';
import { ResultTexts } from '../src/services/experiment/result-texts.ts';
import { countLoop } from '../src/services/loop-service.ts';
import { addDepot, importedCall, makeDepot, request as replayRequest } from './depot.ts';
import { call, openTestApp } from './support.ts';

test('a field of CSV that a spreadsheet would take for a formula is text', () => {
  const rows = [['=1', '+1', '-1', '@x', '\t=1', ' =1', 'a=1', '"q"', '\r=1', '＝1']];
  expect(csvOf({ head: ['a'], rows }).split('\r\n')[1]).toBe(
    `"'=1","'+1","'-1","'@x","'\t=1","' =1","a=1","""q""","'\r=1","'＝1"`,
  );
});

test('starts are a gap apart, and an abort ends the wait', async () => {
  let now = 0;
  const pacer = new Pacer(250, () => now);
  now = 300;
  await pacer.pause(new AbortController().signal);
  const controller = new AbortController();
  const waiting = pacer.pause(controller.signal);
  controller.abort();
  await waiting;
});

test('results too large together are told apart by their hash alone', () => {
  const texts = new ResultTexts(10);
  const first = texts.keep('12345678');
  expect(first).toEqual({ resultText: '12345678', notLookedIntoSha256: null });
  expect(texts.keep('12345678')).toBe(first);
  const large = texts.keep('another that is too large');
  expect(large).toEqual({
    resultText: null,
    notLookedIntoSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(texts.keep('another that is too large')).toBe(large);
  expect(texts.keep('a third that is too large')).not.toBe(large);
});

test('the loop counts calls that left, the time to the answer, and runs that reached the tool', async () => {
  const { app, services } = await openTestApp();
  await addDepot(services, await makeDepot());
  const place = await importedCall(services);
  await services.store.updateRun(place.runId, { tags: ['case:asleep'] });
  const { id } = await services.replays.start(
    replayRequest(place, { prepared: { ms: 5000, from: 'edit' } }),
  );
  await services.replays.whenDone(id);
  const read = await call(app, routes.getLoop);
  expect(read.json).toMatchObject({
    directCalls: { total: 1, inExperiments: 0 },
    editToAnswer: { measuredCount: 1, editedCount: 1 },
    cases: [
      {
        name: 'asleep',
        runCount: 1,
        tools: [{ tool: 'find_parcel', directCallCount: 1, reachedRunCount: 1 }],
      },
    ],
  });
  expect(
    (read.json as { editToAnswer: { medianMs: number } }).editToAnswer.medianMs,
  ).toBeGreaterThan(5000);
  const base = {
    runKey: '1',
    tool: 't',
    receiptText: null,
    isInExperiment: false,
    preparedMs: null,
    preparedFrom: null,
  };
  const counted = countLoop({
    atOnceCount: 0,
    replays: [
      { ...base, outcome: 'serverDidNotStart' },
      { ...base, outcome: 'timedOut' },
    ],
    runs: [
      { runKey: '1', cases: ['c'], tools: [] },
      { runKey: '2', cases: ['c'], tools: ['t'] },
    ],
  });
  expect(counted).toMatchObject({
    directCalls: { total: 1 },
    editToAnswer: { medianMs: null },
    cases: [
      { name: 'c', runCount: 2, tools: [{ tool: 't', directCallCount: 1, reachedRunCount: 1 }] },
    ],
  });
});
