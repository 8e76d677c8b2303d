import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from './connection.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Serves Streamable HTTP (2025-03-26 to 2025-11-25) at /mcp on 127.0.0.1: every request is
 * answered with an event stream, so that progress comes before the result.
 */
export async function serveHttp(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    handle(request, response, hosts).catch(() => response.destroy());
  });
  const hosts = new Set<string>();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // A listening TCP server has an address object, never a pipe name.
  const address = server.address() as AddressInfo;
  hosts.add(`127.0.0.1:${address.port}`).add(`localhost:${address.port}`);
  return { server, url: `http://127.0.0.1:${address.port}/mcp` };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: ReadonlySet<string>,
): Promise<void> {
  const origin = request.headers.origin;
  if (
    !hosts.has(request.headers.host ?? '') ||
    (origin !== undefined && !hosts.has(new URL(origin).host))
  ) {
    response.writeHead(403).end();
    return;
  }
  if (request.url !== '/mcp') {
    response.writeHead(404).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 200 : 405, { allow: 'POST, DELETE' }).end();
    return;
  }
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413).end();
    return;
  }
  if (!/"id"\s*:/.test(body)) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'mcp-session-id': request.headers['mcp-session-id'] ?? randomUUID(),
  });
  const connection = new Connection((text) => response.write(`event: message\ndata: ${text}\n\n`));
  response.on('close', () => connection.close());
  await connection.receive(body);
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Without an encoding set, an incoming message gives buffers.
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
