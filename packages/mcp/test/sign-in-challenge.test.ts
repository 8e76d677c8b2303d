import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { SignIn } from '../src/index.ts';

/** Open but for its tools, without a stream for GET, its metadata where only a refusal says. */
async function startServer(
  opensGet: boolean,
  issuer?: string,
): Promise<{ origin: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const refuse = () =>
      response
        .writeHead(401, {
          'www-authenticate': `Bearer scope="shelves:read shelves:count", resource_metadata="${origin}/elsewhere/resource.json"`,
        })
        .end();
    switch (`${request.method} ${request.url}`) {
      case 'POST /mcp':
        return opensGet ? json({}, 404) : refuse();
      case 'GET /mcp':
        return opensGet ? refuse() : json({}, 405);
      case 'GET /elsewhere/resource.json':
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      case 'GET /.well-known/oauth-authorization-server':
        return json({
          issuer: issuer ?? origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        });
      default:
        return json({}, 404);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server listening on a TCP port has an AddressInfo.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, stop: () => void server.close() };
}

it.each([false, true])(
  'takes scope and metadata from the refusal (of GET: %s)',
  async (opensGet) => {
    const { origin, stop } = await startServer(opensGet);
    try {
      const signIn = new SignIn({
        serverUrl: `${origin}/mcp`,
        redirectUri: 'http://127.0.0.1:1/callback',
        clientId: 'known',
        scope: null,
        former: null,
      });
      const address = await signIn.begin();
      expect(address.origin).toBe(origin);
      expect(address.searchParams.get('scope')).toBe('shelves:read shelves:count');
      expect(address.searchParams.get('resource')).toBe(`${origin}/mcp`);
    } finally {
      stop();
    }
  },
);

it('uses no metadata that name another issuer', async () => {
  const { origin, stop } = await startServer(false, 'https://elsewhere.example');
  try {
    const signIn = new SignIn({
      serverUrl: `${origin}/mcp`,
      redirectUri: 'http://127.0.0.1:1/callback',
      clientId: 'known',
      scope: null,
      former: null,
    });
    await expect(signIn.begin()).rejects.toThrow(
      'its metadata are those of another authorization server',
    );
  } finally {
    stop();
  }
});
