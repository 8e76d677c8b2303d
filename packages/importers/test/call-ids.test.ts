import { describe, expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** Where recordings of LangSmith, Langfuse and Phoenix hold the id of a call, and where it has to be inferred. */

const id = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

function run(number: number, run_type: string, name: string, rest: object) {
  const start = `2026-03-02T09:00:0${number}.000Z`;
  const end = `2026-03-02T09:00:0${number}.500Z`;
  const parent = number === 1 ? {} : { parent_run_id: id(1) };
  return {
    id: id(number),
    trace_id: id(1),
    ...parent,
    name,
    run_type,
    start_time: start,
    end_time: end,
    ...rest,
  };
}

const asks = (number: number, ...calls: readonly object[]) =>
  run(number, 'llm', 'ChatModel', {
    outputs: { role: 'assistant', content: '', tool_calls: calls },
  });
const call = (callId: string, name: string, args: object) => ({
  id: callId,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

async function toolsOf(format: string, value: unknown) {
  const main = sourceOfText(JSON.stringify(value));
  const result = await importerById(format)?.read({ main, companions: [] });
  const steps = (result?.runs ?? []).flatMap(({ steps: own }) => own);
  const tools = steps.filter(({ kind }) => kind === 'tool');
  return {
    ids: tools.map(({ callId }) => callId),
    told: (result?.issues ?? []).map(({ code, message }) => [code, message.slice(0, 7)]),
    given: await Promise.all(
      tools.map(async ({ arguments: value }) => (value === null ? null : readValue(value, [main]))),
    ),
  };
}

const agent = run(1, 'chain', 'agent', { inputs: { input: 'Ring.' } });
const langsmith = async (...runs: readonly object[]) => {
  const { ids, told } = await toolsOf('langsmith', { runs: [agent, ...runs] });
  return { ids, told };
};

describe('the id of a call is taken from where it is recorded', () => {
  const kept = { ids: ['c7'], told: [] };

  test('LangSmith: in what the tool gave', async () => {
    const message = { type: 'tool', content: 'rung', tool_call_id: 'c7', status: 'success' };
    const wrapped = { lc: 1, type: 'constructor', id: ['x', 'ToolMessage'], kwargs: message };
    for (const output of [message, wrapped]) {
      const ring = run(3, 'tool', 'ring', { inputs: { input: '{}' }, outputs: { output } });
      expect(await langsmith(asks(2, call('c9', 'ring', {})), ring)).toEqual({
        // What the model asked for is another call, which was not traced.
        ...kept,
        ids: ['c9', 'c7'],
      });
      expect(await langsmith(ring)).toEqual(kept);
    }
  });

  test('LangSmith: beside the run, or in what it was given', async () => {
    const inputs = { bell: 4 };
    const handed = { input: { id: 'c7', name: 'ring', args: { bell: 4 }, type: 'tool_call' } };
    for (const rest of [
      { inputs, extra: { tool_call_id: 'c7' } },
      { inputs, extra: { metadata: { tool_call_id: 'c7' } } },
      { inputs: { bell: 4, tool_call_id: 'c7' } },
      { inputs: handed },
    ]) {
      expect(await langsmith(run(3, 'tool', 'ring', { ...rest, outputs: {} }))).toEqual(kept);
    }
  });

  test('the arguments are those of the call that a tool was handed whole', async () => {
    const handed = { input: { id: 'c7', name: 'ring', args: { bell: 4 }, type: 'tool_call' } };
    const { given } = await toolsOf('langsmith', {
      runs: [run(3, 'tool', 'ring', { inputs: handed })],
    });
    expect(given).toEqual(['{"bell":4}']);
  });

  test('Langfuse and Phoenix', async () => {
    const observation = {
      id: 'o1',
      traceId: 't1',
      type: 'TOOL',
      name: 'ring',
      startTime: '2026-03-02T09:00:00.000Z',
      endTime: '2026-03-02T09:00:01.000Z',
      parentObservationId: null,
      usageDetails: {},
      statusMessage: null,
      input: '{}',
      output: { type: 'tool', content: 'rung', tool_call_id: 'c7' },
    };
    expect(await toolsOf('langfuse', [observation])).toMatchObject(kept);
    const told = { ...observation, output: 'rung', metadata: { tool_call_id: 'c7' } };
    expect(await toolsOf('langfuse', [told])).toMatchObject(kept);
    const span = {
      context: { trace_id: 'aa', span_id: 'bb' },
      name: 'ring',
      span_kind: 'TOOL',
      status_code: 'OK',
      start_time: '2026-03-02T09:00:00.000Z',
      end_time: '2026-03-02T09:00:01.000Z',
      attributes: {
        'output.value': JSON.stringify({ type: 'tool', content: 'rung', tool_call_id: 'c7' }),
      },
    };
    expect(await toolsOf('phoenix', [span])).toMatchObject(kept);
  });
});

describe('an id that is not recorded is inferred where one call alone fits', () => {
  const ring = (number: number, bell: number) =>
    run(number, 'tool', 'ring', { inputs: { bell }, outputs: { output: 'rung' } });
  const inferred = (count: number) => [['CALL_ID_INFERRED', `${count} tool `]];

  test('by its name', async () => {
    expect(await langsmith(asks(2, call('c1', 'ring', { bell: 4 })), ring(3, 4))).toEqual({
      ids: ['c1'],
      told: inferred(1),
    });
  });

  test('by its arguments, where several have the name', async () => {
    const asked = asks(2, call('c1', 'ring', { bell: 4 }), call('c2', 'ring', { bell: 5 }));
    expect(await langsmith(asked, ring(3, 5), ring(4, 4))).toEqual({
      ids: ['c2', 'c1'],
      told: inferred(2),
    });
  });

  test('not where two fit, or the arguments are others', async () => {
    const same = asks(2, call('c1', 'ring', { bell: 4 }), call('c2', 'ring', { bell: 4 }));
    expect(await langsmith(same, ring(3, 4), ring(4, 4))).toEqual({ ids: [null, null], told: [] });
    expect(await langsmith(asks(2, call('c1', 'ring', { bell: 5 })), ring(3, 4))).toEqual({
      ids: [null],
      told: [],
    });
  });

  test('only of what follows, up to the next model call', async () => {
    const first = asks(2, call('c1', 'ring', { bell: 4 }));
    const second = asks(4, call('c2', 'ring', { bell: 4 }));
    expect(await langsmith(first, ring(3, 4), second, ring(5, 4))).toEqual({
      ids: ['c1', 'c2'],
      told: inferred(2),
    });
    expect(await langsmith(ring(2, 4), asks(3, call('c1', 'ring', { bell: 4 })))).toMatchObject({
      told: [],
    });
  });

  test('past what traces the same call of the model below it', async () => {
    const below = { ...run(3, 'llm', 'chat', { outputs: {} }), parent_run_id: id(2) };
    expect(await langsmith(asks(2, call('c1', 'ring', { bell: 4 })), below, ring(4, 4))).toEqual({
      ids: ['c1'],
      told: inferred(1),
    });
  });
});
