import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText } from './support.ts';

const formatOf = async (text: string) =>
  chooseFormat(await makeSourceHead(sourceOfText(text))).importer?.id ?? null;

const long = 'parcel '.repeat(60_000);
const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index % 10]));

const session = (input: unknown) =>
  [
    {
      type: 'assistant',
      message: {
        id: 'msg_1',
        role: 'assistant',
        model: 'demo-model',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'find_parcel', input }],
      },
      uuid: 'u1',
      parentUuid: null,
      timestamp: '2026-01-05T10:00:00.000Z',
      sessionId: 's1',
    },
  ].map((record) => `${JSON.stringify(record)}\n`);
const frame = (input: unknown) => [
  `${JSON.stringify({ id: 1, params: { name: 'find_parcel', arguments: input }, method: 'tools/call', jsonrpc: '2.0' })}\n`,
];
const messages = (input: unknown) => [
  JSON.stringify([
    { role: 'user', content: 'Where is it?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'find_parcel', arguments: JSON.stringify(input) },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'at the depot' },
  ]),
];
const transcript = (input: unknown) => [
  `[2026-01-05 10:00:00] tool call: find_parcel(${JSON.stringify(input)})\n`,
  '[2026-01-05 10:00:01] tool result: at the depot\n',
];

describe.each([
  ['a session whose message comes before its id', session, 'claude-code-jsonl'],
  ['a frame', frame, 'json-rpc-lines'],
  ['a document of messages', messages, 'openai-messages'],
  ['a stamped transcript', transcript, 'plain-text'],
] as const)('%s is told', (_title, make, format) => {
  test.each([
    ['when small', { code: 'P-1' }],
    ['with 400 kB in the first line', { code: long }],
    ['with a million keys in the first line', manyKeys(1_000_000)],
  ])(
    '%s',
    async (_size, input) => {
      const text = make(input).join('');
      expect(await formatOf(text)).toBe(format);
    },
    60_000,
  );
});

test('blank lines in front are no first line', async () => {
  expect(await formatOf(`\n \r\n${session({ code: long }).join('')}`)).toBe('claude-code-jsonl');
});

test('a first line without end is looked at by its beginning only', async () => {
  const head = await makeSourceHead(sourceOfText('x'.repeat(17 * 1024 * 1024)));
  expect(head.bytes.length).toBe(262_144);
  expect(head.whole).toBe(false);
});
