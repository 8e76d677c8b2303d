import { describe, expect, test } from 'vitest';
import { readTold as read } from './told-steps.ts';

const lines = (records: readonly object[]) =>
  records.map((each) => JSON.stringify(each)).join('\n');

describe("what Anthropic's API spent on compacting", () => {
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    iterations: [
      { type: 'compaction', input_tokens: 1000, output_tokens: 300, cache_read_input_tokens: 7 },
      { type: 'message', input_tokens: 60, output_tokens: 15 },
      { type: 'message', input_tokens: 40, output_tokens: 5 },
      { type: 'advisor_message', model: 'other', input_tokens: 900, output_tokens: 90 },
    ],
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: 'end_turn',
    content: [
      { type: 'compaction', content: 'They rang before.' },
      { type: 'text', text: 'x' },
    ],
    usage,
  };
  const record = { uuid: 'u', sessionId: 's', timestamp: '2026-01-02T03:04:05.000Z', message };
  const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: [] };

  test.each([
    ['anthropic-messages', JSON.stringify(message)],
    ['claude-code-jsonl', JSON.stringify({ type: 'assistant', parentUuid: null, ...record })],
    [
      'claude-code-stream',
      lines([init, { type: 'assistant', session_id: 's', parent_tool_use_id: null, message }]),
    ],
  ])('is added to the totals once (%s)', async (format, text) => {
    const found = await read(text);
    expect(found.format).toBe(format);
    const step = found.result?.runs[0]?.steps.find(({ kind }) => kind === 'model');
    expect(step?.usage).toEqual({
      inputTokens: 1100,
      outputTokens: 320,
      cacheReadTokens: 12,
      cacheWriteTokens: 30,
      cacheWriteHourTokens: 20,
      inputExcludesCache: true,
    });
  });

  test('is a change of context before the answer', async () => {
    const { runs } = await read(JSON.stringify(message));
    expect(runs[0]?.map((step) => ('kind' in step ? step.kind : 'tool'))).toEqual([
      'context',
      'model',
    ]);
  });
});
