import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { z } from 'zod';

/** What is kept of a sign-in, as JSON text among the secrets. */
export const SignInRecordSchema = z.object({
  tokens: z.looseObject({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    expires_in: z.number().optional(),
    issuer: z.string().optional(),
  }),
  /** Milliseconds since 1970; null where the server set no end. */
  expiresAtMs: z.number().nullable(),
  /** As registered for `redirectUri`, or as the person gave it. */
  client: z.looseObject({ client_id: z.string(), issuer: z.string().optional() }),
  redirectUri: z.string(),
  /** The authorization server and its metadata, so that a renewal asks no other one. */
  discovery: z.custom<OAuthDiscoveryState>(
    (value) => z.looseObject({ authorizationServerUrl: z.string() }).safeParse(value).success,
  ),
});
export type SignInRecord = z.infer<typeof SignInRecordSchema>;
