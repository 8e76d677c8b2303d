import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommand } from '../src/formats/http-text/curl-command.ts';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { expectAccountsAddUp, readValue } from './invariants.ts';
import { FIXTURES_FOLDER, sourceOfText } from './support.ts';

async function read(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  if (result === undefined) throw new Error('no format');
  expectAccountsAddUp(result, [main]);
  const steps = [];
  for (const { name, status, statusReason, result: value } of result.runs.flatMap(
    (run) => run.steps,
  )) {
    steps.push([name, status, statusReason, value && (await readValue(value, [main]))]);
  }
  return { format: importer?.id, steps, result, codes: result.issues.map(({ code }) => code) };
}

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"12 kg"}]}}';
const head = (status: string, type = 'application/json'): string =>
  `HTTP/1.1 ${status}\ncontent-type: ${type}\n\n`;

describe('what curl -i prints without the command', () => {
  test('is a call whose arguments are not known', async () => {
    const { format, steps, codes } = await read(`${head('200 OK')}${ANSWER}\n`);
    expect(format).toBe('http-text');
    const result = '{"content":[{"type":"text","text":"12 kg"}]}';
    expect(steps).toEqual([['(call not in the source)', 'ok', null, result]]);
    expect(codes).toEqual(['REQUEST_NOT_SHOWN']);
  });

  test('shows a status and its body, where there is no answer', async () => {
    const { steps } = await read(`${head('503 Service Unavailable')}{"error":"not ready"}\n`);
    expect(steps).toEqual([
      ['HTTP request', 'protocolError', 'HTTP status 503: not ready', '{"error":"not ready"}'],
    ]);
  });

  test('is a stream with its events, also one that was cut', async () => {
    const events = `data: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: ${ANSWER.slice(0, 50)}`;
    const { steps, codes } = await read(`${head('200 OK', 'text/event-stream')}${events}`);
    expect(steps.map(([name]) => name)).toEqual(['notifications/message']);
    expect(codes).toContain('EVENT_CUT');
  });

  test('is a stream whose empty lines were lost', async () => {
    const notice = '{"jsonrpc":"2.0","method":"notifications/message"}';
    const events = `event: message\ndata: ${notice}\nevent: message\ndata: ${ANSWER}\n`;
    const { steps } = await read(`${head('200 OK', 'text/event-stream')}${events}`);
    expect(steps.map(([name]) => name)).toEqual([
      'notifications/message',
      '(call not in the source)',
    ]);
  });

  test('may be what a model answered', async () => {
    const answer = {
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
    };
    const { result } = await read(`${head('200 OK')}${JSON.stringify(answer, null, 2)}\n`);
    expect(result.runs[0]?.steps).toMatchObject([{ kind: 'model', summary: 'Hello' }]);
  });
});

test('a body in quotes with escapes, as browsers copy it, is the request', async () => {
  const call = String.raw`$'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weigh","arguments":{"of":"Ida\'s"}}}'`;
  const text = `$ curl -v http://127.0.0.1:9/mcp --data-raw ${call}\n* Connected\n> POST /mcp HTTP/1.1\n> \n${head('200 OK')}${ANSWER}\n`;
  const { steps, codes, result } = await read(text);
  expect(steps.map(([name, status]) => [name, status])).toEqual([['weigh', 'ok']]);
  expect(codes).toEqual([]);
  expect(result.sources[0]?.records).toMatchObject({ understood: 1, setAside: 1 });
});

describe('a request that curl takes from elsewhere', () => {
  const shown = [
    '(call not in the source)',
    'ok',
    null,
    ANSWER.slice(ANSWER.indexOf('{"content'), -1),
  ];

  test.each([
    '-d @call.json',
    '--json "$(cat call.json)"',
    '--data-binary "$CALL"',
    '-d \'{"jsonrpc":"2.0","id":1,"method":"tools/\'',
  ])('is a call that is not shown: %s', async (data) => {
    const { format, steps, codes } = await read(
      `$ curl -i http://127.0.0.1:9/mcp ${data}\n${head('200 OK')}${ANSWER}\n`,
    );
    expect(format).toBe('http-text');
    expect(steps).toEqual([shown]);
    expect(codes).toEqual(['REQUEST_NOT_SHOWN']);
  });

  test('also where the answer has no header', async () => {
    const command = '$ curl -i http://127.0.0.1:9/mcp -d @call.json';
    const text = `${command}\nHTTP/1.1 200 OK\n\n${ANSWER}\n${command}\nHTTP/2 200\n\ndata: ${ANSWER}\n`;
    const { format, steps, result } = await read(text);
    expect(format).toBe('http-text');
    expect(steps).toEqual([shown, shown]);
    expect(result.sources[0]?.records).toMatchObject({ understood: 2, malformed: 0 });
  });

  test('JSON that is no JSON-RPC is shown as what was sent', async () => {
    const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no request"}}';
    const { steps, result, codes } = await read(
      `$ curl -i http://127.0.0.1:9/mcp -d '{"name":"weigh"}'\n${head('200 OK')}${refusal}\n`,
    );
    expect(steps.map(([name, status]) => [name, status])).toEqual([
      ['(no JSON-RPC request)', 'protocolError'],
    ]);
    expect(result.runs[0]?.steps[0]?.arguments?.origin).toMatchObject({ length: 16 });
    expect(codes).toEqual([]);
  });
});

test('words before and behind are no part of it, and are listed', async () => {
  const text = `It says:\n\n$ curl -i http://127.0.0.1:9/mcp -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weigh"}}'\n${head('200 OK')}${ANSWER}\n\nWhy only 12?\n`;
  const { format, steps, result } = await read(text);
  expect(format).toBe('http-text');
  expect(steps.map(([name, status]) => [name, status])).toEqual([['weigh', 'ok']]);
  expect(result.sources[0]?.unused.map(({ reason }) => reason)).toEqual([
    'text that is no HTTP',
    'text that is no HTTP',
  ]);
});

test('a text that only speaks of HTTP is text', async () => {
  const { format } = await read('The proxy said\nHTTP/1.1 502 Bad Gateway\nand I gave up.\n');
  expect(format).toBe('plain-text');
});

test.each([
  ['curl http://a.example -d \'{"a": 1}\'', '{"a": 1}', true],
  ['curl http://a.example --data-raw="{}"', '{}', false],
  ["curl -d'{}' http://a.example", '{}', false],
  ['curl http://a.example --json "{\\"a\\":\\"\\\\n\\"}"', '{"a":"\\n"}', false],
  ["curl http://a.example -d '{\"a\":'\\''b'\\''}'", '{"a":\'b\'}', false],
  ['curl http://a.example --data-raw $\'{"a":"it\\\'s\\u0021\\\\n"}\'', '{"a":"it\'s!\\n"}', false],
  ['curl -sS \\\n  http://a.example \\\n  -d {}', '{}', true],
  ['curl http://a.example -H "X: -d"', null, false],
])('the body of %s', (command, body, isInPlace) => {
  const read = readCommand(command);
  expect([read.url, read.body]).toEqual(['http://a.example', body]);
  if (isInPlace && body !== null && read.bodyAt !== null) {
    expect(command.slice(read.bodyAt, read.bodyAt + body.length)).toBe(body);
  }
  if (isInPlace) expect(read.bodyAt).not.toBeNull();
});

test('a multipart body that lost its carriage returns is the same runs', async () => {
  const text = readFileSync(join(FIXTURES_FOLDER, 'langsmith/multipart.txt'), 'utf8');
  expect(text).toContain('\r\n');
  const whole = await read(text);
  const edited = await read(text.replaceAll('\r\n', '\n'));
  expect(edited.format).toBe('langsmith');
  expect(edited.steps).toEqual(whole.steps);
  expect(edited.result.sources[0]?.records).toEqual(whole.result.sources[0]?.records);
});
