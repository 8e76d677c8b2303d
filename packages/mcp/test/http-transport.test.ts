import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { HttpFrameTransport, startClock, type TapRecord } from '../src/index.ts';

async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server listening on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  try {
    await use(`http://127.0.0.1:${port}/mcp`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function open(url: string, onBody?: (exchange: number, chunk: Uint8Array) => void) {
  const records: TapRecord[] = [];
  const transport = new HttpFrameTransport({
    url,
    maxFrameBytes: 1_000_000,
    tap: (record) => records.push(record),
    clock: startClock(),
    ...(onBody === undefined ? {} : { onBody }),
  });
  const frames = () =>
    records
      .filter(({ lane }) => lane === '<')
      .map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
  return { transport, frames };
}

const ping = { jsonrpc: '2.0' as const, id: 1, method: 'ping' };

describe('HttpFrameTransport', () => {
  it('sends the headers that the protocol wants, and none that would change the bytes', async () => {
    const seen: IncomingMessage['headers'][] = [];
    await withServer(
      (request, response) => {
        seen.push(request.headers);
        response.writeHead(200, {
          'content-type': 'application/json',
          'mcp-session-id': 'shelf-9',
        });
        response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
      },
      async (url) => {
        const { transport } = open(url);
        await transport.start();
        await transport.send(ping);
        transport.setProtocolVersion('2025-06-18');
        await transport.send(ping);
        await transport.close();
      },
    );
    expect(seen[0]).toMatchObject({
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
    });
    expect(seen[0]).not.toHaveProperty('mcp-session-id');
    expect(seen[1]).toMatchObject({
      'mcp-session-id': 'shelf-9',
      'mcp-protocol-version': '2025-06-18',
    });
    // The goodbye.
    expect(seen).toHaveLength(3);
  });

  it('gives every byte of an event stream beside its frames', async () => {
    const stream = ': hi\r\n\r\nid: 1\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":1.0}\n\n';
    const body: Uint8Array[] = [];
    await withServer(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
      },
      async (url) => {
        const { transport, frames } = open(url, (_exchange, chunk) => body.push(chunk));
        await transport.start();
        await transport.send(ping);
        await transport.close();
        expect(frames()).toEqual(['{"jsonrpc":"2.0",\n"id":1,"result":1.0}']);
      },
    );
    expect(Buffer.concat(body).toString('utf8')).toBe(stream);
  });

  it('says that a body is compressed rather than showing other bytes than came', async () => {
    await withServer(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' });
        response.end(Buffer.from([1, 2, 3]));
      },
      async (url) => {
        const { transport, frames } = open(url);
        await transport.start();
        await transport.send(ping);
        await expect(transport.ended).resolves.toMatchObject({ reason: 'httpStatus' });
        await transport.close();
        expect(frames()).toEqual(['\u0001\u0002\u0003']);
      },
    );
  });
});
