import { z } from 'zod';

/** Verdict on one value, in the order in which the first that applies is given. */
export const VERDICTS = [
  'cannot tell',
  'altered in transcript',
  'server differs now',
  'missing in transcript',
  'elided in transcript',
  'formatting only',
  'same',
] as const;
export const VerdictSchema = z.enum(VERDICTS);
export type Verdict = z.infer<typeof VerdictSchema>;

export const ComparisonRowSchema = z.object({
  pointer: z.string(),
  verdict: VerdictSchema,
  /** Exact text of each version at the pointer; null = that version holds nothing there. */
  transcript: z.string().nullable(),
  replayed: z.string().nullable(),
  /** Bytes (UTF-8) that are left out at the end of each text; absent = both are whole. */
  omittedBytes: z
    .object({
      transcript: z.number().int().nonnegative(),
      replayed: z.number().int().nonnegative(),
    })
    .optional(),
  /** What the verdict rests on, one sentence; null where the verdict says all. */
  note: z.string().nullable(),
  /** Name of the rule by which the row is not judged; it keeps its verdict. */
  ignoredBy: z.string().optional(),
});
export type ComparisonRow = z.infer<typeof ComparisonRowSchema>;

export const VersionSizeSchema = z.object({
  /** In UTF-8. */
  sizeBytes: z.number().int().nonnegative(),
  estimatedTokens: z.number().int().nonnegative(),
});
export type VersionSize = z.infer<typeof VersionSizeSchema>;

export const ComparisonSchema = z.object({
  /** The weightiest verdict of all rows. */
  verdict: VerdictSchema,
  /** One sentence for the whole. */
  sentence: z.string(),
  /** How many rows have each verdict; verdicts without rows are left out. */
  counts: z.partialRecord(VerdictSchema, z.number().int().nonnegative()),
  rows: z.array(ComparisonRowSchema),
  /** Rows left out because of a cap; 0 = all shown. */
  rowsOmitted: z.number().int().nonnegative(),
  /** How the two texts were read before they were compared, e.g. "text content read as JSON". */
  readings: z.array(z.string()),
  /** True where arguments or tool were edited, so that a difference may be the edit's. */
  inputsEdited: z.boolean().optional(),
  /** Each ignore rule that was in force, with how many rows it took; those are not in `counts`. */
  ignored: z
    .array(z.object({ rule: z.string(), count: z.number().int().nonnegative() }))
    .optional(),
  /** What each version takes in an agent's context; null = that version has nothing. */
  sizes: z
    .object({
      transcript: VersionSizeSchema.nullable(),
      replayed: VersionSizeSchema.nullable(),
      /** How the tokens were estimated. */
      tokenRule: z.string(),
    })
    .optional(),
});
export type Comparison = z.infer<typeof ComparisonSchema>;
