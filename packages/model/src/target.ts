import { z } from 'zod';
import { TargetNameSchema } from './ids.ts';
import { escapeUnseen } from './unseen-characters.ts';

/** How a live MCP server is reached. Typed in by the person, never taken from imported data. */
export const TargetAddressSchema = z.discriminatedUnion('transport', [
  z.object({
    transport: z.literal('stdio'),
    command: z.string().min(1).max(4096),
    args: z.array(z.string().max(32_768)).max(256),
    /** Working folder; null = the data folder's own empty one. */
    cwd: z.string().max(4096).nullable(),
  }),
  z.object({
    transport: z.literal('streamable-http'),
    url: z.string().max(4096),
  }),
  z.object({
    /** HTTP+SSE of 2024-11-05, which Streamable HTTP replaced. */
    transport: z.literal('sse'),
    url: z.string().max(4096),
  }),
]);
export type TargetAddress = z.infer<typeof TargetAddressSchema>;

/** Revisions of the MCP specification, oldest first. The last one has no `initialize`. */
export const PROTOCOL_REVISIONS = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
] as const;
export const ProtocolRevisionSchema = z.enum(PROTOCOL_REVISIONS);
export type ProtocolRevision = z.infer<typeof ProtocolRevisionSchema>;

/** How a target is spoken to, beside its address. Names only: no value of these is ever kept here. */
export const TargetSettingsSchema = z.object({
  /** `auto` = negotiated as the specification says; else the one that the person forces. */
  protocolRevision: z.union([z.literal('auto'), ProtocolRevisionSchema]),
  /** Environment variables that a stdio server gets; their values are secrets. */
  environmentNames: z.array(z.string().min(1).max(256)).max(256),
  /** HTTP headers that go with every request; their values are secrets. */
  headerNames: z.array(z.string().min(1).max(256)).max(64),
  /** True where the person signed in to the server by OAuth; the tokens are secrets. */
  usesOAuth: z.boolean(),
  /** The configuration file and the entry in it that the target was read from; null = typed in. */
  importedFrom: z.object({ path: z.string().max(4096), entry: z.string().max(512) }).nullable(),
});
export type TargetSettings = z.infer<typeof TargetSettingsSchema>;

export const NO_TARGET_SETTINGS: TargetSettings = {
  protocolRevision: 'auto',
  environmentNames: [],
  headerNames: [],
  usesOAuth: false,
  importedFrom: null,
};

export const TargetSchema = z.object({
  name: TargetNameSchema,
  address: TargetAddressSchema,
  settings: TargetSettingsSchema,
  /**
   * ISO 8601 when the person confirmed exactly this address; null = not confirmed, nothing may
   * be started. A changed address loses its confirmation.
   */
  confirmedAt: z.string().nullable(),
  /** True where the person said that they trust the server's `readOnlyHint` annotations. */
  trustsReadOnlyHint: z.boolean(),
  createdAt: z.string(),
});
export type Target = z.infer<typeof TargetSchema>;

/**
 * The whole command or URL on one line, as the person is asked to confirm it, with the working
 * folder where one is named: a relative path in the command means another file elsewhere.
 * Characters that hide or reorder text stand there as their escapes.
 */
export function describeTargetAddress(address: TargetAddress): string {
  if (address.transport !== 'stdio') return quoteUrl(address.url);
  const line = [address.command, ...address.args].map(quoteWord).join(' ');
  return address.cwd === null ? line : `${line} (in ${quoteWord(address.cwd)})`;
}

/**
 * What a person is asked to confirm, and what their confirmation is bound to: the command or URL,
 * and the names of everything that goes to it besides. The brackets can't be a word of the command:
 * one that holds a bracket is quoted.
 */
export function describeTarget({
  address,
  settings,
}: Pick<Target, 'address' | 'settings'>): string {
  const { environmentNames, headerNames } = settings;
  const names = (list: readonly string[]) => list.map(quoteWord).join(', ');
  const environment = address.transport === 'stdio' ? environmentNames : [];
  const headers = address.transport === 'stdio' ? [] : headerNames;
  return [
    describeTargetAddress(address),
    ...(address.transport === 'sse' ? ['(by HTTP+SSE)'] : []),
    ...(environment.length === 0 ? [] : [`(environment: ${names(environment)})`]),
    ...(headers.length === 0 ? [] : [`(headers: ${names(headers)})`]),
  ].join(' ');
}

function quoteWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : quoted(word);
}

function quoteUrl(url: string): string {
  return /^[!-~]+$/.test(url) && !/["\\]/.test(url) ? url : quoted(url);
}

/** A backslash of the word itself is doubled, so no word reads like another one's escape. */
function quoted(word: string): string {
  return escapeUnseen(JSON.stringify(word));
}
