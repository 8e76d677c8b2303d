import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';

/** Why a sign-in came to nothing: half a sentence, which never holds a code, token or answer. */
export class SignInError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SignInError';
  }
}

/** Any failure of the SDK's flow in words of ours: its own may quote what a server answered. */
export function explainSignIn(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof OAuthError) {
    return new SignInError(`the authorization server answered ${errorCodeWords(error.errorCode)}`);
  }
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Incompatible auth server: does not support dynamic')) {
    return new SignInError(
      'the authorization server does not register clients by itself: give the id of a client that it knows',
    );
  }
  if (message.startsWith('Incompatible auth server')) {
    return new SignInError('the authorization server does not offer a code with PKCE (S256)');
  }
  if (message.startsWith('Protected resource ')) {
    return new SignInError('the server’s metadata names another resource than this URL');
  }
  return new SignInError('the server’s answers don’t follow OAuth as MCP asks for it');
}

/** Only what an OAuth error code may be made of (RFC 6749, 5.2). */
export function errorCodeWords(code: string): string {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(code) ? code : 'an error';
}
