import {
  ProtocolRevisionSchema,
  SecretKindSchema,
  TargetAddressSchema,
  TargetNameSchema,
} from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema } from '../shapes.ts';
import {
  ConfigPicksSchema,
  GivenSecretSchema,
  TargetConfigSchema,
  TargetViewSchema,
} from '../target-shapes.ts';

const TargetParamsSchema = z.object({ name: TargetNameSchema });
const RevisionSchema = z.union([z.literal('auto'), ProtocolRevisionSchema]);
const SecretsSchema = z.array(GivenSecretSchema).max(320);
/** The text of a file that the person picked; the server opens no path that a page names. */
const ConfigTextSchema = { fileName: z.string().min(1).max(4096), text: z.string() };

export const listTargets = defineRoute({
  method: 'GET',
  path: '/api/targets',
  summary: 'The live MCP servers that the person configured. Of secrets the names only.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ targets: z.array(TargetViewSchema) }),
  errors: ['SECRETS_UNREADABLE'],
});

export const addTarget = defineRoute({
  method: 'POST',
  path: '/api/targets',
  summary: 'Configure a server. Nothing is started; it must be confirmed first.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    name: TargetNameSchema,
    address: TargetAddressSchema,
    protocolRevision: RevisionSchema.default('auto'),
    secrets: SecretsSchema.default([]),
  }),
  responseKind: 'json',
  response: TargetViewSchema,
  errors: ['TARGET_EXISTS', 'SECRETS_UNREADABLE', 'DISK_FULL'],
});

export const updateTarget = defineRoute({
  method: 'PATCH',
  path: '/api/targets/:name',
  summary:
    'Change what is given. Another command, URL or name of a secret takes the confirmation back.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    address: TargetAddressSchema.optional(),
    protocolRevision: RevisionSchema.optional(),
    secrets: SecretsSchema.optional(),
  }),
  responseKind: 'json',
  response: TargetViewSchema,
  errors: ['TARGET_NOT_FOUND', 'SECRETS_UNREADABLE', 'DISK_FULL'],
});

export const confirmTarget = defineRoute({
  method: 'POST',
  path: '/api/targets/:name/confirm',
  summary: 'The person has read the whole command or URL (sent back word for word) and allows it.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    description: z.string(),
    trustsReadOnlyHint: z.boolean().default(false),
  }),
  responseKind: 'json',
  response: TargetViewSchema,
  errors: ['TARGET_NOT_FOUND'],
});

/** What became of the tokens of a sign-in at the server that gave them; null = there were none. */
const RevocationSchema = z
  .object({ state: z.enum(['revoked', 'no endpoint', 'failed']), sentence: z.string() })
  .nullable();

export const removeTarget = defineRoute({
  method: 'DELETE',
  path: '/api/targets/:name',
  summary:
    'Forget a server and its secrets, and have the tokens of its sign-in revoked. Its replays stay.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ removed: z.boolean(), revocation: RevocationSchema }),
  errors: ['TARGET_NOT_FOUND', 'SECRETS_UNREADABLE'],
});

export const removeTargetSecret = defineRoute({
  method: 'DELETE',
  path: '/api/targets/:name/secrets/:kind/:secretName',
  summary: 'Forget an environment variable or header of a server, its name and its value.',
  params: TargetParamsSchema.extend({ kind: SecretKindSchema, secretName: z.string().min(1) }),
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: TargetViewSchema,
  errors: ['TARGET_NOT_FOUND', 'SECRET_NOT_FOUND', 'SECRETS_UNREADABLE'],
});

export const startSignIn = defineRoute({
  method: 'POST',
  path: '/api/targets/:name/sign-in',
  summary:
    'Begin an OAuth sign-in at a confirmed HTTP server; the person opens the URL of the answer.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    /** Of a client that the authorization server knows; absent = Misstep registers itself. */
    clientId: z.string().min(1).max(2048).optional(),
    /** Of that client, where it has one: kept among the secrets, sent to its authorization server. */
    clientSecret: z.string().min(1).max(2048).optional(),
    scope: z.string().max(2048).optional(),
  }),
  responseKind: 'json',
  response: z.object({
    authorizationUrl: z.string(),
    /** Origin that the URL leads to, to be read before it is opened. */
    authority: z.string(),
    /** Origin that gets the client's secret; null = it has none. */
    secretGoesTo: z.string().nullable(),
    /** When Misstep stops waiting for the redirect. */
    expiresAt: z.string(),
  }),
  errors: ['TARGET_NOT_FOUND', 'SIGN_IN_FAILED', 'SECRETS_UNREADABLE'],
});

export const signOut = defineRoute({
  method: 'DELETE',
  path: '/api/targets/:name/sign-in',
  summary:
    'Forget the tokens of a server, have them revoked where they came from, and stop a sign-in that waits.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: TargetViewSchema.extend({ revocation: RevocationSchema }),
  errors: ['TARGET_NOT_FOUND', 'SECRETS_UNREADABLE'],
});

export const readTargetConfig = defineRoute({
  method: 'POST',
  path: '/api/target-config',
  summary: 'The servers that a configuration file names. Nothing is kept or started.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject(ConfigTextSchema),
  responseKind: 'json',
  response: TargetConfigSchema,
  errors: ['CONFIG_UNREADABLE', 'BODY_TOO_LARGE'],
});

export const importTargets = defineRoute({
  method: 'POST',
  path: '/api/target-config/import',
  summary: 'Keep picked entries of a configuration file as targets, unconfirmed.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: ConfigPicksSchema.extend(ConfigTextSchema),
  responseKind: 'json',
  response: z.object({ targets: z.array(TargetViewSchema) }),
  errors: [
    'CONFIG_UNREADABLE',
    'BODY_TOO_LARGE',
    'TARGET_EXISTS',
    'SECRETS_UNREADABLE',
    'DISK_FULL',
  ],
});
