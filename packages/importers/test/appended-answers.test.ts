import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** Programs append a whole answer to their messages: it is one message, with its model and tokens. */

const ask = { role: 'user', content: 'Which pump leaks?' };
const tokens = { input_tokens: 12, output_tokens: 5 };
const anthropic = (id: string, content: readonly object[]) => ({
  ...{ id, type: 'message', role: 'assistant', model: 'claude-x', content, usage: tokens },
});
const call = { type: 'tool_use', id: 'toolu_p', name: 'inspect', input: { pump: 2 } };
const result = { type: 'tool_result', tool_use_id: 'toolu_p', content: 'leaks' };
const ofAnthropic = [
  ask,
  anthropic('msg_1', [call]),
  { role: 'user', content: [result] },
  anthropic('msg_2', [{ type: 'text', text: 'Pump 2.' }]),
];

const chat = (id: string, message: object) => ({
  ...{ id, object: 'chat.completion', model: 'gpt-x' },
  choices: [{ index: 0, message: { role: 'assistant', ...message } }],
  usage: { prompt_tokens: 12, completion_tokens: 5 },
});
const toolCall = {
  id: 'call_p',
  type: 'function',
  function: { name: 'inspect', arguments: '{"pump":2}' },
};
const ofChat = [
  ask,
  chat('c-1', { content: null, tool_calls: [toolCall] }),
  { role: 'tool', tool_call_id: 'call_p', content: 'leaks' },
  chat('c-2', { content: 'Pump 2.' }),
];

const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

test.each([
  ['anthropic-messages', 'a list', JSON.stringify(ofAnthropic)],
  ['anthropic-messages', 'lines', lines(ofAnthropic)],
  ['anthropic-messages', 'a request', JSON.stringify({ model: 'claude-x', messages: ofAnthropic })],
  ['openai-messages', 'a list', JSON.stringify(ofChat)],
  ['openai-messages', 'lines', lines(ofChat)],
  ['openai-messages', 'a request', JSON.stringify({ model: 'gpt-x', messages: ofChat })],
])('%s: answers appended in %s', async (id, _how, text) => {
  const main = sourceOfText(text);
  const read = await importerById(id)?.read({ main, companions: [] });
  if (read === undefined) throw new Error(`no importer ${id}`);
  expectAccountsAddUp(read, [main]);
  expect(read.sources.map(({ records }) => [records.understood, records.total])).toEqual([[4, 4]]);
  expect(read.issues).toEqual([]);
  expect(read.runs).toHaveLength(1);
  const steps = read.runs.flatMap((run) => run.steps);
  expect(steps.map(({ kind, status }) => [kind, status])).toEqual([
    ['user', 'none'],
    ['model', 'none'],
    ['tool', 'ok'],
    ['model', 'none'],
  ]);
  const calls = steps.filter(({ kind }) => kind === 'model');
  expect(calls.map(({ usage }) => [usage?.inputTokens, usage?.outputTokens])).toEqual([
    [12, 5],
    [12, 5],
  ]);
  expect(new Set(calls.map(({ model }) => model))).toEqual(
    new Set([id === 'openai-messages' ? 'gpt-x' : 'claude-x']),
  );
});

test('answers that name the one before are one conversation', async () => {
  const answer = (id: string, previous: string | null, output: readonly object[]) => ({
    ...{ id, object: 'response', model: 'gpt-x', status: 'completed', output },
    previous_response_id: previous,
  });
  const said = (text: string) => ({
    ...{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  });
  const text = lines([
    answer('resp_1', null, [said('One.')]),
    answer('resp_9', 'resp_8', [said('Elsewhere.')]),
    answer('resp_2', 'resp_1', [said('Two.')]),
    answer('resp_3', 'resp_2', [said('Three.')]),
  ]);
  const main = sourceOfText(text);
  const read = await importerById('openai-responses')?.read({ main, companions: [] });
  expect(read?.runs.map(({ steps }) => steps.map(({ summary }) => summary))).toEqual([
    ['One.', 'Two.', 'Three.'],
    ['Elsewhere.'],
  ]);
});
