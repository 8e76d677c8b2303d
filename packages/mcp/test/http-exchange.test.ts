import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { describeResponse } from '../src/http-exchange.ts';

function describeChallenge(value: string): string {
  const response = { statusCode: 403, statusMessage: '', rawHeaders: ['WWW-Authenticate', value] };
  // It reads these three members only.
  const words = describeResponse(
    'POST',
    new URL('http://127.0.0.1/mcp'),
    response as IncomingMessage,
  );
  return words.split('\n')[1] ?? '';
}

it('shows of a challenge the error and the scope only', () => {
  expect(
    describeChallenge('Bearer realm="a", nonce="n0nce", error="insufficient_scope", scope="a b:c"'),
  ).toBe('WWW-Authenticate: error="insufficient_scope", scope="a b:c" (the rest not kept)');
  expect(describeChallenge('Digest nonce="n0nce"')).toBe('WWW-Authenticate: (not kept)');
  expect(describeChallenge('Negotiate scope=n0nce')).toBe('WWW-Authenticate: (not kept)');
});
