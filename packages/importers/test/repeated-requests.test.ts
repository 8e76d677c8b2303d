import { expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText } from './support.ts';

/** Requests to a model's API repeat what was said before: each message and each answer is told once. */

async function readText(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const runs = result?.runs ?? [];
  return {
    format: importer?.id ?? null,
    runs: runs.map(({ steps }) =>
      steps.map(({ kind, name, status, usage, summary }) => ({
        ...{ kind, name, status, summary },
        tokens: usage?.inputTokens ?? null,
      })),
    ),
    steps: runs.flatMap(({ steps }) => [...steps]),
  };
}

const ask = { role: 'user', content: 'How full is keg 4?' };
const call = [{ type: 'tool_use', id: 'toolu_a', name: 'gauge', input: { keg: 4 } }];
const result = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'half' }],
};
const words = [{ type: 'text', text: 'Half full.' }];
const thanks = { role: 'user', content: 'And keg 5?' };
const more = [{ type: 'text', text: 'Empty.' }];

interface Talk {
  readonly second: number;
  readonly messages: readonly object[];
  readonly content: readonly object[];
  readonly tokens: number;
}

function pair({ second, messages, content, tokens }: Talk): string {
  const at = Date.UTC(2026, 4, 3, 9, 0, second) / 1000;
  const request = {
    timestamp: at,
    method: 'POST',
    url: 'https://api.example.com/v1/messages',
    body: { model: 'demo', max_tokens: 100, messages, tools: [{ name: 'gauge' }] },
  };
  const body = {
    ...{ id: `msg_${second}`, type: 'message', role: 'assistant', model: 'demo', content },
    stop_reason: 'end_turn',
    usage: { input_tokens: tokens, output_tokens: 1 },
  };
  const response = { timestamp: at + 1, status_code: 200, body };
  return `${JSON.stringify({ request, response, logged_at: '2026-05-03T09:00:00Z' })}\n`;
}

const assistant = (content: readonly object[]) => ({ role: 'assistant', content });
const talks: readonly Talk[] = [
  { second: 0, messages: [ask], content: call, tokens: 10 },
  { second: 5, messages: [ask, assistant(call), result], content: words, tokens: 20 },
  {
    second: 20,
    messages: [ask, assistant(call), result, assistant(words), thanks],
    content: more,
    tokens: 30,
  },
];
const tree = [
  { kind: 'user', name: 'User turn', tokens: null },
  { kind: 'model', name: 'Model call', tokens: 10 },
  { kind: 'tool', name: 'gauge', tokens: null },
  { kind: 'model', name: 'Model call', tokens: 20 },
  { kind: 'user', name: 'User turn', tokens: null },
  { kind: 'model', name: 'Model call', tokens: 30 },
];

test.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
  'requests that were logged in the order %j are one conversation',
  async (order) => {
    const { runs, steps } = await readText(
      order
        .map((index) => pair(talks[index] ?? { second: 0, messages: [], content: [], tokens: 0 }))
        .join(''),
    );
    expect(runs).toEqual([tree.map((each) => expect.objectContaining(each))]);
    const starts = steps.map(({ time }) => time.startedAtNs);
    expect(starts).toEqual([...starts].sort((a, b) => Number((a ?? 0n) - (b ?? 0n))));
    expect(steps[2]?.status).toBe('ok');
    for (const { time } of steps) {
      if (time.startedAtNs !== null && time.endedAtNs !== null)
        expect(time.endedAtNs).toBeGreaterThanOrEqual(time.startedAtNs);
    }
  },
);

test('two answers to one question are two model calls, whichever the next request goes on from', async () => {
  const other = [{ type: 'text', text: 'I can not see it.' }];
  const asked = { second: 0, messages: [ask], content: words, tokens: 10 };
  const again = { second: 5, messages: [ask], content: other, tokens: 11 };
  const goesOn = (answer: readonly object[], second: number) => ({
    ...{ second, messages: [ask, assistant(answer), thanks], content: more, tokens: 20 },
  });
  const { runs } = await readText(
    [asked, again, goesOn(other, 9), goesOn(words, 12)].map(pair).join(''),
  );
  const models = runs.flat().filter(({ kind }) => kind === 'model');
  expect(models.map(({ tokens }) => tokens)).toEqual([10, 11, 20, 20]);
});

test('the same answer twice to one question is two model calls', async () => {
  const { runs } = await readText(
    [0, 5].map((second) => pair({ second, messages: [ask], content: words, tokens: 10 })).join(''),
  );
  expect(runs.flat().filter(({ kind }) => kind === 'model')).toHaveLength(2);
});

const response = {
  ...{ id: 'resp_1', object: 'response', model: 'demo', status: 'completed' },
  output: [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nine.' }] },
  ],
  usage: { input_tokens: 7, output_tokens: 2 },
};
const prompt = [{ role: 'user', content: 'How many kegs?' }];

test.each([
  ['a text beside the answer', { ...response, input: 'How many kegs?' }],
  ['a list beside the answer', { ...response, input: prompt }],
  ['a text in a pair', { request: { model: 'demo', input: 'How many kegs?' }, response }],
  ['a list in a pair', { request: { model: 'demo', input: prompt }, response }],
])('what was asked of the Responses API: %s', async (_what, document) => {
  const { format, runs } = await readText(JSON.stringify(document));
  expect(format).toBe('openai-responses');
  expect(runs.map((steps) => steps.map(({ kind, summary }) => [kind, summary]))).toEqual([
    [
      ['user', 'How many kegs?'],
      ['model', 'Nine.'],
    ],
  ]);
});

test('a text that was embedded is no conversation', async () => {
  const { format } = await readText(
    JSON.stringify({
      request: { model: 'embed', input: 'How many kegs?' },
      response: {
        object: 'list',
        data: [{ object: 'embedding', embedding: [0.5] }],
        model: 'embed',
      },
    }),
  );
  expect(format).not.toBe('openai-responses');
});
