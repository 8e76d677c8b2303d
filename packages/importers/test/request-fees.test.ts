import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { sourceOfText } from './support.ts';

/** What is charged by the request and not by the token, in every format that tells of it. */

const lines = (records: readonly object[]): string =>
  records.map((each) => JSON.stringify(each)).join('\n');

const anthropic = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'x' }],
  usage: {
    input_tokens: 1,
    output_tokens: 2,
    server_tool_use: { web_search_requests: 3, web_fetch_requests: 5 },
  },
};
const search = (action?: object) => ({
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  ...(action === undefined ? {} : { action }),
});
const responses = {
  id: 'resp_1',
  object: 'response',
  model: 'm',
  output: [
    search({ type: 'search', query: 'bells' }),
    search({ type: 'open_page', url: 'https://bells.example' }),
    search(),
    { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
  ],
  usage: { input_tokens: 1, output_tokens: 2 },
};
const record = { uuid: 'u', sessionId: 's', timestamp: '2026-01-02T03:04:05.000Z' };
const at = '2026-01-02T03:04:05.000Z';
const spent = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const codex = [
  { timestamp: at, type: 'session_meta', payload: { id: 's', timestamp: at, cwd: '/w' } },
  { timestamp: at, type: 'response_item', payload: search({ type: 'search', query: 'bells' }) },
  {
    timestamp: at,
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: { total_token_usage: spent, last_token_usage: spent },
    },
  },
];
const exec = [
  { type: 'thread.started', thread_id: 't' },
  { type: 'turn.started' },
  { type: 'item.completed', item: { id: 'i1', type: 'web_search', query: 'bells' } },
  { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } },
];

test.each([
  ['anthropic-messages', JSON.stringify(anthropic), 3],
  [
    'anthropic-messages',
    JSON.stringify({ ...anthropic, usage: { input_tokens: 1, output_tokens: 2 } }),
    undefined,
  ],
  [
    'claude-code-jsonl',
    lines([{ type: 'assistant', parentUuid: null, ...record, message: anthropic }]),
    3,
  ],
  [
    'claude-code-stream',
    lines([
      { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: [] },
      { type: 'assistant', session_id: 's', parent_tool_use_id: null, message: anthropic },
    ]),
    3,
  ],
  ['openai-responses', JSON.stringify(responses), 3],
  ['codex-rollout', lines(codex), 1],
  ['codex-exec', lines(exec), 1],
])('%s', async (format, text, fees) => {
  const main = sourceOfText(text);
  const result = await importerById(format)?.read({ main, companions: [] });
  const spending = result?.runs[0]?.steps.filter(({ usage }) => usage !== null) ?? [];
  expect(spending.map(({ usage }) => usage)).toMatchObject([{ outputTokens: 2 }]);
  expect(spending[0]?.usage?.feeRequests).toBe(fees);
});
