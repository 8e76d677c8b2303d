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

/**
 * A verdict for people: where the call was edited, a difference is laid to nobody, as the edit may
 * be why. The verdict's own name stays in all data.
 */
export function verdictWords(verdict: Verdict, inputsEdited: boolean): string {
  return inputsEdited && verdict === 'server differs now' ? 'differs now, call edited' : verdict;
}

/** The versions of one result that a comparison lays beside each other, in this order. */
export const VERSION_NAMES = ['transcript', 'wire', 'replayed'] as const;
export const VersionNameSchema = z.enum(VERSION_NAMES);
export type VersionName = z.infer<typeof VersionNameSchema>;

/** What is known of bytes that stand in JSON as base64, in place of a row of their letters. */
export const BinaryFactSchema = z.object({
  /** As the result says it; null = it doesn't. */
  mediaType: z.string().nullable(),
  /** Of the decoded bytes; null where the text is no base64. */
  sizeBytes: z.number().int().nonnegative().nullable(),
  /** SHA-256 of the decoded bytes; null where the text is no base64. */
  sha256: z.string().nullable(),
});
export type BinaryFact = z.infer<typeof BinaryFactSchema>;

export const ComparisonRowSchema = z.object({
  /** Of the value in the live answer; where that lacks it, in the version that has it. */
  pointer: z.string(),
  /** Of the same value in another version, where it differs from `pointer`. */
  pointers: z.object({ transcript: z.string().optional(), wire: z.string().optional() }).optional(),
  verdict: VerdictSchema,
  /** Where there are three versions: what was found of each two; absent = not judged there. */
  pairs: z
    .object({
      /** Transcript against recorded wire. */
      transcript: VerdictSchema.optional(),
      /** Recorded wire against live answer. */
      server: VerdictSchema.optional(),
    })
    .optional(),
  /** Exact text of each version at the pointer; null = that version holds nothing there. */
  transcript: z.string().nullable(),
  /** Of the recorded wire; absent where the comparison has no such version. */
  wire: z.string().nullable().optional(),
  replayed: z.string().nullable(),
  /** Where the value is base64 of an image, audio or other bytes. */
  binary: z
    .object({
      transcript: BinaryFactSchema.nullable(),
      wire: BinaryFactSchema.nullable(),
      replayed: BinaryFactSchema.nullable(),
    })
    .optional(),
  /** Bytes (UTF-8) that are left out at the end of each text; absent = both are whole. */
  omittedBytes: z
    .object({
      transcript: z.number().int().nonnegative(),
      wire: z.number().int().nonnegative().optional(),
      replayed: z.number().int().nonnegative(),
    })
    .optional(),
  /** What the verdict rests on, one sentence; null where the verdict says all. */
  note: z.string().nullable(),
  /** Name of the rule by which the row is not judged; it keeps its verdict. */
  ignoredBy: z.string().optional(),
});
export type ComparisonRow = z.infer<typeof ComparisonRowSchema>;

/**
 * A row's pointer for people, with the side that it belongs to where the other has another value
 * there: after a removal two rows may have one pointer, `items/2` as recorded and as it is now.
 */
export function placeOfRow({ pointer, pointers, ...row }: ComparisonRow): {
  readonly pointer: string;
  readonly side: 'recorded' | 'live' | null;
} {
  if (row.replayed === null) {
    const own = row.transcript === null ? pointers?.wire : pointers?.transcript;
    return { pointer: own ?? pointer, side: 'recorded' };
  }
  return { pointer, side: pointers === undefined ? null : 'live' };
}

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
  /**
   * Which versions there are. Absent in comparisons made before there were three: transcript and
   * live answer, the first of which may be a recorded wire.
   */
  columns: z.array(VersionNameSchema).optional(),
  /** Pointer in the live `result` (or `error`, see `protocolErrors`) below which the rows' pointers stand; absent = '', the whole. */
  rowsBelow: z.string().optional(),
  /** Of each answer, that it is the `error` of a JSON-RPC answer; absent = a result, or a transcript. */
  protocolErrors: z.object({ recorded: z.boolean(), replayed: z.boolean() }).optional(),
  /** What a reader must know beside the rows, e.g. that text and structure disagree. */
  remarks: z.array(z.string()).optional(),
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
      wire: VersionSizeSchema.nullable().optional(),
      replayed: VersionSizeSchema.nullable(),
      /** How the tokens were estimated. */
      tokenRule: z.string(),
    })
    .optional(),
});
export type Comparison = z.infer<typeof ComparisonSchema>;
