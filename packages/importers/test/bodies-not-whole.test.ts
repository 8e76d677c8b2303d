import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MOST_UNPACKED_BYTES } from '../src/content-encoding.ts';
import { importerById } from '../src/index.ts';
import { classicCapture, ethernet, ipv4, tcpSide } from './encode-capture.ts';
import { tnet } from './encode-tnetstring.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { sourceOf, sourceOfText } from './support.ts';

/** Answers that came, of which a recording holds a part alone, or that can't be unpacked: no fault of the server. */

const CALL =
  '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sound","arguments":{"buoy":5}}}';
const ANSWER = '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"8 fathoms"}]}}';
const OTHER = ANSWER.replace('"id":3', '"id":4');
const CUT = 'The answer is not read whole: the end of the HTTP message was not captured.';
const DAMAGED = 'The answer is not read whole: the compressed body is cut or damaged.';

async function firstCall(format: string, main: ReturnType<typeof sourceOf>) {
  const result = await importerById(format)?.read({ main, companions: [] });
  if (result === undefined) throw new Error('no importer');
  expectAccountsAddUp(result, [main]);
  const { records, unused } = result.sources[0] ?? {};
  return { step: result.runs[0]?.steps[0], records, unused };
}

async function readAnswers(head: string, body: Uint8Array | string) {
  const request = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:9\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`;
  const answer = Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${head}\r\n\r\n`),
    Buffer.from(body),
  ]);
  const next = `HTTP/1.1 200 OK\r\nContent-Length: ${OTHER.length}\r\n\r\n${OTHER}`;
  const asked = tcpSide('127.0.0.1', 5000, 1);
  const sent = Buffer.from(request);
  const frames = [
    ipv4(asked, tcpSide('127.0.0.1', 9, 0), sent),
    ipv4(tcpSide('127.0.0.1', 9, 1), asked, answer),
    ipv4(tcpSide('127.0.0.1', 9, 1 + answer.length), asked, Buffer.from(next)),
  ].map((packet, index) => ({ atNs: BigInt(index + 1) * 1_000_000n, frame: ethernet(packet) }));
  return firstCall('pcap', sourceOf('any.pcap', classicCapture(1, frames)));
}

function damagedGzip(): Buffer {
  const packed = gzipSync(ANSWER);
  packed.fill(0x55, 14, 30);
  return packed;
}

test.each([
  ['whose size is more than was captured', 'Content-Length: 5000', ANSWER, CUT],
  [
    'whose size is no number',
    'Content-Length: -7',
    ANSWER,
    'The answer is not read whole: its Content-Length is no number, so that its end is not known.',
  ],
  [
    'with a chunk that is longer than what was captured',
    'Transfer-Encoding: chunked',
    `fffffffff\r\n${ANSWER}\r\n`,
    CUT,
  ],
  [
    'whose packed bytes are damaged',
    `Content-Encoding: gzip\r\nContent-Length: ${damagedGzip().length}`,
    damagedGzip(),
    DAMAGED,
  ],
])('of a capture, one %s is unknown', async (_what, head, body, reason) => {
  const { step } = await readAnswers(head, body);
  expect(step).toMatchObject({ name: 'sound', status: 'unknown', statusReason: reason });
  expect(['elided', 'notCaptured']).toContain(step?.result?.state);
});

test('of a capture, what is missing is counted where the head says the size', async () => {
  const { step } = await readAnswers('Content-Length: 5000', ANSWER);
  const here = step?.result?.inlineText?.length ?? 0;
  expect(step?.result?.elisions).toMatchObject([{ kind: 'bytes', count: 5000 - here }]);
});

test('a size that two headers state alike is read', async () => {
  const size = `Content-Length: ${ANSWER.length}`;
  const { step } = await readAnswers(`${size}\r\n${size}`, ANSWER);
  expect(step).toMatchObject({ name: 'sound', status: 'ok' });
});

test('a flow that unpacks to more than is read is unknown, with its size', async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const more = 1_000_000;
  const whole = ANSWER.replace('8 fathoms', '8'.repeat(MOST_UNPACKED_BYTES + more));
  const flow = tnet({
    version: 21,
    type: 'http',
    request: { method: bytes('POST'), path: bytes('/mcp'), headers: [], content: bytes(CALL) },
    response: {
      status_code: 200,
      headers: [[bytes('Content-Encoding'), bytes('gzip')]],
      content: gzipSync(whole),
    },
  });
  const { step } = await firstCall('mitmproxy', sourceOf('any.mitm', flow));
  expect(step).toMatchObject({
    status: 'unknown',
    statusReason: 'The answer is not read whole: the body unpacks to more than 64 MiB.',
    result: { state: 'elided' },
  });
  const here = step?.result?.inlineText?.length ?? 0;
  expect(step?.result?.elisions).toMatchObject([{ kind: 'bytes', count: whole.length - here }]);
});

async function readHar(content: object, headers: readonly object[] = []) {
  const entry = {
    startedDateTime: '2026-06-01T07:00:00.000Z',
    time: 20,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/mcp',
      headers: [],
      postData: { text: CALL },
    },
    response: { status: 200, headers, content: { mimeType: 'application/json', ...content } },
  };
  const entries = [entry, 'none', null, 5, {}, { request: null }];
  return firstCall(
    'har',
    sourceOfText(JSON.stringify({ log: { version: '1.2', creator: {}, entries } })),
  );
}

const PACKED = [{ name: 'Content-Encoding', value: 'gzip' }];
const UNREADABLE = "The HAR holds a body of the answer that can't be decoded:";

test.each([
  ['that is no base64', '!!no base64', [], `${UNREADABLE} it is marked as base64 and is none.`],
  [
    'that is no text',
    gzipSync(ANSWER).toString('base64'),
    [],
    `${UNREADABLE} its bytes are no UTF-8.`,
  ],
  [
    'that is packed in another way',
    gzipSync(ANSWER).toString('base64'),
    [{ name: 'Content-Encoding', value: 'compress' }],
    `${UNREADABLE} it is packed as compress, which is not read.`,
  ],
])('of a HAR, a body %s is there, and not decoded', async (_what, text, headers, reason) => {
  const { step } = await readHar({ encoding: 'base64', text }, headers);
  expect(step).toMatchObject({
    status: 'unanswered',
    statusReason: reason,
    result: { state: 'notCaptured' },
  });
});

test('of a HAR, a packed body that is cut is unknown', async () => {
  const text = gzipSync(ANSWER).subarray(0, 60).toString('base64');
  const { step } = await readHar({ encoding: 'base64', text }, PACKED);
  expect(step).toMatchObject({ status: 'unknown', statusReason: DAMAGED });
});

test('of a HAR, JSON that goes on by its size is no other answer, however long', async () => {
  const text = ANSWER.replace('8 fathoms', '8'.repeat(1_200_000)).slice(0, -10);
  const { step } = await readHar({ text, size: text.length + 10 });
  expect(step).toMatchObject({ status: 'unknown', result: { elisions: [{ count: 10 }] } });
});

test('of a HAR, what is no entry is malformed', async () => {
  const { records, unused } = await readHar({ text: ANSWER });
  expect(records).toMatchObject({ total: 6, understood: 1, setAside: 0, malformed: 5 });
  expect(new Set(unused?.map(({ reason }) => reason))).toEqual(
    new Set(['no entry: it holds no request']),
  );
});
