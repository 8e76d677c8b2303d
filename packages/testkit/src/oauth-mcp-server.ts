import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OAuthMcpOptions {
  /** Life of an access token; absent = the server says nothing of it. */
  readonly tokenLifeSeconds?: number;
  readonly givesRefreshToken?: boolean;
  readonly registersClients?: boolean;
  /** Put into the redirect as `iss` in place of the real one. */
  readonly falseIssuer?: string;
  /** Where the metadata says that the person has to go, in place of /authorize. */
  readonly authorizationEndpoint?: string;
  /** The secret of `known-client`, and how the token endpoint takes it; absent = it has none. */
  readonly client?: {
    readonly secret: string;
    readonly method: 'client_secret_basic' | 'client_secret_post';
  };
  /** Writes the token of a request into its answer: in a header, and in the body in many ways. */
  readonly echoesToken?: boolean;
  /** What the revocation endpoint does; absent = the metadata names none. */
  readonly revocation?: 'works' | 'fails' | 'fails for refresh tokens' | 'hangs';
}

/** A protected MCP server and its authorization server in one, on a port of its own. */
export interface OAuthMcpServer {
  readonly url: string;
  readonly origin: string;
  /** Every token, code and verifier that went over the wire: none may be seen elsewhere. */
  readonly secrets: ReadonlySet<string>;
  readonly counts: {
    registered: number;
    authorized: number;
    issued: number;
    renewed: number;
    revoked: number;
  };
  /** The Authorization headers of the requests to the MCP endpoint. */
  readonly seen: (string | undefined)[];
  /** From now on no token that was given counts; `refreshTokens` true = these neither. */
  revoke(refreshTokens?: boolean): void;
  stop(): Promise<void>;
}

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string;
}

/** RFC 9728, 8414, 7591, 7636, 8707 and 9207, as far as one client needs them; approves everyone. */
export async function startOAuthMcp(options: OAuthMcpOptions = {}): Promise<OAuthMcpServer> {
  const secrets = new Set<string>();
  const counts = { registered: 0, authorized: 0, issued: 0, renewed: 0, revoked: 0 };
  const seen: (string | undefined)[] = [];
  const clients = new Map<string, string[]>([['known-client', []]]);
  const codes = new Map<string, Grant>();
  const accessTokens = new Set<string>();
  const refreshTokens = new Map<string, Grant>();
  let origin = '';

  const secret = () => {
    const text = randomBytes(24).toString('base64url');
    secrets.add(text);
    return text;
  };
  const issue = (grant: Grant) => {
    const access = secret();
    accessTokens.add(access);
    const { tokenLifeSeconds, givesRefreshToken = true } = options;
    const refresh = givesRefreshToken ? secret() : undefined;
    if (refresh !== undefined) refreshTokens.set(refresh, grant);
    return {
      access_token: access,
      token_type: 'Bearer',
      ...(tokenLifeSeconds === undefined ? {} : { expires_in: tokenLifeSeconds }),
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
    };
  };

  const token = (form: URLSearchParams, response: ServerResponse) => {
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? '';
      const grant = refreshTokens.get(given);
      refreshTokens.delete(given);
      if (grant === undefined || form.get('resource') !== grant.resource) {
        return json(response, 400, { error: 'invalid_grant' });
      }
      counts.renewed += 1;
      return json(response, 200, issue(grant));
    }
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    secrets.add(verifier);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const fits =
      grant !== undefined &&
      grant.challenge === challenge &&
      (grant.clientId === form.get('client_id') ||
        options.client?.method === 'client_secret_basic') &&
      grant.redirectUri === form.get('redirect_uri') &&
      grant.resource === form.get('resource');
    if (!fits) return json(response, 400, { error: 'invalid_grant', error_description: code });
    counts.issued += 1;
    return json(response, 200, issue(grant));
  };

  const isClient = (form: URLSearchParams, authorization: string | undefined): boolean => {
    const { client } = options;
    if (client === undefined) return true;
    if (client.method === 'client_secret_post') {
      return form.get('client_secret') === client.secret && authorization === undefined;
    }
    const pair = Buffer.from(`known-client:${client.secret}`).toString('base64');
    return authorization === `Basic ${pair}` && !form.has('client_secret');
  };

  const revokeOne = (form: URLSearchParams, response: ServerResponse): undefined => {
    if (options.revocation === 'hangs') return undefined;
    const isRefused =
      options.revocation === 'fails' ||
      (options.revocation === 'fails for refresh tokens' &&
        form.get('token_type_hint') === 'refresh_token');
    if (isRefused) {
      return json(response, 400, {
        error: 'unsupported_token_type',
        error_description: form.get('token'),
      });
    }
    const token = form.get('token') ?? '';
    if (accessTokens.delete(token) || refreshTokens.delete(token)) counts.revoked += 1;
    response.writeHead(200).end();
    return undefined;
  };

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const clientId = query.get('client_id') ?? '';
    const redirectUri = query.get('redirect_uri') ?? '';
    const known = clients.get(clientId);
    const resource = query.get('resource') ?? '';
    const fits =
      known !== undefined &&
      (known.length === 0 || known.includes(redirectUri)) &&
      query.get('code_challenge_method') === 'S256' &&
      resource === `${origin}/mcp`;
    if (!fits) return json(response, 400, { error: 'invalid_request' });
    counts.authorized += 1;
    const code = secret();
    const challenge = query.get('code_challenge') ?? '';
    codes.set(code, { clientId, redirectUri, challenge, resource });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', options.falseIssuer ?? origin);
    response.writeHead(302, { location: back.href }).end();
    return undefined;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const body = await readBody(request);
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(response, 200, {
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          scopes_supported: ['shelves:read'],
        });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: options.authorizationEndpoint ?? `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(options.registersClients === false
            ? {}
            : { registration_endpoint: `${origin}/register` }),
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: [options.client?.method ?? 'none'],
          ...(options.revocation === undefined ? {} : { revocation_endpoint: `${origin}/revoke` }),
          authorization_response_iss_parameter_supported: true,
        });
      case '/register': {
        const metadata: unknown = JSON.parse(body);
        const redirects =
          typeof metadata === 'object' && metadata !== null && 'redirect_uris' in metadata
            ? metadata.redirect_uris
            : [];
        const clientId = `client-${counts.registered}`;
        counts.registered += 1;
        clients.set(clientId, Array.isArray(redirects) ? redirects.map(String) : []);
        return json(response, 201, { ...Object(metadata), client_id: clientId });
      }
      case '/authorize':
        return authorize(url.searchParams, response);
      case '/token':
      case '/revoke': {
        const form = new URLSearchParams(body);
        if (!isClient(form, request.headers.authorization)) {
          return json(response, 401, { error: 'invalid_client' });
        }
        return url.pathname === '/token' ? token(form, response) : revokeOne(form, response);
      }
      case '/mcp':
        seen.push(request.headers.authorization);
        return answerMcp(
          request,
          body,
          response,
          accessTokens,
          origin,
          options.echoesToken ?? false,
        );
      default:
        return json(response, 404, { error: 'not_found' });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    secrets,
    counts,
    seen,
    revoke: (both = false) => {
      accessTokens.clear();
      if (both) refreshTokens.clear();
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answerMcp(
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
  accessTokens: ReadonlySet<string>,
  origin: string,
  echoesToken: boolean,
): undefined {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!accessTokens.has(token)) {
    const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.setHeader('www-authenticate', `Bearer resource_metadata="${place}"`);
    return json(response, 401, { error: 'invalid_token' });
  }
  if (request.method !== 'POST') return json(response, 405, {});
  const message: unknown = JSON.parse(body);
  const { id, method, params } = Object(message);
  if (id === undefined) {
    response.writeHead(202).end();
    return undefined;
  }
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'shelves', version: '3' },
    },
    'tools/list': { tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: echoesToken ? echoOf(token) : 'on shelf 4' }] },
  };
  if (echoesToken) response.setHeader('x-seen', `Bearer ${token}`);
  return json(response, 200, { jsonrpc: '2.0', id, result: results[String(method)] });
}

/** As a server's own log of a request may have it. */
function echoOf(token: string): string {
  const basic = Buffer.from(`user:${token}`).toString('base64');
  const escaped = [...token].map(
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return JSON.stringify({
    plain: `Bearer ${token}`,
    basic,
    escaped: escaped.join(''),
    upper: token.toUpperCase(),
  });
}

function json(response: ServerResponse, status: number, value: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
  return undefined;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
