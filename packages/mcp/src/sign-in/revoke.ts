import { selectClientAuthMethod } from '@modelcontextprotocol/sdk/client/auth.js';
import { z } from 'zod';
import { errorCodeWords, SignInError } from './sign-in-error.ts';
import { createSignInFetch } from './sign-in-fetch.ts';
import type { SignInRecord } from './sign-in-record.ts';

/** Together for all tokens: somebody waits for the sign-out. */
const WAIT_MS = 5000;

/** What became of the tokens of a sign-in at the server that gave them. */
export interface Revocation {
  readonly state: 'revoked' | 'no endpoint' | 'failed';
  /** In one sentence, which holds no token and no answer of the server. */
  readonly sentence: string;
}

const EndpointSchema = z.looseObject({
  revocation_endpoint: z.string().optional(),
  revocation_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
const ErrorSchema = z.looseObject({ error: z.string() });

/**
 * Tells the authorization server that the tokens of a sign-in are not wanted any more (RFC 7009), of
 * each by itself, and says what became of each. Never rejects and never takes longer than five seconds.
 */
export async function revokeSignIn(serverUrl: string, record: SignInRecord): Promise<Revocation> {
  const authority = hostOf(String(record.discovery.authorizationServerUrl));
  const metadata = EndpointSchema.safeParse(record.discovery.authorizationServerMetadata);
  const endpoint = metadata.success ? metadata.data.revocation_endpoint : undefined;
  if (!metadata.success || endpoint === undefined || !URL.canParse(endpoint)) {
    return {
      state: 'no endpoint',
      sentence: `${authority} names no place where tokens are revoked: what they allow ends there when they expire.`,
    };
  }
  const methods =
    metadata.data.revocation_endpoint_auth_methods_supported ??
    metadata.data.token_endpoint_auth_methods_supported ??
    [];
  const { access_token, refresh_token } = record.tokens;
  const tokens = [
    ...(refresh_token === undefined ? [] : [['refresh_token', refresh_token] as const]),
    ['access_token', access_token] as const,
  ];
  const signal = AbortSignal.timeout(WAIT_MS);
  const send = createSignInFetch(new URL(serverUrl), signal);
  // A server may refuse one kind of token and revoke the other; neither waits for the other.
  const outcomes = await Promise.all(
    tokens.map(async ([hint, token]) => ({
      name: hint === 'refresh_token' ? 'refresh token' : 'access token',
      why: await whyNotRevoked(
        async () => send(endpoint, requestFor(record, methods, token, hint)),
        signal,
      ),
    })),
  );
  return wordOutcomes(authority, outcomes);
}

/** Null = revoked. */
async function whyNotRevoked(
  ask: () => Promise<Response>,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const response = await ask();
    return response.ok ? null : await whyRefused(response);
  } catch (error) {
    if (signal.aborted) return `it did not answer within ${WAIT_MS / 1000} seconds`;
    return error instanceof SignInError ? error.message : 'its answer can’t be read';
  }
}

function wordOutcomes(
  authority: string,
  outcomes: readonly { readonly name: string; readonly why: string | null }[],
): Revocation {
  const refused = outcomes.filter(({ why }) => why !== null);
  const revoked = outcomes.filter(({ why }) => why === null).map(({ name }) => `the ${name}`);
  if (refused.length === 0) {
    return { state: 'revoked', sentence: `${authority} has revoked the tokens.` };
  }
  const [first] = refused;
  const isOneReason = refused.every(({ why }) => why === first?.why);
  const failures =
    revoked.length === 0 && isOneReason
      ? `did not revoke the tokens (${first?.why})`
      : `did not revoke ${refused.map(({ name, why }) => `the ${name} (${why})`).join(' and ')}`;
  const before = revoked.length === 0 ? '' : `has revoked ${revoked.join(' and ')} and `;
  const left =
    revoked.length === 0 ? 'what they allow' : `what the ${refused[0]?.name ?? 'other'} allows`;
  return {
    state: 'failed',
    sentence: `${authority} ${before}${failures}: ${left} may go on there until ${revoked.length === 0 ? 'they expire' : 'it expires'}.`,
  };
}

function requestFor(
  { client }: SignInRecord,
  methods: readonly string[],
  token: string,
  hint: string,
): RequestInit {
  const { client_id: id, client_secret: secret } = ClientSchema.parse(client);
  const body = new URLSearchParams({ token, token_type_hint: hint });
  const headers = new Headers({ accept: 'application/json' });
  const method = selectClientAuthMethod({ ...client }, [...methods]);
  if (method === 'client_secret_basic' && secret !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
  } else {
    body.set('client_id', id);
    if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
  }
  return { method: 'POST', headers, body };
}

const ClientSchema = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() });

async function whyRefused(response: Response): Promise<string> {
  const told = ErrorSchema.safeParse(await response.json().catch(() => null));
  return told.success
    ? `it answered ${errorCodeWords(told.data.error)}`
    : `it answered HTTP ${response.status}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The authorization server';
}
