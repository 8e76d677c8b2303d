import { describe, expect, test } from 'vitest';
import { readTold as read } from './told-steps.ts';

type Event = Record<string, unknown>;
const sse = (events: readonly Event[], named = true) =>
  events
    .map((event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');
const lines = (events: readonly Event[]) => events.map((event) => JSON.stringify(event)).join('\n');

const ANTHROPIC: Event[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 25, output_tokens: 1 },
    },
  },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I ring' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' it.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'ring', input: {} },
  },
  ...['{"bell": 1', '.0, "bell', '": 2}'].map((partial_json) => ({
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json },
  })),
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 15 } },
  { type: 'message_stop' },
];
const RUNG = [
  {
    kind: 'model',
    parts: [['text', 'I ring it.']],
    status: 'none',
    tokens: [25, 15],
  },
  ['toolu_1', '{"bell": 1.0, "bell": 2}'],
];

describe('an answer saved as it was streamed', () => {
  test.each([
    ['as it went over the line', sse(ANTHROPIC)],
    ['with carriage returns', sse(ANTHROPIC).replaceAll('\n', '\r\n')],
    ['without names of events', sse(ANTHROPIC, false)],
    ['below a comment', `: connected\n\n${sse(ANTHROPIC)}`],
    ['event by event', lines(ANTHROPIC)],
  ])('%s is one message', async (_name, text) => {
    const { format, runs, records } = await read(text);
    expect(format).toBe('anthropic-messages');
    expect(runs).toEqual([RUNG]);
    expect(records).toMatchObject({ total: ANTHROPIC.length, malformed: 0, notUnderstood: 0 });
  });

  test('that was cut off is there as far as it came', async () => {
    const whole = sse(ANTHROPIC);
    const { runs, records, result } = await read(whole.slice(0, whole.indexOf('.0, ') + 2));
    // What the start counts is no count of what came.
    expect(runs[0]?.[0]).toMatchObject({ parts: [['text', 'I ring it.']], tokens: [25, null] });
    expect(runs[0]?.[0]).toMatchObject({ status: 'unknown' });
    expect(runs[0]?.[1]).toEqual(['toolu_1', '{"bell": 1']);
    expect(result?.runs[0]?.steps[1]?.arguments?.state).toBe('elided');
    expect(result?.issues.map(({ code }) => code)).toEqual(['STREAM_BROKE_OFF']);
    expect(records?.malformed).toBe(1);
  });

  test.each([
    ['a text', 4, 'elided'],
    ['its end alone', 11, 'captured'],
  ])('that was cut off before %s says what it lacks', async (_name, events, state) => {
    const { result, runs } = await read(sse(ANTHROPIC.slice(0, events)));
    const [model, call] = result?.runs[0]?.steps ?? [];
    expect(model?.statusReason).toMatch(/^The stream breaks off/);
    expect((call?.arguments ?? model?.content.at(-1)?.value)?.state).toBe(state);
    expect(runs[0]?.[0]).toMatchObject({ tokens: [25, null] });
  });

  test('that lost an event in the middle is not told as whole', async () => {
    const whole = sse(ANTHROPIC);
    const { result, records } = await read(whole.replace('I ring"}}', 'I ring'));
    expect(records?.malformed).toBe(1);
    const [model] = result?.runs[0]?.steps ?? [];
    expect(model?.statusReason).toMatch(/^A part of the stream is missing/);
    expect(model?.usage?.outputTokens).toBe(15);
  });

  test('and ended in an error says so', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const { result } = await read(sse([...ANTHROPIC.slice(0, 5), error]));
    const [step] = result?.runs[0]?.steps ?? [];
    expect(step).toMatchObject({ status: 'error', statusReason: 'Overloaded' });
    expect(step?.content).toHaveLength(1);
  });

  test('holds what the API compacted', async () => {
    const block = { type: 'compaction', content: null };
    const delta = { type: 'compaction_delta', content: 'They rang before.' };
    const { runs } = await read(
      sse([
        ...ANTHROPIC.slice(0, 1),
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
      ]),
    );
    const parts = [['text', 'They rang before.']];
    expect(runs[0]?.[0]).toMatchObject({ kind: 'context', parts });
  });

  test('of the AI SDK', async () => {
    const { format, runs } = await read(
      sse(
        [
          { type: 'start' },
          { type: 'start-step' },
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'ring', input: { a: 1 } },
          { type: 'tool-output-available', toolCallId: 'c1', output: 'rung' },
          { type: 'finish' },
        ],
        false,
      ),
    );
    expect(format).toBe('vercel-ui-messages');
    expect(runs[0]).toContainEqual(['c1', '{"a":1}']);
  });

  test('of the AI SDK that broke off', async () => {
    const { result } = await read(
      sse([{ type: 'start' }, { type: 'start-step' }, { type: 'text-delta', delta: 'So' }], false),
    );
    expect(result?.runs[0]?.steps[0]).toMatchObject({ status: 'unknown' });
    expect(result?.issues[0]).toMatchObject({ code: 'STREAM_BROKE_OFF' });
    expect(result?.issues[0]?.message).not.toBe('');
  });

  test('a text that only speaks of one is text', async () => {
    const { format } = await read(`The server sent\n\n${sse(ANTHROPIC)}`);
    expect(format).toBe('plain-text');
  });
});

const chunk = (delta: object, more: object = {}, index = 0, id = 'cc1'): Event => ({
  id,
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index, delta, finish_reason: null, ...more }],
});
const called = (index: number, given: string, id?: string) => ({
  tool_calls: [
    {
      index,
      ...(id === undefined ? {} : { id, type: 'function' }),
      function: { ...(id === undefined ? {} : { name: 'ring' }), arguments: given },
    },
  ],
});
const USAGE: Event = {
  id: 'cc1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 4 },
};

describe('chunks of OpenAI', () => {
  test('with calls by index, and the tokens in the last', async () => {
    const { runs } = await read(
      `${sse(
        [
          chunk({ role: 'assistant', content: null }),
          chunk(called(0, '', 'c1')),
          chunk(called(1, '{"b":', 'c2')),
          chunk(called(0, '{"a":1}')),
          chunk(called(1, '2}')),
          chunk({}, { finish_reason: 'tool_calls' }),
          USAGE,
        ],
        false,
      )}data: [DONE]\n\n`,
    );
    expect(runs).toEqual([
      [
        { kind: 'model', parts: [], status: 'none', tokens: [9, 4] },
        ['c1', '{"a":1}'],
        ['c2', '{"b":2}'],
      ],
    ]);
  });

  test('of several choices keep apart and are told', async () => {
    const { runs, result } = await read(
      lines([
        chunk({ role: 'assistant', content: 'one ' }),
        chunk({ role: 'assistant', content: 'three ' }, {}, 1),
        chunk({ content: 'two' }),
        chunk({ content: 'four' }, {}, 1),
        USAGE,
      ]),
    );
    const parts = [
      ['text', 'one two'],
      ['text', 'three four'],
    ];
    expect(runs).toEqual([[{ kind: 'model', parts, status: 'none', tokens: [9, 4] }]]);
    expect(result?.issues.map(({ code }) => code)).toEqual(['SEVERAL_CHOICES']);
  });

  test('of several streams in one file are several answers, also at once', async () => {
    const of = (content: string, id: string) => chunk({ content }, {}, 0, id);
    const { runs } = await read(
      lines([of('one ', 'a'), of('three ', 'b'), of('two', 'a'), of('four', 'b')]),
    );
    const said = runs.flatMap((run) => run.flatMap((step) => ('parts' in step ? step.parts : [])));
    expect(said).toEqual([
      ['text', 'one two'],
      ['text', 'three four'],
    ]);
  });

  test('of streams under one id are told by where each begins', async () => {
    const of = (content: string) => [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content }),
      chunk({}, { finish_reason: 'stop' }),
    ];
    const { runs } = await read(lines([...of('one'), ...of('two')]));
    expect(runs).toHaveLength(2);
  });

  test.each([
    ['nothing', {}, ''],
    ['a reason to finish', { finish_reason: 'stop' }, ''],
    ['the sign of the end', {}, 'data: [DONE]\n\n'],
  ])('behind which comes %s', async (_name, more, end) => {
    const text = sse([chunk({ role: 'assistant', content: 'one' }), chunk({}, more)], false);
    const { result } = await read(text + end);
    const isWhole = end !== '' || 'finish_reason' in more;
    const [step] = result?.runs[0]?.steps ?? [];
    expect(step?.status).toBe(isWhole ? 'none' : 'unknown');
    expect(step?.content[0]?.value.state).toBe(isWhole ? 'captured' : 'elided');
    expect(result?.issues.length).toBe(isWhole ? 0 : 1);
  });

  test('that count up their tokens and break off have no count', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 1 };
    const { runs } = await read(sse([{ ...chunk({ content: 'one' }), usage }], false));
    expect(runs[0]?.[0]).toMatchObject({ tokens: [9, null] });
  });

  test.each([
    ['by itself', { error: { message: 'Upstream died' } }],
    [
      'in a chunk',
      { ...chunk({}, { finish_reason: 'error' }), error: { message: 'Upstream died' } },
    ],
  ])('with an error %s keep what came before', async (_name, error) => {
    const { runs, result } = await read(sse([chunk({ content: 'one' }), error], false));
    expect(runs).toHaveLength(1);
    expect(runs[0]?.[0]).toMatchObject({ parts: [['text', 'one']], status: 'error' });
    expect(result?.runs[0]?.steps[0]?.statusReason).toBe('Upstream died');
  });

  test('with thoughts, a refusal, or the function call of before', async () => {
    const { runs } = await read(
      lines([
        chunk({ role: 'assistant', reasoning_content: 'Which ' }),
        chunk({ reasoning_content: 'bell?' }),
        chunk({ function_call: { name: 'ring', arguments: '{"a"' } }),
        chunk({ function_call: { arguments: ':1}' } }),
        chunk({ refusal: 'No.' }),
      ]),
    );
    expect(runs[0]?.[0]).toMatchObject({
      parts: [
        ['thinking', 'Which bell?'],
        ['text', 'No.'],
      ],
    });
    expect(runs[0]?.[1]).toEqual([null, '{"a":1}']);
  });
});

test('a stream of the Responses API that broke off is there as far as it came', async () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ring' };
  const { format, runs } = await read(
    sse([
      { type: 'response.created', response: { id: 'resp_1', object: 'response', model: 'm' } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', id: 'm1', role: 'assistant', content: [] },
      },
      { type: 'response.output_text.delta', output_index: 0, delta: 'I ring ' },
      { type: 'response.output_text.delta', output_index: 0, delta: 'it.' },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { ...call, arguments: '', status: 'in_progress' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"bell":' },
    ]),
  );
  expect(format).toBe('openai-responses');
  expect(runs[0]?.[0]).toMatchObject({ parts: [['text', 'I ring it.']] });
  expect(runs[0]?.[1]).toEqual(['call_1', '{"bell":']);
});

const RESPONSE = { id: 'resp_1', object: 'response', model: 'm' };
const MESSAGE = { type: 'message', id: 'm1', role: 'assistant', content: [] };
const SAID: Event[] = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: MESSAGE },
  { type: 'response.output_text.delta', output_index: 0, delta: 'I ring it.' },
];

describe('an answer of the Responses API', () => {
  const failure = { code: 'server_error', message: 'The server had an error.' };
  test.each([
    [
      'that failed',
      {
        type: 'response.failed',
        response: { ...RESPONSE, status: 'failed', error: failure, output: [] },
      },
      failure.message,
    ],
    ['that ended in an error', { type: 'error', ...failure }, failure.message],
    [
      'that failed without a word',
      { type: 'response.failed', response: { ...RESPONSE, status: 'failed', error: null } },
      'The API says: failed',
    ],
  ])('%s keeps what it had said', async (_name, end, words) => {
    const { runs, result, records } = await read(sse([...SAID, end]));
    const [step] = result?.runs[0]?.steps ?? [];
    expect(step).toMatchObject({ status: 'error', statusReason: words, usage: null });
    expect(runs[0]?.[0]).toMatchObject({ parts: [['text', 'I ring it.']] });
    expect(result?.issues).toEqual([]);
    expect(records?.setAside).toBe(0);
  });

  test('that only broke off is not told as whole', async () => {
    const { result } = await read(sse(SAID));
    const [step] = result?.runs[0]?.steps ?? [];
    expect(step).toMatchObject({ status: 'unknown', usage: null });
    expect(step?.content[0]?.value.state).toBe('elided');
  });
});
