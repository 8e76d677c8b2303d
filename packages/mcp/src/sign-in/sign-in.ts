import { randomBytes } from 'node:crypto';
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { errorCodeWords, explainSignIn, SignInError } from './sign-in-error.ts';
import { checkSignInUrl, createSignInFetch } from './sign-in-fetch.ts';
import type { SignInRecord } from './sign-in-record.ts';

export interface SignInOptions {
  /** The MCP endpoint: the resource that the tokens are for (RFC 8707). */
  readonly serverUrl: string;
  readonly redirectUri: string;
  /** A client that the authorization server knows; null = register one. */
  readonly clientId: string | null;
  /**
   * Of that client, where it has one; null = none is given now. Sent to the token endpoint of the
   * authorization server that this sign-in finds, and to no other one later.
   */
  readonly clientSecret?: string | null;
  readonly scope: string | null;
  /** A former sign-in, whose client is used again where it was registered for the same redirect. */
  readonly former: SignInRecord | null;
}

interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** A request that a server which wants a login refuses, in whatever revision it speaks. */
const LIST_TOOLS: RequestInit = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
  body: '{"jsonrpc":"2.0","id":0,"method":"tools/list","params":{}}',
};

/**
 * One sign-in of one person at one server, by the SDK's client: discovery (RFC 9728, 8414),
 * registration (RFC 7591), a code with PKCE for the resource (RFC 8707). Every method rejects with
 * SignInError. Nothing of it is kept before `finish` gives the record.
 */
export class SignIn {
  /** 256 random bits that the redirect has to bring back. */
  readonly state = randomBytes(32).toString('base64url');
  readonly #options: SignInOptions;
  readonly #server: URL;
  readonly #fetch: ReturnType<typeof createSignInFetch>;
  readonly #provider: MemoryProvider;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#server = new URL(options.serverUrl);
    this.#fetch = createSignInFetch(this.#server);
    this.#provider = new MemoryProvider(options.redirectUri, this.state, clientOf(options));
  }

  /** Where the person has to go. */
  async begin(): Promise<URL> {
    try {
      checkSignInUrl(this.#server, this.#server);
      const asked = await this.#askServer();
      const scope = this.#options.scope ?? asked.scope;
      await auth(this.#provider, {
        serverUrl: this.#server,
        fetchFn: this.#fetch,
        ...(scope === undefined ? {} : { scope }),
        ...(asked.resourceMetadataUrl === undefined
          ? {}
          : { resourceMetadataUrl: asked.resourceMetadataUrl }),
      });
      const { authorizationUrl } = this.#provider;
      if (authorizationUrl === null) throw new SignInError('no address to sign in at came of it');
      checkSignInUrl(authorizationUrl, this.#server);
      return authorizationUrl;
    } catch (error) {
      throw explainSignIn(error);
    }
  }

  /** Origin to which the client's secret will be sent, known once it has begun; null = it has none. */
  get secretGoesTo(): string | null {
    const client = this.#provider.clientInformation();
    const endpoint = this.#provider.discovery?.authorizationServerMetadata?.token_endpoint;
    if (client?.client_secret === undefined || endpoint === undefined) return null;
    return URL.canParse(endpoint) ? new URL(endpoint).origin : null;
  }

  /** Takes the query of the redirect, whose `state` the caller has compared, and gets the tokens. */
  async finish(query: URLSearchParams): Promise<SignInRecord> {
    try {
      const refusal = query.get('error');
      if (refusal !== null) {
        throw new SignInError(`the authorization server answered ${errorCodeWords(refusal)}`);
      }
      this.#checkIssuer(query.get('iss'));
      const code = query.get('code');
      if (code === null || code === '') throw new SignInError('the redirect brought no code');
      await auth(this.#provider, {
        serverUrl: this.#server,
        authorizationCode: code,
        fetchFn: this.#fetch,
      });
      return this.#provider.record();
    } catch (error) {
      throw explainSignIn(error);
    }
  }

  /** RFC 9207: a code of another authorization server must not be taken to this one. */
  #checkIssuer(given: string | null): void {
    const metadata = this.#provider.discovery?.authorizationServerMetadata;
    if (metadata === undefined) return;
    const promised =
      'authorization_response_iss_parameter_supported' in metadata &&
      metadata.authorization_response_iss_parameter_supported === true;
    if (given === null ? promised : given !== metadata.issuer) {
      throw new SignInError('the redirect comes from another authorization server');
    }
  }

  /** What the server says of its metadata and scopes where it refuses a request without a token. */
  async #askServer(): Promise<Challenge> {
    // Many servers offer no stream for GET, or leave all but the work itself open.
    return (
      (await this.#challengeOf(LIST_TOOLS)) ??
      (await this.#challengeOf({ headers: { accept: 'text/event-stream' } })) ??
      {}
    );
  }

  async #challengeOf(request: RequestInit): Promise<Challenge | null> {
    try {
      const response = await this.#fetch(this.#server, request);
      if (response.status !== 401 && response.status !== 403) return null;
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      if (resourceMetadataUrl === undefined && scope === undefined) return null;
      return {
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
        ...(scope === undefined ? {} : { scope }),
      };
    } catch {
      // The sign-in asks for the metadata next and says what is wrong then.
      return null;
    }
  }
}

/** New tokens for the record's refresh token; null where only the person can get some. */
export async function renewSignIn(
  serverUrl: string,
  record: SignInRecord,
): Promise<SignInRecord | null> {
  if (record.tokens.refresh_token === undefined) return null;
  const provider = new RenewalProvider(record);
  const server = new URL(serverUrl);
  try {
    checkSignInUrl(server, server);
    const came = await auth(provider, { serverUrl: server, fetchFn: createSignInFetch(server) });
    return came === 'AUTHORIZED' ? provider.record() : null;
  } catch {
    // Whatever the reason is, it comes to the same: sign in again.
    return null;
  }
}

/**
 * RFC 8414, 3.3: metadata that name another issuer than the one they were fetched for are not used.
 * A server without resource metadata (MCP 2025-03-26) names no issuer to hold them against.
 */
function checkMetadataIssuer(discovery: OAuthDiscoveryState): void {
  const { authorizationServerMetadata, authorizationServerUrl, resourceMetadata } = discovery;
  if (authorizationServerMetadata === undefined || resourceMetadata === undefined) return;
  // The SDK takes the address through URL, which gives a bare origin a slash.
  const bare = (url: string) => url.replace(/\/$/, '');
  if (bare(authorizationServerMetadata.issuer) !== bare(String(authorizationServerUrl))) {
    throw new SignInError('its metadata are those of another authorization server');
  }
}

function clientOf({ clientId, clientSecret = null, former, redirectUri }: SignInOptions) {
  if (clientId !== null && clientSecret !== null) {
    return { client_id: clientId, client_secret: clientSecret };
  }
  if (clientId !== null) {
    // Its secret need not be typed again; the SDK gives it to no other authorization server.
    return former?.client.client_id === clientId ? former.client : { client_id: clientId };
  }
  return former !== null && former.redirectUri === redirectUri ? former.client : undefined;
}

/** OpenID Connect registration knows `application_type`, which MCP asks for; the SDK's type does not. */
function metadataFor(redirectUri: string): OAuthClientMetadata & { application_type: 'native' } {
  return {
    client_name: 'Misstep',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
}

/** Holds what the flow brings along until it is done. */
class MemoryProvider implements OAuthClientProvider {
  authorizationUrl: URL | null = null;
  discovery: OAuthDiscoveryState | undefined;
  readonly #redirectUri: string;
  readonly #state: string;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = '';
  #tokens: OAuthTokens | undefined;

  constructor(redirectUri: string, state: string, client: OAuthClientInformationMixed | undefined) {
    this.#redirectUri = redirectUri;
    this.#state = state;
    this.#client = client;
  }

  get redirectUrl(): string {
    return this.#redirectUri;
  }

  get clientMetadata(): OAuthClientMetadata {
    return metadataFor(this.#redirectUri);
  }

  state = (): string => this.#state;
  clientInformation = (): OAuthClientInformationMixed | undefined => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed): void => {
    this.#client = client;
  };
  // A person who signs in means a new sign-in, so nothing is renewed on the way.
  tokens = (): undefined => undefined;
  saveTokens = (tokens: OAuthTokens): void => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL): void => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = (): string => this.#verifier;
  saveDiscoveryState = (discovery: OAuthDiscoveryState): void => {
    checkMetadataIssuer(discovery);
    this.discovery = discovery;
  };
  discoveryState = (): OAuthDiscoveryState | undefined => this.discovery;
  invalidateCredentials = (scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void => {
    // A code is for the client that it was given to: another registration would not help it.
    if (scope === 'all' && this.#verifier !== '') {
      throw new SignInError(
        'the authorization server does not take this client, or not with this secret (invalid_client)',
      );
    }
    if (scope === 'all' || scope === 'client') this.#client = undefined;
  };

  record(): SignInRecord {
    if (this.#tokens === undefined || this.#client === undefined || this.discovery === undefined) {
      throw new SignInError('no tokens came of it');
    }
    return {
      tokens: this.#tokens,
      expiresAtMs: endOf(this.#tokens),
      client: this.#client,
      redirectUri: this.#redirectUri,
      discovery: this.discovery,
    };
  }
}

/** Renews and does nothing else: registering or asking the person is not its to do. */
class RenewalProvider implements OAuthClientProvider {
  readonly #before: SignInRecord;
  #tokens: OAuthTokens | null = null;
  #gaveUp = false;

  constructor(before: SignInRecord) {
    this.#before = before;
  }

  get redirectUrl(): string {
    return this.#before.redirectUri;
  }

  get clientMetadata(): OAuthClientMetadata {
    return metadataFor(this.#before.redirectUri);
  }

  clientInformation = () => (this.#gaveUp ? undefined : this.#before.client);
  tokens = () => (this.#gaveUp ? undefined : this.#before.tokens);
  saveTokens = (tokens: OAuthTokens): void => {
    // A server that gives no new refresh token leaves the old one in force (RFC 6749, 6).
    this.#tokens = { refresh_token: this.#before.tokens.refresh_token, ...tokens };
  };
  redirectToAuthorization = (): never => {
    throw new SignInError('only the person can sign in');
  };
  saveCodeVerifier = (): void => undefined;
  codeVerifier = (): never => {
    throw new SignInError('a renewal has no code');
  };
  discoveryState = () => this.#before.discovery;
  invalidateCredentials = (): void => {
    this.#gaveUp = true;
  };

  record(): SignInRecord | null {
    if (this.#tokens === null) return null;
    return { ...this.#before, tokens: this.#tokens, expiresAtMs: endOf(this.#tokens) };
  }
}

function endOf({ expires_in: seconds }: OAuthTokens): number | null {
  return seconds === undefined ? null : Date.now() + seconds * 1000;
}
