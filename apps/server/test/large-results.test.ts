import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { routes } from '@misstep/contract';
import type { Comparison, ComparisonRow, Ulid } from '@misstep/model';
import { lineServer } from '@misstep/testkit';
import { expect, test, vi } from 'vitest';
import { HeavyWork } from '../src/jobs/heavy-work.ts';
import { body } from './answers.ts';
import { addDepot, request } from './depot.ts';
import { fileOf } from './recordings.ts';
import { call, makeFolder, openTestApp, rpcLine } from './support.ts';

const ROWS = 60_000;
const CHANGED_EVERY = 4000;
/** Three values an item, and the empty list of content. */
const VALUES = 3 * ROWS + 1;

/** Answers a list of ROWS items, one in CHANGED_EVERY of which is not as recorded; or an error. */
const SERVER = lineServer(
  `    if (method === 'server/discover') answer(id, { error: { code: -32601, message: 'no such method' } });
    else if (method === 'initialize') answer(id, { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'depot', version: '9' } } });
    else if (method === 'tools/list') answer(id, { result: { tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call' && params.arguments.code === 'refuse') answer(id, { error: { code: -32602, message: 'no such shelf', data: { shelf: 7 } } });
    else if (method === 'tools/call') answer(id, { result: { content: [], structuredContent: { rows: Array.from({ length: ${ROWS} }, (_, at) => ({ id: at, name: 'parcel ' + at, weight: at % ${CHANGED_EVERY} === 0 ? at + 0.5 : at })) } } });`,
  `const answer = (id, member) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...member }) + '\\n');`,
);

const recordedResult = {
  content: [],
  structuredContent: {
    rows: Array.from({ length: ROWS }, (_, at) => ({ id: at, name: `parcel ${at}`, weight: at })),
  },
};

async function opened(answer: object, code = 'any') {
  const made = await openTestApp();
  const script = join(await makeFolder(), 'server.mjs');
  await writeFile(script, SERVER);
  const lines = async () => [];
  await addDepot(made.services, { args: [script], lines, starts: lines });
  const recording = [
    rpcLine('send', '2026-01-05T10:00:01.000Z', {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'find_parcel', arguments: { code } },
    }),
    rpcLine('recv', '2026-01-05T10:00:02.000Z', { jsonrpc: '2.0', id: 2, ...answer }),
  ].join('');
  const [outcome] = await made.services.imports.importFiles([fileOf('large.jsonl', recording)]);
  const runId = outcome?.runs[0]?.id;
  if (runId === undefined) throw new Error('no run');
  const step = (await made.services.store.listSteps(runId)).find(({ kind }) => kind === 'tool');
  if (step === undefined) throw new Error('no call');
  const { id } = await made.services.replays.start(
    request({ runId, stepId: step.id }, { timeoutMs: 60_000 }),
  );
  await made.services.replays.whenDone(id);
  return { ...made, id };
}

test('a large answer does not keep the server from answering, and has every row by pages', async () => {
  const { app, id } = await opened({ result: recordedResult });
  const params = { replayId: id };
  const { comparison } = body<{ comparison: Comparison }>(
    await call(app, routes.getComparison, { params }),
  );
  expect(comparison.counts).toEqual({ 'server differs now': 15, same: VALUES - 15 });
  expect(comparison.rows.length + comparison.rowsOmitted).toBe(VALUES);

  const delay = monitorEventLoopDelay({ resolution: 5 });
  let done = false;
  let answered = 0;
  const startedMs = performance.now();
  delay.enable();
  const heavy = Promise.all([
    call(app, routes.getTextDifference, { params }),
    call(app, routes.verifyReceipt, { params }),
    call(app, routes.getReceipt, { params }),
    call(app, routes.listComparisonRows, { params, query: { offset: 100_000, limit: 100 } }),
  ]).finally(() => {
    done = true;
  });
  while (!done) {
    expect((await call(app, routes.listReplays, { query: {} })).status).toBe(200);
    if (!done) answered += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const tookMs = performance.now() - startedMs;
  const [text, verified, receipt, page] = await heavy;
  delay.disable();
  expect([text.status, verified.status, receipt.status, page.status]).toEqual([200, 200, 200, 200]);
  expect(verified.json).toMatchObject({ verified: true });
  // Meanwhile another route answered, and the longest pause is a part of the whole.
  expect(answered).toBeGreaterThan(10);
  expect(delay.max / 1e6).toBeLessThan(tookMs / 3);

  // Every row can be had a page at a time, and the differences alone.
  const rowsOf = async (query: object) =>
    body<{ rows: ComparisonRow[]; total: number }>(
      await call(app, routes.listComparisonRows, { params: { replayId: id }, query }),
    );
  const differing = await rowsOf({ verdict: 'server differs now' });
  expect(differing.total).toBe(15);
  expect(differing.rows.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 15 }, (_, at) => `/structuredContent/rows/${at * CHANGED_EVERY}/weight`),
  );
  const last = await rowsOf({ offset: VALUES - 2, limit: 10 });
  expect(last.total).toBe(VALUES);
  expect(last.rows.map(({ pointer, replayed }) => [pointer, replayed])).toEqual([
    [`/structuredContent/rows/${ROWS - 1}/name`, `"parcel ${ROWS - 1}"`],
    [`/structuredContent/rows/${ROWS - 1}/weight`, `${ROWS - 1}`],
  ]);
  expect((await rowsOf({ verdict: 'cannot tell' })).total).toBe(0);

  // One walk served all pages of one choice of verdicts: every page comes without another.
  const asked = vi.spyOn(Worker.prototype, 'postMessage');
  for (let offset = 0; offset < VALUES; offset += 60_000) {
    const { rows, total } = await rowsOf({ offset, limit: 2000 });
    expect([rows.length, total]).toEqual([Math.min(2000, VALUES - offset), VALUES]);
  }
  const walks = asked.mock.calls.filter(([message]) =>
    JSON.stringify(message)?.includes('packLogRows'),
  );
  expect(walks).toEqual([]);
  asked.mockRestore();
  const wrong = await call(app, routes.listComparisonRows, {
    params: { replayId: id },
    query: { verdict: 'nearly' },
  });
  expect(wrong.status).toBe(400);
}, 120_000);

test('protocol errors are compared by code, message and data', async () => {
  const error = { code: -32602, message: 'no such shelf', data: { shelf: 8 } };
  const both = await opened({ error }, 'refuse');
  const shown = async ({ app, id }: { app: typeof both.app; id: Ulid }) =>
    body<{ comparison: Comparison }>(
      await call(app, routes.getComparison, { params: { replayId: id } }),
    ).comparison;
  const comparison = await shown(both);
  expect(comparison.protocolErrors).toEqual({ recorded: true, replayed: true });
  expect(comparison.sentence).toBe(
    'Both answers are protocol errors (JSON-RPC), compared by code, message and data. 1 value differs on the server now; 2 values are the same.',
  );
  expect(comparison.rows.map(({ pointer, verdict }) => [pointer, verdict])).toEqual([
    ['/code', 'same'],
    ['/message', 'same'],
    ['/data/shelf', 'server differs now'],
  ]);
  const one = await shown(await opened({ result: { content: [] } }, 'refuse'));
  expect(one.protocolErrors).toEqual({ recorded: false, replayed: true });
  expect(one.sentence).toMatch(
    /^The recorded answer is a result and the live one is a protocol error\. /,
  );
  expect(one.verdict).toBe('server differs now');
});

test('work that nobody waits for ends, work over its time is told, and the next goes on', async () => {
  const work = new HeavyWork({ threads: 1, inPlaceBelow: 0, timeoutMs: 60_000 });
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);
  const recorded = {
    transcriptText: JSON.stringify(lines(400_000)),
    transcriptIsCut: false,
    transcriptEvidence: 'logged',
  } as const;
  const answerOf = (count: number) => ({
    bytes: Buffer.from(JSON.stringify(lines(count).reverse())),
    isError: false,
  });
  const leaving = new AbortController();
  const long = { recorded, answer: answerOf(400_000) };
  const left = work.run('compareAnswer', long, { size: 1, key: 'a', signal: leaving.signal });
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');

  const short = { recorded: { ...recorded, transcriptText: '["a"]' }, answer: answerOf(1) };
  const options = { size: 1, key: 'b' };
  const twice = [
    work.run('compareAnswer', short, options),
    work.run('compareAnswer', short, options),
  ];
  const [first, second] = await Promise.all(twice);
  expect(first?.verdict).toBe('server differs now');
  expect(second).toBe(first);
  expect(await work.run('compareAnswer', short, options)).toBe(first);
  await work.close();
  await expect(work.run('compareAnswer', short, { size: 1 })).rejects.toThrow('shutting down');

  const hasty = new HeavyWork({ threads: 1, inPlaceBelow: 0, timeoutMs: 1 });
  await expect(hasty.run('compareAnswer', long, { size: 1 })).rejects.toMatchObject({
    code: 'RESULT_TOO_LARGE',
  });
  await hasty.close();

  // A full queue is no fault of the result: it is another error, and asking again helps.
  const full = new HeavyWork({ threads: 1, inPlaceBelow: 0, waitingAtMost: 1 });
  const running = full.run('compareAnswer', long, { size: 1 });
  const queued = full.run('compareAnswer', short, { size: 1 });
  await expect(full.run('compareAnswer', short, { size: 1 })).rejects.toMatchObject({
    code: 'WORK_BUSY',
    status: 503,
  });
  const ends = Promise.allSettled([running, queued]);
  await full.close();
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
