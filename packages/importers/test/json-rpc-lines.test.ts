import { describe, expect, test } from 'vitest';
import { jsonRpcLines } from '../src/formats/json-rpc-lines.ts';
import type { ImportResult } from '../src/index.ts';
import { sourceOfText, stepsOf } from './support.ts';

const read = (lines: readonly string[]): Promise<ImportResult> =>
  jsonRpcLines.read({ main: sourceOfText(lines.join('\n')), companions: [] });

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"x/unheard","params":{}}';

describe('direction as recorders spell it', () => {
  test.each([
    ['"dir":"send"', 'client-to-server'],
    ['"dir":"recv"', 'server-to-client'],
    ['"direction":"out"', 'client-to-server'],
    ['"direction":"incoming"', 'server-to-client'],
    ['"direction":"client->server"', 'client-to-server'],
    ['"direction":"Server -> Client"', 'server-to-client'],
    ['"direction":"client_to_server"', 'client-to-server'],
    ['"dir":"s2c"', 'server-to-client'],
    ['"type":"→"', 'client-to-server'],
    ['"type":"response"', 'server-to-client'],
    ['"from":"client"', 'client-to-server'],
    ['"sender":"server"', 'server-to-client'],
  ])('%s', async (field, direction) => {
    const { runs, issues } = await read([`{${field},"msg":${REQUEST}}`]);
    expect(runs[0]?.frames.map((frame) => frame.direction)).toEqual([direction]);
    expect(issues).toEqual([]);
  });

  test('without one it is inferred, and said', async () => {
    const { runs, issues } = await read([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}',
      '{"jsonrpc":"2.0","id":1,"method":"roots/list"}',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}',
    ]);
    expect(runs[0]?.frames.map(({ direction, stepId }) => [direction, stepId])).toEqual([
      ['client-to-server', '0-0'],
      ['server-to-client', expect.any(String)],
      ['server-to-client', '0-0'],
      ['client-to-server', expect.any(String)],
    ]);
    expect(issues.map(({ code, message }) => [code, message.includes(' 4 frames ')])).toEqual([
      ['DIRECTION_INFERRED', true],
    ]);
    expect(runs[0]?.steps.map(({ status }) => status)).toEqual(['ok', 'ok']);
  });
});

describe('time as recorders spell it', () => {
  test.each([
    ['"ts":1796022246.9375708', 'zoned', 1_796_022_246_937_570_800n],
    ['"timestamp":1796022246937', 'zoned', 1_796_022_246_937_000_000n],
    ['"time":"2026-11-20T08:00:01.000000123Z"', 'zoned', 1_795_161_601_000_000_123n],
    ['"t":"2026-11-20 08:00:01"', 'local', 1_795_161_601_000_000_000n],
    ['"at":"1796022246937570801"', 'zoned', 1_796_022_246_937_570_801n],
    ['"t":12.5', 'monotonic', 12_500_000_000n],
    ['"t":12', 'monotonic', 12_000_000n],
    ['"ts":"later"', 'none', null],
    ['"ts":99999999999999999999999', 'none', null],
  ])('%s', async (field, clock, ns) => {
    const { runs } = await read([`{${field},"dir":"send","msg":${REQUEST}}`]);
    expect([runs[0]?.clock, runs[0]?.steps[0]?.time.startedAtNs]).toEqual([clock, ns]);
  });
});

test('every place of the message gives the same call', async () => {
  const call =
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"id":9007199254740993}}}';
  for (const key of ['message', 'msg', 'frame', 'payload', 'data', 'body', 'raw']) {
    for (const payload of [call, JSON.stringify(call)]) {
      const result = await read([`{"direction":"out","${key}":${payload}}`]);
      const [step] = stepsOf(result);
      expect([key, step?.tool, step?.callId, step?.summary]).toEqual([
        key,
        'a',
        '7',
        'id: 9007199254740993',
      ]);
    }
  }
});

test('ids pair by text, sender and session', async () => {
  const call = (id: string): string =>
    `{"dir":"send","msg":{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a"}}}`;
  const answer = (id: string): string =>
    `{"dir":"recv","msg":{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}}`;
  const start = '{"dir":"send","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}}';
  const { runs } = await read([
    start,
    call('1'),
    call('"1"'),
    answer('"1"'),
    start,
    answer('1'),
    call('1'),
    answer('1'),
    answer('1'),
  ]);
  const calls = runs[0]?.steps.filter(({ kind }) => kind === 'tool') ?? [];
  expect(calls.map(({ callId, status }) => [callId, status])).toEqual([
    ['1', 'unanswered'],
    ['"1"', 'ok'],
    ['1', 'ok'],
  ]);
  expect(runs[0]?.frames.flatMap(({ remark }) => remark ?? [])).toEqual([
    'no request has this id',
    'a second answer to this id',
  ]);
});
