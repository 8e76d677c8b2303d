import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { sourceOfText } from './support.ts';

async function read(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const steps = result?.runs.flatMap((run) => run.steps) ?? [];
  const [call] = steps.filter(({ kind }) => kind === 'tool');
  const told = async (value: 'arguments' | 'result') => {
    const found = call?.[value] ?? null;
    return found === null ? null : await readValue(found, [main]);
  };
  return {
    format: importer?.id,
    malformed: result?.sources[0]?.records.malformed,
    issues: result?.issues.filter(({ code }) => code === 'NUMBER_NOT_JSON'),
    call,
    given: await told('arguments'),
    result: await told('result'),
  };
}

const bare = (value: unknown, indent = 0) =>
  JSON.stringify(value, null, indent).replace('"@nan"', 'NaN').replace('"@inf"', '-Infinity');

const CHAT = [
  { role: 'user', content: 'Weigh it' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'weigh', arguments: { x: '@nan' } } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'w', least: '@inf' }] },
];
const SESSION = [
  {
    type: 'assistant',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 's1',
    timestamp: '2026-01-02T03:04:05.000Z',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'tool_use', id: 'c1', name: 'weigh', input: { x: '@nan' } }],
    },
  },
  {
    type: 'user',
    uuid: 'u2',
    parentUuid: 'u1',
    sessionId: 's1',
    timestamp: '2026-01-02T03:04:06.000Z',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'w' }] },
  },
];
const lines = (values: readonly object[]) => values.map((value) => bare(value)).join('\n');

describe('NaN and Infinity, which JSON has not', () => {
  test.each([
    ['one a line', lines(CHAT), 'openai-messages'],
    ['in a document', bare(CHAT, 2), 'openai-messages'],
    ['in a request', bare({ model: 'm', messages: CHAT }, 1), 'openai-messages'],
    ['in a coding agent session', lines(SESSION), 'claude-code-jsonl'],
  ])('%s cost nothing of the rest', async (_name, text, format) => {
    const found = await read(text);
    expect(found).toMatchObject({ format, malformed: 0, call: { status: 'ok' } });
    expect(found.given?.replace(/\s/g, '')).toBe('{"x":NaN}');
    // It is no JSON, and shown as the text that it is.
    expect(found.call?.arguments?.encoding).toBe('text');
    const [issue] = found.issues ?? [];
    expect(issue?.offset).toBe(text.indexOf('NaN'));
  });

  test('are kept in results, and in arguments that are JSON in a string', async () => {
    const found = await read(lines(CHAT));
    expect(found.result).toBe('[{"type":"text","text":"w","least":-Infinity}]');
    const quoted = lines(CHAT).replace('{"x":NaN}', '"{\\"x\\":NaN}"');
    expect(await read(quoted)).toMatchObject({ given: '{"x":NaN}', malformed: 0 });
  });

  test('are no token counts', async () => {
    const answer = `{"type":"message","id":"m","role":"assistant","model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":NaN,"output_tokens":3}}`;
    const main = sourceOfText(answer);
    const { importer } = chooseFormat(await makeSourceHead(main));
    const result = await importer?.read({ main, companions: [] });
    expect(result?.runs[0]?.steps[0]?.usage).toMatchObject({ inputTokens: null, outputTokens: 3 });
  });

  test('other words stay a fault of the line', async () => {
    const found = await read(lines(CHAT).replace('NaN', 'nan'));
    expect(found.malformed).toBe(1);
    expect((await read(lines(CHAT).replace('NaN', 'NaNs'))).malformed).toBe(1);
  });
});

describe('a server that writes NaN into its answer', () => {
  const call =
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mean","arguments":{"of":[]}}}';
  const answer = '{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"m":NaN}}}';
  const logged = (from: string, message: string, second: number): string =>
    `2026-03-04T05:06:0${second}.000Z [depot] [info] Message from ${from}: ${message}`;
  test.each([
    ['json-rpc-lines', `${call}\n${answer}\n`],
    [
      'json-rpc-lines',
      `{"direction":"out","message":${call}}\n{"direction":"in","message":${JSON.stringify(answer)}}\n`,
    ],
    ['claude-desktop-log', `${logged('client', call, 1)}\n${logged('server', answer, 2)}\n`],
  ])('%s holds the answer, and says that a strict client drops it', async (format, text) => {
    const found = await read(text);
    expect([found.format, found.malformed, found.call?.status]).toEqual([format, 0, 'ok']);
    expect(found.result).toBe('{"content":[],"structuredContent":{"m":NaN}}');
  });

  test('at its frame', async () => {
    const main = sourceOfText(`${call}\n${answer}\n`);
    const { importer } = chooseFormat(await makeSourceHead(main));
    const result = await importer?.read({ main, companions: [] });
    expect(result?.runs[0]?.frames.map(({ kind, remark }) => [kind, remark])).toEqual([
      ['request', null],
      ['response', expect.stringContaining('a strict client drops it')],
    ]);
    expect(result?.issues.map(({ code }) => code)).toContain('NUMBER_NOT_JSON');
  });
});
