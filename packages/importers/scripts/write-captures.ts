import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  classicCapture,
  ethernet,
  ipv4,
  ipv6,
  nextGeneration,
  nullLink,
  sll2,
  type TcpSide,
  tcpSide,
  udp,
} from '../test/encode-capture.ts';
import { tnet } from '../test/encode-tnetstring.ts';
import { FIXTURES_FOLDER } from '../test/support.ts';

// Packets and netstrings have lengths and numbers in them, so their fixtures are written by this script.

const BEGAN_NS = BigInt(Date.UTC(2026, 10, 24, 6, 0)) * 1_000_000n;
const at = (ms: number): bigint => BEGAN_NS + BigInt(Math.round(ms * 1_000_000));
const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const event = (message: object): string => `event: message\ndata: ${rpc(message)}\n\n`;

const post = (body: string, session = '', path = '/mcp', host = '127.0.0.1:7411'): string =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    ...(session === '' ? [] : [`Mcp-Session-Id: ${session}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
const head = (status: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const chunk = (text: string): string => {
  const size = Buffer.byteLength(text).toString(16);
  return `${size}\r\n${text}\r\n`;
};
// Streamable HTTP over IPv4: retransmission, packets out of order, chunks, a gzip body, a request that
// gets HTTP 500, a port that is used again, and packets of other protocols.
const client = tcpSide('127.0.0.1', 50_001, 4_294_967_200);
const server = tcpSide('127.0.0.1', 7411, 9_000);
const side = (from: TcpSide, to: TcpSide, payload: string | Uint8Array, flags?: number) =>
  ethernet(ipv4(from, to, payload, flags));

const initialize = post(
  rpc({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tug' } },
  }),
);
const welcome =
  head(
    '200 OK',
    'Content-Type: text/event-stream',
    'Mcp-Session-Id: pier-7',
    'Transfer-Encoding: chunked',
  ) +
  chunk(event({ id: 0, result: { serverInfo: { name: 'harbour', version: '2.0' } } })) +
  chunk('');
const list = post(rpc({ id: 1, method: 'tools/list' }), 'pier-7');
const tools = gzipSync(
  rpc({
    id: 1,
    result: {
      tools: [
        { name: 'find_berth', description: 'Finds a berth.', inputSchema: { type: 'object' } },
      ],
    },
  }),
);
const find = post(
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_berth","arguments":{"ship":9007199254740993,"draught":1.0,"name":"Möwe ✓"},"_meta":{"progressToken":"p-2"}}}',
  'pier-7',
);
const berth = event({
  id: 2,
  result: { content: [{ type: 'text', text: `Berth 4, ${'quay '.repeat(12)}` }] },
});
const half = Math.floor(berth.length / 2);
const found = [
  head('200 OK', 'Content-Type: text/event-stream', 'Transfer-Encoding: chunked'),
  chunk(event({ method: 'notifications/progress', params: { progressToken: 'p-2', progress: 1 } })),
  `${Buffer.byteLength(berth).toString(16)}\r\n${berth.slice(0, half)}`,
  `${berth.slice(half)}\r\n0\r\n\r\n`,
];
const moor = post(
  rpc({ id: 3, method: 'tools/call', params: { name: 'moor', arguments: { berth: 4 } } }),
  'pier-7',
);
const again = tcpSide('127.0.0.1', 50_001, 77);
const serverAgain = tcpSide('127.0.0.1', 7411, 555);
const noAnswer = post(
  rpc({ id: 4, method: 'tools/call', params: { name: 'moor', arguments: { berth: 5 } } }),
  'pier-7',
);

const harbour: [number, Uint8Array][] = [
  [0, side(client, server, '', 2)],
  [0.1, side(server, client, '', 18)],
  [0.2, side(client, server, '')],
  [1, side(client, server, initialize.slice(0, 120))],
  [1.1, side(client, server, initialize.slice(120))],
];
const resent = side(server, client, welcome);
harbour.push([9.5, resent], [9.9, resent], [10, side(client, server, list)]);
harbour.push([
  14,
  side(
    server,
    client,
    Buffer.concat([
      Buffer.from(
        head(
          '200 OK',
          'content-type: application/json',
          'content-encoding: gzip',
          `content-length: ${tools.length}`,
        ),
      ),
      tools,
    ]),
  ),
]);
harbour.push([14.5, ethernet(udp('127.0.0.1', 5353, 'harbour'))]);
harbour.push([20, side(client, server, find)]);
const [started = '', progress = '', first = '', rest = ''] = found;
harbour.push([21, side(server, client, started)], [25, side(server, client, progress)]);
const early = side(server, client, first);
const late = side(server, client, rest);
harbour.push([31, late], [33.25, early]);
harbour.push([40, side(client, server, moor)]);
harbour.push([44, side(server, client, head('500 Internal Server Error', 'Content-Length: 0'))]);
harbour.push([50, side(again, serverAgain, '', 2)], [50.1, side(serverAgain, again, '', 18)]);
harbour.push([51, side(again, serverAgain, noAnswer)]);

const folder = join(FIXTURES_FOLDER, 'pcap');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'harbour.pcap'),
  classicCapture(
    1,
    harbour.map(([ms, frame]) => ({ atNs: at(ms), frame })),
  ),
);

// HTTP+SSE over IPv6, answers on a stream of their own with a hole in it; TLS; HTTP/2; a page; three
// link types; an interface that counts nanoseconds; a packet that is cut, and the end of the file.
const ask = tcpSide('::1', 50_100, 10);
const asked = tcpSide('::1', 7412, 20);
const stream = tcpSide('::1', 50_101, 30);
const streamed = tcpSide('::1', 7412, 40);
const over = (from: TcpSide, to: TcpSide, payload: string | Uint8Array, flags?: number) =>
  sll2(ipv6(from, to, payload, flags));
const message = (body: string) =>
  over(ask, asked, post(body, '', '/message?sessionId=s-9', '[::1]:7412'));
const accepted = () => over(asked, ask, head('202 Accepted', 'Content-Length: 0'));
const lostText = chunk(event({ id: 2, result: { content: [{ type: 'text', text: 'lost' }] } }));
const open = [
  over(
    stream,
    streamed,
    'GET /sse HTTP/1.1\r\nHost: [::1]:7412\r\nAccept: text/event-stream\r\n\r\n',
  ),
  over(
    streamed,
    stream,
    head('200 OK', 'Content-Type: text/event-stream', 'Transfer-Encoding: chunked') +
      chunk('event: endpoint\ndata: /message?sessionId=s-9\n\n'),
  ),
];
const asks = [
  message(rpc({ id: 1, method: 'tools/call', params: { name: 'weigh', arguments: { crate: 1 } } })),
  accepted(),
  over(
    streamed,
    stream,
    chunk(event({ id: 1, result: { content: [{ type: 'text', text: '{"kg": 1.50}' }] } })),
  ),
  message(rpc({ id: 2, method: 'tools/call', params: { name: 'weigh', arguments: { crate: 2 } } })),
  accepted(),
];
streamed.sequence += Buffer.byteLength(lostText);
const afterHole = over(
  streamed,
  stream,
  chunk(event({ id: 3, result: { content: [{ type: 'text', text: 'after the hole' }] } })),
);
const secret = tcpSide('10.0.0.2', 50_200, 1);
const secretServer = tcpSide('10.0.0.3', 443, 1);
const hidden = nullLink(ipv4(secret, secretServer, new Uint8Array([0x16, 3, 1, 0, 4, 1, 0, 0, 0])));
const newer = nullLink(
  ipv4(
    tcpSide('10.0.0.2', 50_201, 1),
    tcpSide('10.0.0.3', 80, 1),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ),
);
const page = tcpSide('10.0.0.2', 50_202, 1);
const pageServer = tcpSide('10.0.0.3', 80, 1);
const looked = [
  nullLink(ipv4(page, pageServer, 'GET /quay.html HTTP/1.1\r\nHost: quay.example\r\n\r\n')),
  nullLink(
    ipv4(
      pageServer,
      page,
      `${head('200 OK', 'Content-Type: text/html', 'Content-Length: 6')}<html>`,
    ),
  ),
];
const cutPacket = over(
  tcpSide('::1', 50_300, 1),
  tcpSide('::1', 7412, 1),
  post(rpc({ id: 9, method: 'tools/call', params: { name: 'weigh', arguments: { crate: 9 } } })),
);
const blocks = nextGeneration([
  { linkType: 276, resolution: 9 },
  { linkType: 0, resolution: 6 },
]);
let ms = 0;
for (const frame of [...open, ...asks, afterHole]) {
  ms += 1.5;
  blocks.packet(0, at(ms), frame);
}
for (const frame of [hidden, newer, ...looked]) {
  ms += 1;
  blocks.packet(1, at(ms), frame);
}
blocks.packet(0, at(ms + 1), cutPacket, cutPacket.length - 40);
blocks.simplePacket(over(ask, asked, ''));
const capture = blocks.finish();
writeFileSync(join(folder, 'quay-cut.pcapng'), capture.subarray(0, capture.length - 9));

// Flows of mitmproxy: a stream, packed bodies, a body that was streamed past, a failure, other flows.
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly content: string | Uint8Array | null;
  readonly tookMs: number;
}
const seconds = (time: number): number => Number(at(time) / 1000n) / 1_000_000;
const flow = (
  time: number,
  sent: string,
  answer: Answer | null,
  more: Record<string, unknown> = {},
): Uint8Array =>
  tnet({
    ...more,
    type: 'http',
    version: 17,
    response:
      answer === null
        ? null
        : {
            reason: Buffer.from('x'),
            status_code: answer.status,
            timestamp_end: answer.content === null ? null : seconds(time + answer.tookMs),
            timestamp_start: seconds(time + 1),
            content: answer.content === null ? null : Buffer.from(answer.content),
            headers: headersOf(answer.headers ?? {}),
          },
    request: {
      path: Buffer.from('/mcp?key=hidden'),
      authority: Buffer.from(''),
      scheme: Buffer.from('http'),
      method: Buffer.from(sent === '' ? 'GET' : 'POST'),
      port: 7413,
      host: '127.0.0.1',
      timestamp_end: seconds(time + 0.5),
      timestamp_start: seconds(time),
      content: Buffer.from(sent),
      headers: headersOf({ Host: 'ferry.example:7413', 'Mcp-Session-Id': 'f-1' }),
    },
    error: null,
    id: `f-${time}`,
    ...(more.error === undefined ? {} : { error: more.error }),
  });
function headersOf(headers: Record<string, string>): Uint8Array[][] {
  return Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
}
const json = { 'Content-Type': 'application/json' };
const call = (id: number, name: string, given: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
const text = (id: number, said: string): string =>
  rpc({ id, result: { content: [{ type: 'text', text: said }] } });
const flows = [
  flow(0, rpc({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }), {
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    content: `: ready\r\n\r\nevent: message\r\ndata: ${rpc({ id: 0, result: { serverInfo: { name: 'ferry', version: '1' } } })}\r\n\r\n`,
    tookMs: 4,
  }),
  flow(10, call(1, 'sail', '{"to":"Ærø","knots":12.50,"id":9007199254740993}'), {
    status: 200,
    headers: { ...json, 'Content-Encoding': 'br' },
    content: brotliCompressSync(text(1, 'Under way ✓')),
    tookMs: 7.5,
  }),
  flow(20, call(2, 'sail', '{"to":"Fur"}'), {
    status: 200,
    headers: { ...json, 'Content-Encoding': 'gzip' },
    content: gzipSync(text(2, 'Fog.')).subarray(0, 30),
    tookMs: 2,
  }),
  flow(30, call(3, 'dock', '{}'), { status: 200, headers: json, content: null, tookMs: 2 }),
  flow(40, call(4, 'dock', '{"pier":2}'), null, {
    error: { msg: 'server disconnected', timestamp: seconds(45) },
  }),
  flow(50, '', { status: 404, headers: {}, content: 'nothing here', tookMs: 1 }),
  tnet({ type: 'tcp', version: 17, messages: [] }),
  flow(60, call(5, 'dock', '{"pier":3}'), {
    status: 200,
    headers: { ...json, 'Content-Encoding': 'lzma' },
    content: 'packed in some way',
    tookMs: 1,
  }),
  flow(70, call(6, 'dock', '{"pier":4}'), {
    status: 200,
    headers: json,
    content: text(6, 'Docked.'),
    tookMs: 3,
  }),
];
const ferry = Buffer.concat(flows);
const flowFolder = join(FIXTURES_FOLDER, 'mitmproxy');
mkdirSync(flowFolder, { recursive: true });
writeFileSync(join(flowFolder, 'ferry.mitm'), ferry);
writeFileSync(
  join(flowFolder, 'ferry-cut.mitm'),
  Buffer.concat([...flows.slice(6, 7), ...flows.slice(0, 1), ...flows.slice(8)]).subarray(0, -25),
);
