import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ListenOptions, serve } from '../src/listen.ts';
import { SECURITY_HEADERS } from '../src/security/response-headers.ts';
import { openTestServices, until } from './support.ts';

async function listen(options: ListenOptions = {}) {
  const services = await openTestServices();
  const server = await serve(services, { port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Sends bytes and gives all that comes back until the connection ends. */
function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.write(text);
  });
}
const statusOf = (answer: string) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];

/** Addresses that listen on a port, as Linux tells them; null where it doesn't. */
function listenersOn(port: number): string[] | null {
  try {
    return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter(
          ([, local = '', , state]) =>
            state === '0A' &&
            local.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`),
        )
        .map(([, local = '']) => local.split(':')[0] ?? ''),
    );
  } catch {
    return null;
  }
}

describe('the listening server', () => {
  test('is on 127.0.0.1 and nowhere else, and passes over a busy port', async (context) => {
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void busy.close());
    const address = busy.address();
    const taken = address !== null && typeof address === 'object' ? address.port : 0;
    const server = await listen({ port: taken });
    expect(server.port).toBeGreaterThan(taken);
    expect(server.address).toBe(`http://127.0.0.1:${server.port}/?token=${server.token}`);
    expect(Buffer.from(server.token, 'base64url')).toHaveLength(32);
    const listeners = listenersOn(server.port);
    if (listeners === null) context.skip('only Linux tells which addresses are listened on');
    expect(listeners).toEqual(['0100007F']);
  });

  test('lets its own page in, and nobody who names another host, two hosts or none', async () => {
    const { port, token } = await listen();
    const authorization = `Authorization: Bearer ${token}\r\n`;
    const ask = (head: string) =>
      send(port, `${head}\r\n${authorization}Connection: close\r\n\r\n`);
    const own = `Host: 127.0.0.1:${port}`;
    expect(statusOf(await ask(`GET /api/status HTTP/1.1\r\n${own}`))).toBe('200');
    expect(statusOf(await ask(`GET /api/status HTTP/1.1\r\nHost: localhost:${port}`))).toBe('200');
    for (const head of [
      'GET /api/status HTTP/1.1\r\nHost: evil.example',
      `GET /api/status HTTP/1.1\r\nHost: 0.0.0.0:${port}`,
      `GET /api/status HTTP/1.1\r\nHost: localhost.evil:${port}`,
      `GET /api/status HTTP/1.1\r\n${own}\r\nHost: evil.example`,
      `GET /api/status HTTP/1.1\r\nHost: evil.example\r\n${own}`,
      `GET http://evil.example/api/status HTTP/1.1\r\n${own}`,
      'GET /api/status HTTP/1.1',
      'GET /api/status HTTP/1.0',
      'OPTIONS * HTTP/1.1\r\nHost: evil.example',
      `PROPFIND /api/status HTTP/1.1\r\nHost: evil.example:${port}`,
    ]) {
      const answer = await ask(head);
      expect([head, ['400', '403'].includes(statusOf(answer) ?? '')]).toEqual([head, true]);
      expect(answer).not.toContain('dataFolder');
    }
    const noToken = await send(
      port,
      `GET /api/status HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(noToken)).toBe('401');
    const unknownMethod = await send(
      port,
      `PROPFIND / HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(unknownMethod)).toBe('401');
  });

  test('answers what no parser can read like every other error', async () => {
    const { port } = await listen();
    for (const text of [
      'rubbish\r\n\r\n',
      'GET /api/status HTTP/1.1\r\nConnection: close\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const answer = await send(port, text);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(statusOf(answer)).toMatch(/^4\d\d$/);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        expect(head.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase());
      }
      expect(JSON.parse(body)).toEqual({
        error: {
          code: expect.stringMatching(/^(REQUEST_INVALID|HOST_REFUSED)$/),
          message: expect.any(String),
          hint: expect.any(String),
          details: expect.any(Object),
        },
      });
    }
  });

  test('ends connections whose headers or JSON body never come', async () => {
    const { port, token } = await listen({
      limits: {
        headersTimeoutMs: 200,
        connectionsCheckMs: 50,
        jsonBodyTimeoutMs: 200,
        uploadIdleTimeoutMs: 200,
      },
    });
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    const slowHeaders = await send(port, `GET /api/status HTTP/1.1\r\n${head}`);
    expect(slowHeaders).not.toContain('dataFolder');
    const json = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n';
    const slowBody = await send(port, `POST /api/imports HTTP/1.1\r\n${head}${json}{"name":`);
    expect(statusOf(slowBody)).not.toBe('200');
  });

  test('keeps an upload that goes on, and ends one that stands still', async () => {
    const { port, token, app } = await listen({
      limits: { jsonBodyTimeoutMs: 150, uploadIdleTimeoutMs: 400 },
    });
    const host = `127.0.0.1:${port}`;
    const headers = { host, authorization: `Bearer ${token}` };
    const begin = async () => {
      const response = await app.inject({
        method: 'POST',
        url: '/api/imports',
        headers: { ...headers, 'content-type': 'application/json' },
        payload: JSON.stringify({ name: 'slow', files: [{ name: 'slow', sizeBytes: 5 }] }),
      });
      return JSON.parse(response.body).id as string;
    };
    const headOf = (id: string) =>
      `PUT /api/imports/${id}/files/0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: 5\r\n\r\n`;
    const going = await begin();
    const answer = new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.write(headOf(going));
      let sent = 0;
      const timer = setInterval(() => {
        socket.write('x');
        sent += 1;
        if (sent === 5) clearInterval(timer);
      }, 100);
    });
    expect(statusOf(await answer)).toBe('200');

    const standing = await begin();
    expect(statusOf(await send(port, `${headOf(standing)}x`))).not.toBe('200');
    const state = await until(async () => {
      const response = await app.inject({
        method: 'GET',
        url: `/api/imports/${standing}`,
        headers,
      });
      const view = JSON.parse(response.body) as { state: string; readBytes: number };
      return view.readBytes === 0 ? view : null;
    });
    // It may be sent again.
    expect(state.state).toBe('receiving');
  });

  test('bounds how many connections it holds', async () => {
    const { app, port } = await listen({ limits: { maxConnections: 3 } });
    expect(app.server.maxConnections).toBe(3);
    const sockets = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    for (const socket of sockets) socket.on('error', () => undefined);
    const closed = await until(() => {
      const count = sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
      for (const socket of sockets) socket.resume();
      return count >= 3 ? count : null;
    });
    expect(closed).toBe(3);
  });
});
