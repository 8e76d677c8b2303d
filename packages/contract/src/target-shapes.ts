import {
  SecretKindSchema,
  TargetAddressSchema,
  TargetNameSchema,
  TargetSchema,
} from '@misstep/model';
import { z } from 'zod';

/** Longest value that a process takes in its environment. */
const LONGEST_SECRET = 131_072;

export const SecretStateSchema = z.object({
  kind: SecretKindSchema,
  name: z.string(),
  /** `otherAddress`: given while the target had another address, so it is not used. */
  state: z.enum(['set', 'missing', 'otherAddress']),
});
export type SecretState = z.infer<typeof SecretStateSchema>;

/** A value on its way in; null names it without giving it. No answer ever holds one. */
export const GivenSecretSchema = z.strictObject({
  kind: SecretKindSchema,
  name: z.string().min(1).max(256),
  value: z.string().max(LONGEST_SECRET).nullable(),
});
export type GivenSecret = z.infer<typeof GivenSecretSchema>;

export const SignInStateSchema = z.object({
  /** `waiting`: the person has been sent to sign in and is not back yet. */
  state: z.enum(['signedOut', 'waiting', 'signedIn', 'expired', 'otherAddress']),
  /** Origin of the authorization server that gave the tokens; null = signed out. */
  authority: z.string().nullable(),
  /** ISO 8601; null where the server did not say, or a refresh token renews it. */
  expiresAt: z.string().nullable(),
  /** Why the last sign-in of this start came to nothing. */
  problem: z.string().nullable(),
});
export type SignInState = z.infer<typeof SignInStateSchema>;

export const TargetViewSchema = TargetSchema.extend({
  /** What is confirmed: the whole command or URL, and the names of what goes with it. */
  description: z.string(),
  secrets: z.array(SecretStateSchema),
  signIn: SignInStateSchema,
});
export type TargetView = z.infer<typeof TargetViewSchema>;

/** A value in a configuration, by its name: whether Misstep takes it with the entry. */
const ConfigValueSchema = z.object({
  name: z.string(),
  /**
   * `inFile`: taken. `needsValue`: holds a placeholder. `leftOut`: steers which code runs, so it is
   * the person's to give. `refused`: no text, or a name that can't be passed on.
   */
  state: z.enum(['inFile', 'needsValue', 'leftOut', 'refused']),
});

export const ConfigEntrySchema = z.object({
  /** Place in the list of this reading. */
  index: z.number().int().nonnegative(),
  /** Its key in the file. */
  entry: z.string(),
  /** JSON Pointer of the list that it stands in, e.g. /mcpServers. */
  list: z.string(),
  /** A free target name made of the key. */
  suggestedName: TargetNameSchema,
  /** As in the file, placeholders and all; null = it can't be used, see `issues`. */
  address: TargetAddressSchema.nullable(),
  /** The whole command or URL on one line; null with `address`. */
  description: z.string().nullable(),
  environment: z.array(ConfigValueSchema),
  headers: z.array(ConfigValueSchema),
  placeholders: z.array(
    z.object({
      /** As written between the braces, e.g. input:key, env:HOME, workspaceFolder. */
      name: z.string(),
      /** What the file says that it is. */
      label: z.string().nullable(),
      isPassword: z.boolean(),
      hasDefault: z.boolean(),
      /** True where it stands in the command or URL, so that the entry can't do without. */
      isNeeded: z.boolean(),
    }),
  ),
  disabled: z.boolean(),
  /** Sentences on what of the entry is not used, and why. */
  issues: z.array(z.string()),
});
export type ConfigEntry = z.infer<typeof ConfigEntrySchema>;

export const TargetConfigSchema = z.object({
  form: z.enum(['json', 'toml']),
  entries: z.array(ConfigEntrySchema),
  issues: z.array(z.string()),
});
export type TargetConfig = z.infer<typeof TargetConfigSchema>;

/** Which entries of the same text to keep as targets. */
export const ConfigPicksSchema = z.strictObject({
  picks: z
    .array(z.strictObject({ index: z.number().int().nonnegative(), name: TargetNameSchema }))
    .min(1)
    .max(256),
  /** For placeholders, by their names. */
  values: z
    .array(z.strictObject({ name: z.string().max(256), value: z.string().max(LONGEST_SECRET) }))
    .max(256)
    .default([]),
});
export type ConfigPicks = z.infer<typeof ConfigPicksSchema>;
