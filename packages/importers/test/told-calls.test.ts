import { describe, expect, test } from 'vitest';
import { langchain } from '../src/formats/langchain.ts';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** What a source of messages gives: calls with their arguments, and the model's words and tokens. */
async function read(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const steps = result?.runs.flatMap((run) => run.steps) ?? [];
  const calls = [];
  const words = [];
  for (const { kind, callId, status, arguments: given, content } of steps) {
    if (kind === 'tool') {
      calls.push([callId, status, given === null ? null : await readValue(given, [main])]);
    } else if (kind === 'model') {
      for (const part of content) words.push([part.kind, await readValue(part.value, [main])]);
    }
  }
  return { format: importer?.id, result, steps, calls, words };
}

const written = (given: string) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'ring', arguments: given },
});
const parsed = (id: string | null, args: unknown = { bell: 1 }) => ({ name: 'ring', args, id });
const answerTo = (id: string) => ({ type: 'tool', content: 'rung', tool_call_id: id });
const ai = (fields: object) => ({ type: 'ai', content: '', id: 'run-1', ...fields });
const list = (...messages: object[]) =>
  JSON.stringify([{ type: 'human', content: 'Ring it' }, ...messages]);

test('a message in very many pieces is put together once', { timeout: 20_000 }, async () => {
  const piece = (text: string) => ({
    type: 'AIMessageChunk',
    id: 'run-1',
    content: [{ type: 'text', text, index: 0 }],
  });
  const pieces = Array.from({ length: 60_000 }, () => piece('a stroke of the bell, '));
  const main = sourceOfText(
    JSON.stringify({ messages: [{ type: 'human', content: 'Ring' }, ...pieces] }),
  );
  const result = await langchain.read({ main, companions: [] });
  const said = result.runs[0]?.steps.at(-1)?.content[0]?.value.inlineText;
  expect(said).toBe('a stroke of the bell, '.repeat(60_000));
});

describe('a call that a message tells in several places is one', () => {
  const text = '{"bell": 1.0, "id": 9007199254740993}';

  test('in the own list and as the provider sent it, whose text is kept', async () => {
    const message = ai({
      tool_calls: [parsed('call_1')],
      additional_kwargs: { tool_calls: [written(text)] },
    });
    const { calls } = await read(list(message, answerTo('call_1')));
    expect(calls).toEqual([['call_1', 'ok', text]]);
  });

  test.each([
    ['tool_use', { type: 'tool_use', id: 'call_1', name: 'ring', input: { bell: 1 } }],
    [
      'function_call',
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'ring',
        arguments: '{"bell":1}',
      },
    ],
    ['tool_call', { type: 'tool_call', id: 'call_1', name: 'ring', args: { bell: 1 } }],
  ])('in the own list and as a block of type %s', async (_type, block) => {
    const message = ai({ content: [block], tool_calls: [parsed('call_1')] });
    const { calls } = await read(list(message, answerTo('call_1')));
    expect(calls).toEqual([['call_1', 'ok', expect.stringMatching(/^\{"bell":1\}$/)]]);
  });

  test.each(['own', 'call_1'])('under two ids, of which the result names "%s"', async (id) => {
    const message = ai({
      tool_calls: [parsed('own')],
      additional_kwargs: { tool_calls: [written('{"bell":1}')] },
    });
    const { calls, result } = await read(list(message, answerTo(id)));
    expect(calls).toEqual([['own', 'ok', '{"bell":1}']]);
    expect(result?.issues).toEqual([]);
  });

  test('as the function_call of older versions, which has no id', async () => {
    const message = ai({
      tool_calls: [parsed('own')],
      additional_kwargs: { function_call: { name: 'ring', arguments: '{"bell": 1}' } },
    });
    const { calls } = await read(list(message, answerTo('own')));
    expect(calls).toEqual([['own', 'ok', '{"bell": 1}']]);
  });

  test('and never reached its tool where the client could not read its arguments', async () => {
    const message = ai({
      tool_calls: [],
      invalid_tool_calls: [{ ...parsed('call_1', '{"bell": '), error: 'no JSON' }],
      additional_kwargs: { tool_calls: [written('{"bell": ')] },
    });
    const { calls, steps } = await read(list(message));
    expect(calls).toEqual([['call_1', 'neverReached', '{"bell": ']]);
    expect(steps.at(-1)?.statusReason).toContain('no JSON');
  });

  test('two calls with the same arguments stay two', async () => {
    const blocks = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'ring', input: {} }));
    const message = ai({ content: blocks, tool_calls: [parsed('a', {}), parsed('b', {})] });
    const { calls } = await read(list(message, answerTo('b')));
    expect(calls).toEqual([
      ['a', 'unanswered', '{}'],
      ['b', 'ok', '{}'],
    ]);
  });

  test('in OpenAI messages that carry blocks of another API as well', async () => {
    const messages = [
      { role: 'user', content: 'Ring it' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'ring', input: {} }],
        tool_calls: [written('{"bell":1}')],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rung' },
    ];
    const { calls } = await read(JSON.stringify(messages));
    expect(calls).toEqual([['call_1', 'ok', '{"bell":1}']]);
  });
});

const piece = (fields: object) => ({ type: 'AIMessageChunk', content: '', id: 'run-1', ...fields });
const PIECES = [
  piece({ content: 'I ring', usage_metadata: { input_tokens: 10, output_tokens: 0 } }),
  piece({ content: ' it.' }),
  piece({
    tool_calls: [parsed('c1', {})],
    tool_call_chunks: [{ name: 'ring', args: '', id: 'c1', index: 0 }],
  }),
  piece({
    invalid_tool_calls: [{ name: null, args: '{"bell":', id: null, error: null }],
    tool_call_chunks: [{ name: null, args: '{"bell":', id: null, index: 0 }],
  }),
  piece({ tool_call_chunks: [{ name: null, args: ' 1.0}', id: null, index: 0 }] }),
  piece({
    response_metadata: { model_name: 'm-1' },
    usage_metadata: { input_tokens: 0, output_tokens: 7, input_token_details: { cache_read: 4 } },
  }),
];
const STREAM: { type: string; [key: string]: unknown }[] = [
  { type: 'human', content: 'Ring it', id: 'h1' },
  ...PIECES,
  { ...answerTo('c1'), id: 't1' },
  piece({ id: 'run-2', content: 'Do' }),
  piece({ id: 'run-2', content: 'ne.' }),
];
const CLASSES: Record<string, string> = { human: 'HumanMessage', tool: 'ToolMessage' };

describe('pieces of a streamed message are one message', () => {
  test.each([
    ['flat, one a line', STREAM.map((each) => JSON.stringify(each)).join('\n')],
    ['with data', JSON.stringify(STREAM.map((data) => ({ type: data.type, data })))],
    [
      'as constructors',
      JSON.stringify(
        STREAM.map((kwargs) => ({
          lc: 1,
          type: 'constructor',
          id: ['langchain', 'schema', 'messages', CLASSES[kwargs.type] ?? 'AIMessageChunk'],
          kwargs,
        })),
      ),
    ],
    [
      'in pairs of a graph',
      STREAM.map((each) => JSON.stringify([each, { langgraph_node: 'agent' }])).join('\n'),
    ],
    [
      'in pairs of a graph with several modes',
      STREAM.map((each) => JSON.stringify(['messages', [each, { langgraph_node: 'a' }]])).join(
        '\n',
      ),
    ],
  ])('%s', async (_name, text) => {
    const { format, steps, calls, words, result } = await read(text);
    expect(format).toBe('langchain');
    expect(words).toEqual([
      ['text', 'I ring it.'],
      ['text', 'Done.'],
    ]);
    expect(calls).toEqual([['c1', 'ok', '{"bell": 1.0}']]);
    const [first] = steps.filter(({ kind }) => kind === 'model');
    expect(first).toMatchObject({ model: 'm-1', callId: 'run-1' });
    expect(first?.usage).toMatchObject({ inputTokens: 10, outputTokens: 7, cacheReadTokens: 4 });
    expect(first?.moreOrigins).toHaveLength(PIECES.length - 1);
    const records = result?.sources[0]?.records;
    expect(records).toMatchObject({ understood: STREAM.length, notUnderstood: 0, malformed: 0 });
  });

  test('two streams at once keep apart', async () => {
    const of = (id: string, content: string) => JSON.stringify(piece({ id, content }));
    const text = [of('a', 'one '), of('b', 'three '), of('a', 'two'), of('b', 'four')].join('\n');
    const { words } = await read(text);
    expect(words).toEqual([
      ['text', 'one two'],
      ['text', 'three four'],
    ]);
  });

  test('blocks with an index go on, and calls in them are told once', async () => {
    const block = (fields: object, ...chunks: object[]) =>
      piece({ content: [fields], tool_call_chunks: chunks });
    const { words, calls } = await read(
      JSON.stringify([
        block({ type: 'thinking', thinking: 'Which ', index: 0 }),
        block({ type: 'thinking', thinking: 'bell?', index: 0 }),
        block({ type: 'text', text: 'I ring', index: 1 }),
        block({ type: 'text', text: ' it.', index: 1 }),
        block(
          { type: 'tool_use', id: 't', name: 'ring', input: {}, index: 2 },
          { name: 'ring', args: '', id: 't', index: 2 },
        ),
        block(
          { type: 'input_json_delta', partial_json: '{"bell":2}', index: 2 },
          { name: null, args: '{"bell":2}', id: null, index: 2 },
        ),
      ]),
    );
    expect(words).toEqual([
      ['thinking', 'Which bell?'],
      ['text', 'I ring it.'],
    ]);
    expect(calls).toEqual([['t', 'unanswered', '{"bell":2}']]);
  });

  test('a message that also stands whole is that one', async () => {
    const whole = ai({ content: 'I ring it.', tool_calls: [parsed('c1')] });
    const { words, calls, result } = await read(JSON.stringify([...STREAM.slice(0, 7), whole]));
    expect(words).toEqual([['text', 'I ring it.']]);
    expect(calls).toHaveLength(1);
    expect(result?.sources[0]?.records.setAside).toBe(PIECES.length);
  });

  test('one piece that holds all of it stays where it stands', async () => {
    const text = JSON.stringify([piece({ content: 'All', tool_calls: [parsed('c1')] })]);
    const { words, calls, steps } = await read(text);
    expect(words).toEqual([['text', 'All']]);
    expect(calls).toEqual([['c1', 'unanswered', '{"bell":1}']]);
    expect(steps[0]?.content[0]?.value.encoding).toBe('json-string');
  });
});

test('a message that a graph removes is a change of what the model has in front of it', async () => {
  const { steps } = await read(list({ type: 'remove', content: '', id: 'old-1' }));
  expect(steps.at(-1)).toMatchObject({ kind: 'context', summary: 'old-1' });
});

test('what the nodes of a graph add is read', async () => {
  const text = [
    { agent: { messages: [ai({ tool_calls: [parsed('c1')] })] } },
    { tools: { messages: [answerTo('c1')] } },
  ];
  const main = sourceOfText(text.map((each) => JSON.stringify(each)).join('\n'));
  expect(langchain.sniff(await makeSourceHead(main))).toBeGreaterThan(0.9);
  const { calls } = await read(text.map((each) => JSON.stringify(each)).join('\n'));
  expect(calls).toEqual([['c1', 'ok', '{"bell":1}']]);
});
