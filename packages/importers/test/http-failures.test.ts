import { describe, expect, test } from 'vitest';
import { pcap } from '../src/formats/pcap.ts';
import { importerById } from '../src/index.ts';
import { classicCapture, ethernet, ipv4, tcpSide } from './encode-capture.ts';
import { expectAccountsAddUp, readValue } from './invariants.ts';
import { sourceOf, sourceOfText } from './support.ts';

/** What a caller of MCP or of a model got over HTTP in place of an answer, or of a part of one. */

const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weigh","arguments":{"crate":1}}}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"12 kg ✓"}]}}';
const NOTICE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"weighing"}}';
const ASKED = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Weigh it' }] });

async function readHar(sent: string, status: number, text: string, more: object = {}) {
  const mimeType = /^(data|event):/.test(text) ? 'text/event-stream' : 'application/json';
  const entry = {
    startedDateTime: '2026-06-01T07:00:00.000Z',
    time: 20,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/mcp',
      headers: [],
      postData: { mimeType: 'application/json', text: sent },
    },
    response: { status, headers: [], content: { mimeType, text, ...more } },
  };
  const main = sourceOfText(JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
  const result = await importerById('har')?.read({ main, companions: [] });
  if (result === undefined) throw new Error('no importer');
  expectAccountsAddUp(result, [main]);
  const steps = result.runs.flatMap((run) => run.steps);
  const last = steps.at(-1);
  const value = last?.result == null ? null : await readValue(last.result, [main]);
  return { main, result, last, value };
}

describe('a call of MCP that HTTP did not answer', () => {
  test.each([
    ['text', 503, 'upstream connect error\nreset', 'HTTP status 503: upstream connect error reset'],
    ['JSON of another kind', 500, '{"error":"no scale"}', 'HTTP status 500: no scale'],
    ['a message in JSON', 500, '{"error":{"message":"no"}}', 'HTTP status 500: no'],
    [
      'an error without an id',
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No session"}}',
      'HTTP status 400: No session',
    ],
    [
      'a page',
      200,
      '<html>Sign in</html>',
      'HTTP status 200 without JSON-RPC: <html>Sign in</html>',
    ],
    ['nothing', 502, '', 'HTTP status 502'],
  ])('shows %s', async (_name, status, text, reason) => {
    const { last, value } = await readHar(CALL, status, text);
    expect(last).toMatchObject({ status: 'protocolError', statusReason: reason });
    expect(value).toBe(text === '' ? null : text);
  });

  test('is elided where the archive cut the body', async () => {
    const { last } = await readHar(CALL, 500, 'Traceback', { size: 1009 });
    expect(last?.result).toMatchObject({ state: 'elided', elisions: [{ count: 1000 }] });
  });
});

describe('a request to a model that HTTP did not answer', () => {
  test('shows what came', async () => {
    const { last } = await readHar(ASKED, 503, 'upstream connect error');
    expect(last).toMatchObject({
      status: 'unanswered',
      statusReason: 'HTTP status 503: upstream connect error',
    });
  });

  test('but an error as a stream', async () => {
    const error = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    const { last } = await readHar(ASKED, 200, `event: error\ndata: ${error}\n\n`);
    expect(last).toMatchObject({ status: 'error', statusReason: 'Overloaded' });
  });
});

describe('an event that was cut inside its line', () => {
  const half = ANSWER.slice(0, 60);

  test('is told with its bytes, and the call has what there is of it', async () => {
    const text = `event: message\ndata: ${NOTICE}\n\nevent: message\ndata: ${half}`;
    const { main, result } = await readHar(CALL, 200, text);
    expect(result.sources[0]?.records).toMatchObject({ understood: 1, malformed: 1 });
    const [malformed] = result.sources[0]?.unused ?? [];
    const { offset = 0, length = 0 } = malformed ?? {};
    const bytes = await main.read(offset, length);
    expect(new TextDecoder().decode(bytes)).toBe(JSON.stringify(half).slice(1, -1));
    expect(result.issues.map(({ code }) => code)).toEqual(['EVENT_CUT']);
    expect(result.runs[0]?.frames.map(({ method }) => method)).toEqual([
      'tools/call',
      'notifications/message',
    ]);
    const tool = result.runs[0]?.steps.find(({ kind }) => kind === 'tool');
    expect(tool).toMatchObject({ status: 'unknown', result: { state: 'elided' } });
    expect(tool?.result?.inlineText).toBe(half);
  });

  test('is no answer where it is a notification', async () => {
    const { last } = await readHar(CALL, 200, `data: ${NOTICE.slice(0, 50)}`);
    expect(last).toMatchObject({ status: 'unanswered', result: null });
  });

  test('the events around it stay, and a stream of a model is not told as whole', async () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: finish }],
      })}`;
    const events = [chunk({ content: 'one' }), chunk({ content: ' two' }), chunk({}, 'stop')];
    const [first = '', second = '', end = ''] = events;
    const middle = [first, second.slice(0, 50), end, 'data: [DONE]'].join('\n\n');
    const read = await readHar(ASKED, 200, middle);
    expect(read.last?.statusReason).toMatch(/^A part of the stream/);
    expect(read.result.issues.map(({ code }) => code)).toEqual(['EVENT_CUT', 'STREAM_BROKE_OFF']);
    const cut = await readHar(ASKED, 200, [first, second.slice(0, 50)].join('\n\n'));
    expect(cut.last?.statusReason).toMatch(/^The stream breaks off/);
    expect(cut.last?.content[0]?.value).toMatchObject({ state: 'elided', inlineText: 'one' });
  });

  test('by a packet that is missing from a capture', async () => {
    const request = Buffer.from(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:9\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
    );
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n';
    const answer = Buffer.from(`${head}data: ${ANSWER}\n\ndata: ${NOTICE}\n\n`);
    const lostAt = answer.indexOf('12 kg');
    const send = (bytes: Buffer, port: number, sequence: number): Uint8Array => {
      const to = tcpSide('127.0.0.1', port === 9 ? 5000 : 9, 0);
      return ethernet(ipv4(tcpSide('127.0.0.1', port, sequence), to, bytes));
    };
    const packets = [
      send(request, 5000, 1),
      send(answer.subarray(0, lostAt), 9, 1),
      send(answer.subarray(lostAt + 10), 9, lostAt + 11),
    ].map((frame, index) => ({ atNs: BigInt(index + 1) * 1_000_000n, frame }));
    const main = sourceOf('any.pcap', classicCapture(1, packets));
    const result = await pcap.read({ main, companions: [] });
    expectAccountsAddUp(result, [main]);
    const [tool, notice] = result.runs[0]?.steps ?? [];
    expect([tool?.status, notice?.name]).toEqual(['unknown', 'notifications/message']);
    const value = tool?.result == null ? null : await readValue(tool.result, [main]);
    expect(value).toBe(ANSWER.slice(0, ANSWER.indexOf('12 kg')));
    expect(tool?.result).toMatchObject({ state: 'elided', encoding: 'text' });
  });
});
