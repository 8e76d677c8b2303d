import { z } from 'zod';
import { TargetNameSchema } from './ids.ts';

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
]);
export type TargetAddress = z.infer<typeof TargetAddressSchema>;

export const TargetSchema = z.object({
  name: TargetNameSchema,
  address: TargetAddressSchema,
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
 */
export function describeTargetAddress(address: TargetAddress): string {
  if (address.transport === 'streamable-http') return address.url;
  const line = [address.command, ...address.args].map(quoteWord).join(' ');
  return address.cwd === null ? line : `${line} (in ${quoteWord(address.cwd)})`;
}

function quoteWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
