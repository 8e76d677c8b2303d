import { z } from 'zod';

/**
 * Branded identifiers. They are plain strings at run time; the brand keeps a step's id from
 * being passed where a run's is meant.
 */
export const SourceHashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits (SHA-256)')
  .brand('SourceHash');
export type SourceHash = z.infer<typeof SourceHashSchema>;

/** `r` and 20 base-32 digits; the same source read by the same format gives the same id. */
export const RunIdSchema = z
  .string()
  .regex(/^r[0-9a-z]{20}$/, 'expected a run id')
  .brand('RunId');
export type RunId = z.infer<typeof RunIdSchema>;

/**
 * Unique within its run, never across runs. Made from where the step's first record stands in
 * its source, so that a source which has grown gives its earlier steps the same ids again.
 */
export const StepIdSchema = z
  .string()
  .regex(/^[0-9a-zA-Z._-]{1,128}$/, 'expected a step id')
  .brand('StepId');
export type StepId = z.infer<typeof StepIdSchema>;

/** ULID: 26 characters of Crockford base 32, sortable by time of creation. */
export const UlidSchema = z
  .string()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'expected a ULID')
  .brand('Ulid');
export type Ulid = z.infer<typeof UlidSchema>;

/** A target is addressed by the name that the person gave it. */
export const TargetNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'a target name starts with a letter or digit, then letters, digits, ".", "_" or "-", 64 at most',
  )
  .brand('TargetName');
export type TargetName = z.infer<typeof TargetNameSchema>;
