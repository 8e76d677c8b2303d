import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { routes } from '@misstep/contract';
import {
  encodeSpanJournalRecord,
  encodeSpanJournalStart,
  type RunId,
  readSpanJournal,
} from '@misstep/model';
import { expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { agent, body, chat, post, span, TRACE, tool } from './spans.ts';
import { call, HOST, makeFolder, openTestApp, openTestServices, TOKEN, until } from './support.ts';

async function openReceiver(options: Parameters<typeof openTestApp>[0] = {}) {
  const opened = await openTestApp(options);
  const { token } = await opened.services.receiver.makeToken();
  const own = { 'x-misstep-token': token };
  return { ...opened, token, own };
}

async function onlyRun({ store }: Services) {
  const { runs } = await store.listRuns({ offset: 0, limit: 10 });
  expect(runs).toHaveLength(1);
  const runId = runs[0]?.run.id as RunId;
  const detail = await store.getRun(runId);
  return { runId, detail, steps: await store.listSteps(runId) };
}

test('spans that come in any order are one growing run with steady ids', async () => {
  const { app, services, own } = await openReceiver();
  const gzip = { ...own, 'content-encoding': 'gzip' };
  expect(await post(app, body(tool), own)).toMatchObject({ status: 200, json: {} });
  await services.receiver.settle();
  const first = await onlyRun(services);
  expect(first.steps.map(({ name }) => name)).toEqual(['weigh_wheel']);
  expect(first.detail.issues.map(({ code }) => code)).toEqual(['PARENT_MISSING']);

  expect(await post(app, body(chat, tool), gzip)).toMatchObject({ status: 200, json: {} });
  expect(await post(app, body(agent), own)).toMatchObject({ status: 200, json: {} });
  await services.receiver.settle();
  const whole = await onlyRun(services);
  expect(whole.runId).toBe(first.runId);
  expect(whole.steps.map(({ seq, name, kind, parentId }) => [seq, name, kind, parentId])).toEqual([
    [1, 'wheelwright', 'agent', null],
    [2, 'Model call', 'model', whole.steps[0]?.id],
    [3, 'weigh_wheel', 'tool', whole.steps[0]?.id],
  ]);
  expect(whole.steps[2]?.id).toBe(first.steps[0]?.id);
  expect(whole.detail.issues.map(({ code }) => code)).toEqual(['DUPLICATE_SPAN']);
  expect(await services.values.wholeText(whole.steps[2]?.arguments ?? null)).toBe(
    '{"wheel":9007199254740993}',
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(await services.receiver.state()).toMatchObject({
    requests: 3,
    spans: 4,
    rejectedSpans: 0,
  });
});

test('what comes is read by itself, again and again', async () => {
  const { app, services, own } = await openReceiver();
  for (const [index, each] of [tool, chat, agent].entries()) {
    await post(app, body(each), own);
    await until(async () => {
      const { runs } = await services.store.listRuns({ offset: 0, limit: 2 });
      return runs[0]?.run.stepCount === index + 1 ? true : null;
    });
  }
  // The count follows the run by a moment.
  const state = await until(async () => {
    const seen = await services.receiver.state();
    return seen.savedCount === 3 ? seen : null;
  });
  expect(state.grownRunIds).toEqual([(await onlyRun(services)).runId]);
});

test('every body is kept byte for byte, and one source is left of all growth', async () => {
  const { app, services, own } = await openReceiver();
  const bodies = [body(tool), ` ${body(chat)}\n`, body(agent)];
  for (const each of bodies) {
    await post(app, each, own);
    await services.receiver.settle();
  }
  const { detail } = await onlyRun(services);
  expect(detail.sources).toHaveLength(1);
  const path = await services.store.sourcePath(detail.sources[0]?.sha256 as never);
  const { traceId, entries, damage } = readSpanJournal(new Uint8Array(await readFile(path)));
  expect(traceId).toBe(TRACE);
  expect(damage).toEqual([]);
  const entriesEnd = (await stat(path)).size;
  expect(entries.map((entry) => Buffer.from(entry.body).toString())).toEqual(bodies);
  expect(await services.store.stats()).toEqual({ runCount: 1, sourceBytes: entriesEnd });
});

test('the same span told again with its end is one step', async () => {
  const { app, services, own } = await openReceiver();
  await post(app, body({ ...agent, endTimeUnixNano: '0' }), own);
  await services.receiver.settle();
  const before = await onlyRun(services);
  expect(before.steps).toMatchObject([{ status: 'unanswered' }]);
  await post(app, body(agent), own);
  await services.receiver.settle();
  const after = await onlyRun(services);
  expect(after.steps.map(({ id }) => id)).toEqual(before.steps.map(({ id }) => id));
  expect(after.steps[0]?.time.endedAtText).toBe(agent.endTimeUnixNano);
  expect(after.steps[0]?.moreOrigins).toHaveLength(1);
});

test('spans whose ids have the wrong length are told and in no run', async () => {
  const { app, services, own } = await openReceiver();
  const short = { ...tool, spanId: 'aa01' };
  const long = { ...tool, spanId: `${tool.spanId}00` };
  const answer = await post(app, body(chat, short, long), own);
  expect(answer).toMatchObject({
    status: 200,
    json: { partialSuccess: { rejectedSpans: '2', errorMessage: expect.stringContaining('of 8') } },
  });
  await services.receiver.settle();
  const { steps } = await onlyRun(services);
  expect(steps.map(({ kind }) => kind)).toEqual(['model']);
  expect(await services.receiver.state()).toMatchObject({ spans: 1, rejectedSpans: 2 });
});

test('log records come before their span, and belong to its step', async () => {
  const { app, services, own } = await openReceiver();
  const record = (eventName: string, text: string) => ({
    timeUnixNano: '1795500000002000000',
    traceId: TRACE,
    spanId: chat.spanId,
    eventName,
    body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: text } }] } },
  });
  const logs = (...logRecords: readonly object[]) =>
    JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const told = logs(
    record('gen_ai.user.message', 'How heavy is wheel 3?'),
    record('gen_ai.choice', 'I weigh it.'),
    { ...record('', 'pool: 3 of 8'), eventName: undefined },
  );
  const answer = await post(app, told, own, '/v1/logs');
  expect(answer).toMatchObject({
    status: 200,
    json: { partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.any(String) } },
  });
  await services.receiver.settle();
  const before = await onlyRun(services);
  expect(before.steps).toMatchObject([{ kind: 'model', summary: 'I weigh it.' }]);
  expect(before.detail.issues.map(({ code }) => code)).toEqual(['SPAN_ONLY_LOGGED']);

  expect(await post(app, body(chat, agent), own)).toMatchObject({ status: 200, json: {} });
  await services.receiver.settle();
  const after = await onlyRun(services);
  expect(after.runId).toBe(before.runId);
  expect(after.steps.map(({ kind, summary }) => [kind, summary])).toEqual([
    ['agent', ''],
    ['model', 'I weigh it.'],
  ]);
  expect(after.steps[1]?.id).toBe(before.steps[0]?.id);
  expect(await services.receiver.state()).toMatchObject({
    requests: 2,
    spans: 2,
    logRecords: 2,
    rejectedLogRecords: 1,
  });
  expect((await post(app, body(chat), own, '/v1/logs')).status).toBe(400);
  expect((await post(app, told, {}, '/v1/logs')).status).toBe(401);
});

test('each trace of a request has a run of its own', async () => {
  const { app, services, own } = await openReceiver();
  const other = { ...agent, traceId: 'ff'.repeat(16).toUpperCase() };
  expect(await post(app, body(agent, other), own)).toMatchObject({ status: 200, json: {} });
  await services.receiver.settle();
  const { runs } = await services.store.listRuns({ offset: 0, limit: 10 });
  expect(runs.map(({ run }) => [run.naturalId, run.stepCount])).toEqual(
    expect.arrayContaining([
      [TRACE, 1],
      ['ff'.repeat(16), 1],
    ]),
  );
});

test('a trace goes on after a restart, and a killed process loses nothing that it acknowledged', async () => {
  const dataFolder = await makeFolder();
  const before = await openTestServices({ dataFolder });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const receive = (services: Services, text: string) =>
    services.receiver.receive({
      signal: 'spans',
      encoding: 'json',
      compression: 'identity',
      body: bytes(text),
    });
  await receive(before, body(tool));
  await before.close();
  expect(await readdir(join(dataFolder, 'receiving'))).toEqual([]);

  const second = await openTestServices({ dataFolder });
  await receive(second, body(chat));
  await second.receiver.settle();
  expect((await onlyRun(second)).steps).toHaveLength(2);
  await second.close();

  // A process that is gone, with a record that it was killed in.
  const wallNs = 1n;
  const record = (text: string) =>
    encodeSpanJournalRecord({
      wallNs,
      encoding: 'json',
      compression: 'identity',
      body: bytes(text),
    });
  const lost = 'aa'.repeat(16);
  await mkdir(join(dataFolder, 'receiving'), { recursive: true });
  await writeFile(
    join(dataFolder, 'receiving', `999999999-1.${lost}.spans`),
    Buffer.concat([
      encodeSpanJournalStart(lost),
      record(body({ ...agent, traceId: lost })),
      record(body({ ...tool, traceId: lost })).subarray(0, 80),
    ]),
  );
  const third = await openTestServices({ dataFolder });
  await third.receiver.start(1);
  await receive(third, body({ ...chat, traceId: lost }));
  await third.receiver.settle();
  const [found] = await third.store.findRunsByNaturalId('otlp-received', lost);
  expect((await third.store.listSteps(found?.run.id as RunId)).map(({ name }) => name)).toEqual([
    'wheelwright',
    'Model call',
  ]);
  expect(found?.issues.map(({ code }) => code)).toEqual(['JOURNAL_DAMAGED']);
});

test('spans without ids are counted in the answer and shown in no run', async () => {
  const { app, services, own } = await openReceiver();
  const none = { ...agent, traceId: '00'.repeat(16) };
  const short = { ...agent, traceId: '12' };
  const answer = await post(app, body(none, short, { name: 'x' }, tool), own);
  expect(answer).toMatchObject({
    status: 200,
    json: {
      partialSuccess: { rejectedSpans: '3', errorMessage: expect.stringMatching(/traceId/) },
    },
  });
  expect(await post(app, '{}', own)).toMatchObject({ status: 200, json: {} });
  expect(await post(app, body(none), own)).toMatchObject({ status: 200 });
  await services.receiver.settle();
  expect((await onlyRun(services)).steps).toHaveLength(1);
});

const status = (code: number) => ({ code, message: expect.any(String) });

test('what is no trace request is refused in words of OTLP, and nothing is kept', async () => {
  const { app, services, own } = await openReceiver({
    app: { limits: { spansBodyBytes: 4096 } },
  });
  const json = async (text: string | Buffer, headers = {}) => {
    const { status: code, json: answer } = await post(app, text, { ...own, ...headers });
    return [code, answer];
  };
  expect(await json('{"resourceSpans":[')).toEqual([400, status(3)]);
  expect(await json('[]')).toEqual([400, status(3)]);
  expect(await json('{"resourceSpans":"x"}')).toEqual([400, status(3)]);
  expect(await json('{"resourceLogs":[]}')).toEqual([400, status(3)]);
  expect(await json('x', { 'content-type': 'text/plain' })).toEqual([415, status(3)]);
  const strange = await post(app, 'x', { 'content-type': 'text/plain' });
  expect(strange.status).toBe(401);
  expect(await json('{}', { 'content-encoding': 'br' })).toEqual([415, status(3)]);
  expect(await json(body(span(1, null, 'x'.repeat(5000))))).toEqual([413, status(8)]);
  const bomb = body(span(1, null, 'x'.repeat(100_000)));
  expect(gzipSync(bomb).length).toBeLessThan(4096);
  expect(await json(bomb, { 'content-encoding': 'gzip' })).toEqual([413, status(8)]);
  const damaged = await app.inject({
    method: 'POST',
    url: '/v1/traces',
    headers: { host: HOST, 'content-type': 'application/json', 'content-encoding': 'gzip', ...own },
    payload: 'no gzip',
  });
  expect([damaged.statusCode, damaged.json()]).toEqual([400, status(3)]);
  const protobuf = { 'content-type': 'application/x-protobuf' };
  const refused = await post(app, Buffer.from([0x0a, 0x7f]), { ...own, ...protobuf });
  expect([refused.status, refused.type]).toEqual([400, 'application/x-protobuf']);
  // google.rpc.Status: field 1 is the code, field 2 the message.
  expect([...refused.bytes.subarray(0, 3)]).toEqual([0x08, 3, 0x12]);
  await services.receiver.settle();
  expect(await services.store.stats()).toEqual({ runCount: 0, sourceBytes: 0 });
});

test('its token opens nothing else, and nothing else opens it', async () => {
  const { app, services, own, token } = await openReceiver();
  const refused = async (headers: Record<string, string>) => {
    const answer = await post(app, body(agent), headers);
    return [answer.status, answer.json];
  };
  expect(await refused({})).toEqual([401, status(16)]);
  expect(await refused({ 'x-misstep-token': 'x' })).toEqual([401, status(16)]);
  expect(await refused({ 'x-misstep-token': TOKEN })).toEqual([401, status(16)]);
  expect(await refused({ authorization: `Bearer ${TOKEN}` })).toEqual([401, status(16)]);
  expect(await refused({ cookie: `misstep_4999=${TOKEN}` })).toEqual([401, status(16)]);
  expect(await refused({ ...own, host: 'evil.example' })).toEqual([403, status(7)]);
  expect(await refused({ ...own, origin: `http://${HOST}` })).toEqual([403, status(7)]);
  expect(await refused({ ...own, origin: 'http://evil.example' })).toEqual([403, status(7)]);
  expect(await refused({ ...own, 'sec-fetch-site': 'same-origin' })).toEqual([403, status(7)]);
  expect(await refused({ authorization: `Bearer ${token}` })).toEqual([200, {}]);

  for (const route of [routes.listRuns, routes.getReceiver, routes.makeReceiverToken]) {
    const headers = { authorization: `Bearer ${token}`, ...own };
    expect((await call(app, route, { headers })).status).toBe(401);
  }
  const get = { method: 'GET' as const, url: '/v1/traces', headers: { host: HOST, ...own } };
  const bare = { ...get, headers: { host: HOST } };
  expect((await app.inject(bare)).statusCode).toBe(401);
  const asExporter = await app.inject(get);
  expect([asExporter.statusCode, asExporter.headers.allow]).toEqual([405, 'POST']);
  const asOwner = { ...get.headers, authorization: `Bearer ${TOKEN}` };
  const answer = await app.inject({ ...get, headers: asOwner });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  await services.receiver.settle();
});

test('a new token ends the one before; without one nothing is taken', async () => {
  const { app, own, token } = await openReceiver();
  const made = await call(app, routes.makeReceiverToken);
  expect(made.json).toMatchObject({
    environment: [
      expect.stringMatching(
        /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http:\/\/127\.0\.0\.1:\d+\/v1\/traces$/,
      ),
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-misstep-token=[\w-]{43}$/),
      'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
    ],
  });
  expect((await post(app, body(agent), own)).status).toBe(401);
  // Whoever comes back later is told what the environment needs, and nobody the token.
  const { environment } = (await call(app, routes.getReceiver)).json as { environment: string[] };
  expect(environment[1]).toBe('OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-misstep-token=YOUR_TOKEN');
  const { token: second } = made.json as { token: string };
  expect(second).not.toBe(token);
  expect((await post(app, '{}', { 'x-misstep-token': second })).status).toBe(200);
  expect((await call(app, routes.removeReceiverToken)).json).toMatchObject({ tokenMadeAt: null });
  expect((await post(app, '{}', { 'x-misstep-token': second })).status).toBe(401);
});
