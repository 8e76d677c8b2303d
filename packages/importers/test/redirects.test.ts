import { describe, expect, test } from 'vitest';
import { chooseFormat, importerById, makeSourceHead } from '../src/index.ts';
import { classicCapture, ethernet, ipv4, tcpSide } from './encode-capture.ts';
import { tnet } from './encode-tnetstring.ts';
import { expectAccountsAddUp, readValue } from './invariants.ts';
import { sourceOf, sourceOfText } from './support.ts';

/** Requests that a client sent again, as they were, because the answer named another address. */

const CALL =
  '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"moor","arguments":{"berth":7}}}';
const ANSWER = '{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"moored"}]}}';
const FIRST = 'http://127.0.0.1:9/mcp';
const SECOND = 'http://127.0.0.1:9/mcp/';

async function read(main: ReturnType<typeof sourceOf>) {
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  if (result === undefined) throw new Error('no format');
  expectAccountsAddUp(result, [main]);
  const steps = result.runs.flatMap((run) => run.steps);
  const values = await Promise.all(
    steps.map(({ result: value }) => (value === null ? null : readValue(value, [main]))),
  );
  return {
    format: importer?.id,
    calls: steps.map(({ name, status }, index) => [name, status, values[index]]),
    remarks: result.runs.flatMap((run) => run.frames.map(({ kind, remark }) => [kind, remark])),
    frames: result.runs.flatMap((run) => run.frames),
    codes: result.issues.map(({ code }) => code),
    records: result.sources[0]?.records,
    steps,
  };
}

const MOORED = ['moor', 'ok', '{"content":[{"type":"text","text":"moored"}]}'];
const LED = `HTTP status 307; sent again to ${SECOND}`;

describe('curl', () => {
  const moved = 'HTTP/1.1 307 Temporary Redirect\ncontent-length: 0\nlocation: /mcp/\n';
  const ok = `HTTP/1.1 200 OK\ncontent-type: application/json\n\n${ANSWER}\n`;

  test.each([
    ['-iL', `$ curl -iL ${FIRST} -d '${CALL}'\n${moved}\n${ok}`],
    ['-iL, from a file', `$ curl -iL ${FIRST} -d @moor.json\n${moved}\n${ok}`],
    [
      '-vL',
      `$ curl -vL ${FIRST} -d '${CALL}'\n> POST /mcp HTTP/1.1\n> Host: 127.0.0.1:9\n> \n${moved.replace(/^/gm, '< ')}\n* Ignoring the response-body\n* Issue another request to this URL: '${SECOND}'\n> POST /mcp/ HTTP/1.1\n> Host: 127.0.0.1:9\n> \n${ok}`,
    ],
    [
      '--digest',
      `$ curl --digest -u a:b -i ${FIRST} -d '${CALL}'\nHTTP/1.1 401 Unauthorized\nWWW-Authenticate: Digest realm="quay"\n\n${ok}`,
    ],
  ])('%s is one call', async (flags, text) => {
    const { format, calls, remarks, records } = await read(sourceOfText(text));
    expect(format).toBe('http-text');
    const isHidden = flags.includes('file');
    expect(calls).toEqual([isHidden ? ['(call not in the source)', ...MOORED.slice(1)] : MOORED]);
    const said = flags === '--digest' ? 'HTTP status 401; sent again to the same address' : LED;
    const led = said.replace(SECOND, flags.startsWith('-') ? SECOND : '/mcp/');
    expect(remarks[0]?.[1]?.replace('to /mcp/', `to ${SECOND}`)).toBe(led);
    expect(records).toMatchObject({ understood: 1, notUnderstood: 0, malformed: 0 });
  });

  test('a redirect that nobody followed stays the answer', async () => {
    const command = `$ curl -i ${FIRST} -d '${CALL}'\n`;
    const { calls } = await read(sourceOfText(`${command}${moved}\n${command}${ok}`));
    expect(calls.map(([, status]) => status)).toEqual(['unanswered', 'ok']);
  });
});

interface Exchange {
  readonly url: string;
  readonly status: number;
  readonly sent?: string;
  readonly text?: string;
  readonly location?: string;
}

function har(exchanges: readonly Exchange[]) {
  const entries = exchanges.map(({ url, status, sent = CALL, text = '', location }, index) => ({
    startedDateTime: `2026-06-01T07:00:0${index}.000Z`,
    time: 20,
    request: { method: 'POST', url, headers: [], postData: { text: sent } },
    response: {
      status,
      headers: location === undefined ? [] : [{ name: 'Location', value: location }],
      content: { mimeType: 'application/json', text },
    },
  }));
  return sourceOfText(JSON.stringify({ log: { version: '1.2', entries } }));
}

const MOVED: Exchange = { url: FIRST, status: 307, location: '/mcp/' };
const DONE: Exchange = { url: SECOND, status: 200, text: ANSWER };

describe('a HAR', () => {
  test('tells a call that was redirected once', async () => {
    const { calls, remarks, codes, steps, frames, records } = await read(har([MOVED, DONE]));
    expect(calls).toEqual([MOORED]);
    expect(remarks).toEqual([
      ['request', 'HTTP status 307; sent again to /mcp/'],
      ['request', null],
      ['response', null],
    ]);
    expect(new Set(frames.map(({ stepId }) => stepId))).toEqual(new Set([steps[0]?.id]));
    expect(codes).toEqual(['REDIRECT_FOLLOWED']);
    expect(records).toMatchObject({ total: 2, understood: 2 });
  });

  test('follows it further, and says what the last answer is', async () => {
    const third = 'http://127.0.0.1:9/v2/mcp';
    const { calls } = await read(
      har([
        MOVED,
        { url: SECOND, status: 308, location: third },
        { url: third, status: 503, text: 'full' },
      ]),
    );
    expect(calls).toEqual([['moor', 'protocolError', 'full']]);
  });

  test.each([
    ['to another address', { ...DONE, url: 'http://127.0.0.1:9/other' }],
    ['with another body', { ...DONE, sent: CALL.replace('7', '8') }],
  ])('a request that was sent %s is another call', async (_what, next) => {
    const { calls, codes } = await read(har([MOVED, next]));
    expect(calls.length).toBe(2);
    expect(codes).toEqual([]);
  });

  test('asks a model once', async () => {
    const sent = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Moor it' }] });
    const choice = { index: 0, message: { role: 'assistant', content: 'Done' } };
    const text = JSON.stringify({ object: 'chat.completion', model: 'm', choices: [choice] });
    const { steps, codes } = await read(
      har([
        { ...MOVED, sent },
        { ...DONE, sent, text },
      ]),
    );
    expect(steps.filter(({ kind }) => kind === 'model').length).toBe(1);
    expect(codes).toEqual(['REDIRECT_FOLLOWED']);
  });
});

test('mitmproxy flows of a redirect are one call', async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const flow = (path: string, status: number, location: string | null, content: string) =>
    tnet({
      version: 21,
      type: 'http',
      request: {
        method: bytes('POST'),
        scheme: bytes('http'),
        authority: bytes(''),
        path: bytes(path),
        host: '127.0.0.1',
        port: 9,
        headers: [],
        content: bytes(CALL),
      },
      response: {
        status_code: status,
        headers: location === null ? [] : [[bytes('Location'), bytes(location)]],
        content: bytes(content),
      },
    });
  const flows = [flow('/mcp', 307, SECOND, ''), flow('/mcp/', 200, null, ANSWER)];
  const { format, calls, remarks } = await read(sourceOf('run.mitm', Buffer.concat(flows)));
  expect(format).toBe('mitmproxy');
  expect(calls).toEqual([MOORED]);
  expect(remarks[0]).toEqual(['request', LED]);
});

test('packets of a redirect are one call', async () => {
  const [client, server] = [5000, 9].map((port) => tcpSide('127.0.0.1', port, 1));
  if (client === undefined || server === undefined) throw new Error('no side');
  const request = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:9\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`;
  const moved = `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${SECOND}\r\nContent-Length: 0\r\n\r\n`;
  const done = `HTTP/1.1 200 OK\r\nContent-Length: ${ANSWER.length}\r\n\r\n${ANSWER}`;
  const next = { client: 1 + request('/mcp').length, server: 1 + moved.length };
  const packets = [
    ipv4(client, server, Buffer.from(request('/mcp'))),
    ipv4(server, client, Buffer.from(moved)),
    ipv4(tcpSide('127.0.0.1', 5000, next.client), server, Buffer.from(request('/mcp/'))),
    ipv4(tcpSide('127.0.0.1', 9, next.server), client, Buffer.from(done)),
  ].map((packet, index) => ({ atNs: BigInt(index + 1) * 1_000_000n, frame: ethernet(packet) }));
  const whole = await read(sourceOf('any.pcap', classicCapture(1, packets)));
  expect(whole.calls).toEqual([MOORED]);
  expect(whole.remarks[0]).toEqual(['request', LED]);
  expect(whole.records).toMatchObject({ total: 4, understood: 4 });
  expect(whole.steps[0]?.time).toMatchObject({ startedAtNs: 1_000_000n, endedAtNs: 4_000_000n });
});

test('a redirect in a claude-trace log is set aside for the request that followed', async () => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Moor it' }] };
  const answer = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Done' }] };
  const pair = (at: number, status: number, said: object | null) => ({
    request: { timestamp: at, method: 'POST', url: 'http://127.0.0.1:9/v1/messages', body },
    response: { timestamp: at + 1, status_code: status, body: said },
    logged_at: '2026-06-01T07:00:00.000Z',
  });
  const log = [pair(1e9, 307, null), pair(1e9 + 2, 200, answer)];
  const main = sourceOfText(log.map((each) => JSON.stringify(each)).join('\n'));
  const result = await importerById('claude-trace')?.read({ main, companions: [] });
  const models = result?.runs.flatMap((run) => run.steps).filter(({ kind }) => kind === 'model');
  expect(models?.length).toBe(1);
  expect(result?.sources[0]?.records).toMatchObject({ understood: 1, setAside: 1 });
});
