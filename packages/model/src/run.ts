import { z } from 'zod';
import { EvidenceGradeSchema } from './evidence.ts';
import { RunIdSchema, SourceHashSchema } from './ids.ts';

/**
 * `zoned` times name an instant; `local` ones lack a zone; `timeOfDay` ones lack the date;
 * `monotonic` ones count from an unknown zero; `none` = the source holds no times.
 */
export const RunClockSchema = z.enum(['zoned', 'local', 'timeOfDay', 'monotonic', 'none']);
export type RunClock = z.infer<typeof RunClockSchema>;

export const OutcomeSchema = z.object({
  /** `right` and `wrong` are the person's verdict on the run; `stopped` = it never finished. */
  verdict: z.enum(['right', 'wrong', 'stopped']),
  /** The person's own words, e.g. "wrong answer". */
  text: z.string().max(200),
});
export type Outcome = z.infer<typeof OutcomeSchema>;

/** Records of one source: total = understood + notUnderstood + malformed. */
export const RecordCountsSchema = z.object({
  total: z.number().int().nonnegative(),
  understood: z.number().int().nonnegative(),
  notUnderstood: z.number().int().nonnegative(),
  malformed: z.number().int().nonnegative(),
});
export type RecordCounts = z.infer<typeof RecordCountsSchema>;

/** A record that was kept but not read, with its bytes' place in the source. */
export const UnreadRecordSchema = z.object({
  sha256: SourceHashSchema,
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  state: z.enum(['notUnderstood', 'malformed']),
  reason: z.string(),
});
export type UnreadRecord = z.infer<typeof UnreadRecordSchema>;

/** Something an importer has to say about the source. Codes are UPPER_SNAKE, listed in docs/formats. */
export const ImportIssueSchema = z.object({
  code: z.string(),
  message: z.string(),
  sha256: SourceHashSchema,
  /** Byte offset in the source; null = concerns the whole of it. */
  offset: z.number().int().nonnegative().nullable(),
});
export type ImportIssue = z.infer<typeof ImportIssueSchema>;

/** What is known of a run as a whole, before a person adds anything. */
export const RunSchema = z.object({
  id: RunIdSchema,
  title: z.string(),
  format: z.string(),
  client: z.string().nullable(),
  model: z.string().nullable(),
  /** The agent's own id for the run (a session id); null where the source has none. */
  naturalId: z.string().nullable(),
  clock: RunClockSchema,
  startedAtNs: z.bigint().nullable(),
  endedAtNs: z.bigint().nullable(),
  stepCount: z.number().int().nonnegative(),
  toolCallCount: z.number().int().nonnegative(),
  modelCallCount: z.number().int().nonnegative(),
  errorCount: z.number().int().nonnegative(),
  inputTokens: z.number().int().nonnegative().nullable(),
  outputTokens: z.number().int().nonnegative().nullable(),
  bestEvidence: EvidenceGradeSchema,
  /** Distinct names of the tools called, in order of their first call. */
  calledTools: z.array(z.string()),
});
export type Run = z.infer<typeof RunSchema>;
