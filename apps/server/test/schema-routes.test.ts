import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes, type StepTool } from '@misstep/contract';
import { type TargetName, TargetNameSchema } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { fileOf } from './recordings.ts';
import { call, makeFolder, openTestApp, rpcLine, type TestApp } from './support.ts';

const NAME: TargetName = TargetNameSchema.parse('shelves');

const find = (change: object = {}) => ({
  name: 'find_box',
  description: 'Finds a box.',
  inputSchema: {
    type: 'object',
    properties: {
      code: { type: 'string', enum: ['red', 'blue'] },
      limit: { type: 'integer', maximum: 200, description: 'At most so many.' },
    },
    required: ['code'],
  },
  annotations: { readOnlyHint: true },
  ...change,
});

const SERVER = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const folder = process.argv[2];
appendFileSync(folder + '/starts', 'x');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(folder + '/methods', method + '\\n');
  const answer = (body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
  if (method === 'initialize') answer({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelves', version: '3' } } });
  if (method === 'tools/list') {
    const text = readFileSync(folder + '/tools.json', 'utf8');
    if (text === 'exit') process.exit(4);
    answer({ result: { tools: JSON.parse(text) } });
  }
  if (method === 'tools/call') answer({ result: { content: [{ type: 'text', text: 'none' }] } });
}
`;

/** A server whose tools are what the file says now. */
async function makeShelves(services: Services, confirm = true) {
  const folder = await makeFolder();
  await writeFile(join(folder, 'server.mjs'), SERVER);
  const setTools = (tools: unknown) =>
    writeFile(
      join(folder, 'tools.json'),
      typeof tools === 'string' ? tools : JSON.stringify(tools),
    );
  const read = async (name: string) =>
    (await import('node:fs/promises')).readFile(join(folder, name), 'utf8').catch(() => '');
  const added = await services.targets.add(NAME, {
    transport: 'stdio',
    command: process.execPath,
    args: [join(folder, 'server.mjs'), folder],
    cwd: null,
  });
  if (confirm) await services.targets.confirm(NAME, added.description, true);
  return { setTools, starts: () => read('starts'), methods: () => read('methods') };
}

async function recordedCall(services: Services, tools: readonly object[] | null) {
  const message = (id: number, body: object) => ({ jsonrpc: '2.0', id, ...body });
  const at = '2026-01-05T10:00:00.000Z';
  const list =
    tools === null
      ? ''
      : rpcLine('send', at, message(1, { method: 'tools/list' })) +
        rpcLine('recv', at, message(1, { result: { tools } }));
  const params = { name: 'find_box', arguments: { code: 'red', limit: 10 } };
  const text =
    list +
    rpcLine('send', at, message(2, { method: 'tools/call', params })) +
    rpcLine('recv', at, message(2, { result: { content: [] } }));
  const [outcome] = await services.imports.importFiles([fileOf('boxes.jsonl', text)]);
  const runId = outcome?.runs[0]?.id;
  if (runId === undefined) throw new Error('no run');
  const step = (await services.store.listSteps(runId)).find(({ kind }) => kind === 'tool');
  if (step === undefined) throw new Error('no call');
  return { runId, stepId: step.id };
}

/** A trace of an agent that was offered tools and called one. */
async function tracedCall(services: Services, offered: Readonly<Record<string, string>>) {
  const span = (spanId: string, attributes: Readonly<Record<string, string>>) => ({
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId,
    ...(spanId === '00000000000000a1' ? {} : { parentSpanId: '00000000000000a1' }),
    name: 'a span',
    startTimeUnixNano: '1795500000000000000',
    endTimeUnixNano: '1795500001000000000',
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: { stringValue: value },
    })),
  });
  const spans = [
    span('00000000000000a1', { 'gen_ai.operation.name': 'invoke_agent', ...offered }),
    span('00000000000000a2', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'find_box',
      'gen_ai.tool.call.arguments': '{"code":"red"}',
    }),
  ];
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const [outcome] = await services.imports.importFiles([fileOf('trace.json', text)]);
  const id = outcome?.runs[0]?.id;
  if (id === undefined) throw new Error('no run');
  const step = (await services.store.listSteps(id)).find(({ kind }) => kind === 'tool');
  if (step === undefined) throw new Error('no call');
  return { id, stepId: step.id };
}

async function toolOf({ app }: TestApp, place: object): Promise<StepTool> {
  const got = await call(app, routes.getStepTool, { params: place, query: { targetName: NAME } });
  expect(got.status).toBe(200);
  return routes.getStepTool.response.parse(got.json);
}

async function checkOf({ app }: TestApp, place: object, argumentsText: string) {
  const body = { targetName: NAME, argumentsText };
  const got = await call(app, routes.checkArguments, { params: place, body });
  expect(got.status).toBe(200);
  return routes.checkArguments.response.parse(got.json).check;
}

const ask = ({ app }: TestApp) => call(app, routes.askTools, { params: { name: NAME }, body: {} });

describe('what is known of a tool', () => {
  test('comes from the tools that a trace says were offered, which stand inside a string', async () => {
    const opened = await openTestApp();
    await makeShelves(opened.services);
    const { id, stepId } = await tracedCall(opened.services, {
      'gen_ai.tool.definitions': JSON.stringify([{ type: 'function', ...find() }]),
    });
    const place = { runId: id, stepId };
    const known = await toolOf(opened, place);
    expect(known.recorded?.text).toBe(JSON.stringify({ type: 'function', ...find() }));
    expect(await checkOf(opened, place, '{"code":7}')).toMatchObject({ by: 'recorded' });
    const audited = await call(opened.app, routes.getAudit, { params: { runId: id } });
    expect(audited.json).toMatchObject({
      questions: [
        { id: 'tool-choice', counts: { toolsListed: 1, withOfferedTools: 1 } },
        {},
        {},
        {},
        {},
        {},
        {},
      ],
    });
  });

  test('is nothing where a trace names the tools only', async () => {
    const opened = await openTestApp();
    await makeShelves(opened.services);
    const { id, stepId } = await tracedCall(opened.services, {
      'gen_ai.agent.tools': JSON.stringify(['find_box']),
    });
    const place = { runId: id, stepId };
    expect((await toolOf(opened, place)).recorded).toBeNull();
    expect(await checkOf(opened, place, '{"code":7}')).toBeNull();
    const audited = await call(opened.app, routes.getAudit, { params: { runId: id } });
    expect(audited.json).toMatchObject({
      questions: [{ counts: { toolsListed: 1, withOfferedTools: 1 } }, {}, {}, {}, {}, {}, {}],
    });
  });

  test('comes from the recording until the server is asked, and nothing else starts it', async () => {
    const opened = await openTestApp();
    const shelves = await makeShelves(opened.services);
    const place = await recordedCall(opened.services, [find(), { ...find(), name: 'other' }]);
    const live = find({ description: 'Finds a box by its colour.' });
    await shelves.setTools([live, { ...find(), name: 'third' }]);

    const before = await toolOf(opened, place);
    expect(before).toMatchObject({ tool: 'find_box', live: null, drift: null, listDrift: null });
    expect(before.recorded?.text).toBe(JSON.stringify(find()));
    expect(await checkOf(opened, place, '{"code":"green"}')).toMatchObject({ by: 'recorded' });
    expect(await shelves.starts()).toBe('');

    const asked = await ask(opened);
    expect([asked.status, asked.json]).toMatchObject([
      200,
      { toolCount: 2, server: { name: 'shelves', version: '3' } },
    ]);
    expect(await shelves.starts()).toBe('x');
    expect(await shelves.methods()).not.toContain('tools/call');

    const after = await toolOf(opened, place);
    expect(after).toMatchObject({
      live: {
        from: 'asked',
        replayId: null,
        server: { name: 'shelves', version: '3' },
        definition: { text: JSON.stringify(live), readOnlyHint: true, destructiveHint: null },
        toolList: { toolCount: 2, reach: null, faultsOmitted: 0 },
      },
      drift: {
        state: 'changed',
        statement: "Direct calls can't show whether models now behave; run the agent again.",
        changes: [{ pointer: '/description', effect: 'reading' }],
      },
      listDrift: { added: ['third'], removed: ['other'], changed: [{ name: 'find_box' }] },
    });
    expect(await shelves.starts()).toBe('x');
  });

  test('comes from the frames of a replay without connecting again, and the newest counts', async () => {
    const opened = await openTestApp();
    const { services } = opened;
    const shelves = await makeShelves(services);
    const place = await recordedCall(services, null);
    await shelves.setTools([find()]);
    const { id } = await services.replays.start({
      ...place,
      targetName: NAME,
      argumentsText: null,
      tool: null,
      confirmTool: null,
      timeoutMs: 20_000,
      experimentId: null,
      prepared: null,
      idempotencyKey: 'shelves-once',
    });
    await services.replays.whenDone(id);
    const known = await toolOf(opened, place);
    expect(known).toMatchObject({
      live: { from: 'replay', replayId: id, definition: { readOnlyHint: true } },
      recorded: null,
      drift: null,
      listDrift: null,
    });
    expect(await shelves.starts()).toBe('x');

    await shelves.setTools([]);
    expect((await ask(opened)).json).toMatchObject({ toolCount: 0 });
    expect(await toolOf(opened, place)).toMatchObject({
      live: { from: 'asked', definition: null },
    });
    expect(await checkOf(opened, place, '{}')).toBeNull();
  });

  test('is gone where the target is another server now', async () => {
    const opened = await openTestApp();
    const { services } = opened;
    const shelves = await makeShelves(services);
    const place = await recordedCall(services, null);
    await shelves.setTools([{ ...find(), name: 'find_boxes' }]);
    await ask(opened);
    expect(await toolOf(opened, place)).toMatchObject({
      live: { definition: null, nearest: ['find_boxes'] },
    });
    await services.targets.remove(NAME);
    await services.targets.add(NAME, { transport: 'stdio', command: 'other', args: [], cwd: null });
    expect(await toolOf(opened, place)).toMatchObject({ live: null });
  });

  test('one tool at fault is said for all of them', async () => {
    const opened = await openTestApp();
    const shelves = await makeShelves(opened.services);
    const place = await recordedCall(opened.services, null);
    const faulty = { name: 'get_page', inputSchema: { type: 'object', required: ['page'] } };
    await shelves.setTools([find(), faulty]);
    await ask(opened);
    const known = await toolOf(opened, place);
    expect(known.live?.toolList.sentence).toMatch(
      /^A strict client would drop all 2 tools because of `get_page`/,
    );
  });
});

describe('arguments held against the schema', () => {
  test('as a strict and as a lenient client would, each issue at its place', async () => {
    const opened = await openTestApp();
    const shelves = await makeShelves(opened.services);
    const place = await recordedCall(opened.services, null);
    expect(await checkOf(opened, place, '{}')).toBeNull();
    await shelves.setTools([find()]);
    await ask(opened);
    const text = '{"code": "red", "limit": "500"}';
    const check = await checkOf(opened, place, text);
    expect(check).toMatchObject({
      by: 'live',
      strict: { verdict: 'refused', issues: [{ pointer: '/limit', line: 1, column: 26 }] },
      lenient: { verdict: 'refused' },
    });
    const [issue] = check?.strict.issues ?? [];
    expect(text.slice(issue?.offset, (issue?.offset ?? 0) + (issue?.length ?? 0))).toBe('"500"');
    const coerced = await checkOf(opened, place, '{"code":"red","limit":"50"}');
    expect(coerced?.lenient).toMatchObject({
      verdict: 'accepted',
      coercions: [{ pointer: '/limit', from: '"50"', to: '50' }],
    });
    expect(await checkOf(opened, place, '{')).toMatchObject({
      strict: { verdict: 'not checked' },
    });
  });

  test('a schema that takes for ever is not checked, and then rests', async () => {
    const opened = await openTestApp();
    const shelves = await makeShelves(opened.services);
    const place = await recordedCall(opened.services, null);
    const code = { type: 'string', pattern: '^(a+)+$' };
    await shelves.setTools([find({ inputSchema: { type: 'object', properties: { code } } })]);
    await ask(opened);
    const text = JSON.stringify({ code: `${'a'.repeat(40)}!` });
    expect(await checkOf(opened, place, text)).toMatchObject({
      strict: { verdict: 'not checked', sentence: expect.stringContaining('takes too long') },
    });
    // A text that would be decided at once: that it isn't shows that nothing was tried.
    expect(await checkOf(opened, place, '{"code":"a"}')).toMatchObject({
      strict: { verdict: 'not checked' },
    });
  });
});

describe('a server that is asked for its tools', () => {
  test('must be confirmed, known and able to answer', async () => {
    const opened = await openTestApp();
    expect((await ask(opened)).json).toMatchObject({ error: { code: 'TARGET_NOT_FOUND' } });
    const shelves = await makeShelves(opened.services, false);
    expect((await ask(opened)).json).toMatchObject({
      error: { code: 'REPLAY_REFUSED', details: { reason: 'targetNotConfirmed' } },
    });
    expect(await shelves.starts()).toBe('');
    const [target] = await opened.services.targets.list();
    await opened.services.targets.confirm(NAME, target?.description ?? '', false);
    await shelves.setTools('exit');
    const died = await ask(opened);
    expect([died.status, died.json]).toMatchObject([
      502,
      { error: { code: 'TOOLS_NOT_LISTED', message: expect.stringContaining('code 4') } },
    ]);
  });

  test('is started once for two presses', async () => {
    const opened = await openTestApp();
    const shelves = await makeShelves(opened.services);
    await shelves.setTools([find()]);
    const both = await Promise.all([ask(opened), ask(opened)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await shelves.starts()).toBe('x');
  });
});
