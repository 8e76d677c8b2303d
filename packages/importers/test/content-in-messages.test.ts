import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** Tracers leave content out of a tool's span; the messages of the models around it may hold it. */

const traceId = '5c1f00000000000000000000000000aa';
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

function span(number: number, name: string, parent: number | null, attributes: readonly object[]) {
  const id = (of: number): string => of.toString(16).padStart(16, '0');
  const second = 1_780_000_000 + number;
  return {
    traceId,
    spanId: id(number),
    ...(parent === null ? {} : { parentSpanId: id(parent) }),
    name,
    startTimeUnixNano: `${second}000000000`,
    endTimeUnixNano: `${second}500000000`,
    attributes,
    status: {},
  };
}

const said = (part: object) => JSON.stringify([{ role: 'assistant', parts: [part] }]);
const given = (part: object) => JSON.stringify([{ role: 'tool', parts: [part] }]);
const chat = (number: number, ...attributes: readonly object[]) =>
  span(number, 'chat m', 1, [
    attribute('gen_ai.operation.name', 'chat'),
    attribute('gen_ai.request.model', 'm'),
    ...attributes,
  ]);
const tool = (...attributes: readonly object[]) =>
  span(3, 'execute_tool find', 1, [
    attribute('gen_ai.operation.name', 'execute_tool'),
    attribute('gen_ai.tool.name', 'find'),
    attribute('gen_ai.tool.call.id', 'c1'),
    ...attributes,
  ]);
const asks = attribute(
  'gen_ai.output.messages',
  said({
    type: 'tool_call',
    id: 'c1',
    name: 'find',
    arguments: { reel: 9007199254740993n.toString() },
  }),
);
const hears = (response: string) =>
  attribute('gen_ai.input.messages', given({ type: 'tool_call_response', id: 'c1', response }));

async function callOf(spans: readonly object[]) {
  const main = sourceOfText(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
  const read = await importerById('otlp-json')?.read({ main, companions: [] });
  const steps = (read?.runs ?? []).flatMap((run) => run.steps);
  const calls = steps.filter(({ kind }) => kind === 'tool');
  expect(calls).toHaveLength(1);
  const [call] = calls;
  if (call === undefined) throw new Error('no call');
  const textOf = async (value: typeof call.result) =>
    value === null || value.state === 'notCaptured' ? null : readValue(value, [main]);
  return {
    status: call.status,
    endedAtNs: call.time.endedAtNs,
    given: await textOf(call.arguments),
    result: await textOf(call.result),
  };
}

const root = span(1, 'run', null, [attribute('gen_ai.operation.name', 'invoke_agent')]);

test('a span without content gets what the messages hold under its id', async () => {
  const call = await callOf([root, chat(2, asks), tool(), chat(4, hears('shelf B4'))]);
  expect(call).toEqual({
    status: 'ok',
    endedAtNs: 1_780_000_003_500_000_000n,
    given: '{"reel":"9007199254740993"}',
    result: 'shelf B4',
  });
});

test('a span that holds its content keeps it', async () => {
  const own = [
    attribute('gen_ai.tool.call.arguments', '{"reel":1}'),
    attribute('gen_ai.tool.call.result', 'its own'),
  ];
  const call = await callOf([root, chat(2, asks), tool(...own), chat(4, hears('another'))]);
  expect([call.given, call.result]).toEqual(['{"reel":1}', 'its own']);
});

test('what no message holds stays unknown', async () => {
  const call = await callOf([root, chat(2), tool(), chat(4)]);
  expect([call.status, call.given, call.result]).toEqual(['unknown', null, null]);
});
