import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from './connection.ts';
import { Session } from './session.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MOST_SESSIONS = 100;

/**
 * Serves Streamable HTTP (2025-03-26 to 2025-11-25) at /mcp on 127.0.0.1: every request is
 * answered with an event stream, so that progress comes before the result.
 */
export async function serveHttp(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    handle(request, response, hosts, sessions).catch(() => response.destroy());
  });
  const hosts = new Set<string>();
  const sessions = new Map<string, Session>();
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
  sessions: Map<string, Session>,
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
  const { id, session } = sessionOf(request.headers['mcp-session-id'], sessions);
  if (!/"method"\s*:/.test(body)) {
    // An answer to what we asked.
    await new Connection(() => undefined, session).receive(body);
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'mcp-session-id': id,
  });
  const send = (text: string) => void response.write(`event: message\ndata: ${text}\n\n`);
  const connection = new Connection(send, session);
  response.on('close', () => connection.close());
  await connection.receive(body);
  response.end();
}

/** An id that is not known any more gets a session without memory. */
function sessionOf(
  given: string | string[] | undefined,
  sessions: Map<string, Session>,
): { id: string; session: Session } {
  const id = typeof given === 'string' ? given : randomUUID();
  const session = sessions.get(id) ?? new Session();
  sessions.set(id, session);
  const [oldest] = sessions.keys();
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return { id, session };
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
