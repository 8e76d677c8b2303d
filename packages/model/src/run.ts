import { z } from 'zod';
import { EvidenceGradeSchema } from './evidence.ts';
import { RunIdSchema, SourceHashSchema } from './ids.ts';
import { ModelUsageSchema } from './model-usage.ts';

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

/** Records of one source: total = understood + setAside + notUnderstood + malformed. */
export const RecordCountsSchema = z.object({
  total: z.number().int().nonnegative(),
  understood: z.number().int().nonnegative(),
  /** Known, and left out of the run with a reason. Null = counted among the understood ones, by an earlier version. */
  setAside: z.number().int().nonnegative().nullable(),
  notUnderstood: z.number().int().nonnegative(),
  malformed: z.number().int().nonnegative(),
});
export type RecordCounts = z.infer<typeof RecordCountsSchema>;

export const NO_RECORDS: RecordCounts = {
  total: 0,
  understood: 0,
  setAside: 0,
  notUnderstood: 0,
  malformed: 0,
};

/** The records of several sources together; what isn't known of one isn't known of all. */
export function addRecordCounts(counts: readonly RecordCounts[]): RecordCounts {
  return counts.reduce(
    (sum, each) => ({
      total: sum.total + each.total,
      understood: sum.understood + each.understood,
      setAside:
        sum.setAside === null || each.setAside === null ? null : sum.setAside + each.setAside,
      notUnderstood: sum.notUnderstood + each.notUnderstood,
      malformed: sum.malformed + each.malformed,
    }),
    NO_RECORDS,
  );
}

/**
 * What becomes of a record that no step, value or fact of the run comes from: `setAside` = known and
 * deliberately left out; `notUnderstood` = nobody knows what it means; `malformed` = damaged.
 */
export const UnusedStateSchema = z.enum(['setAside', 'notUnderstood', 'malformed']);
export type UnusedState = z.infer<typeof UnusedStateSchema>;

/** A record that was kept and gives the run nothing, with its bytes' place in the source. */
export const UnusedRecordSchema = z.object({
  sha256: SourceHashSchema,
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  state: UnusedStateSchema,
  reason: z.string(),
});
export type UnusedRecord = z.infer<typeof UnusedRecordSchema>;

/** How many records share a state and a reason. */
export const UnusedGroupSchema = z.object({
  state: UnusedStateSchema,
  reason: z.string(),
  count: z.number().int().positive(),
});
export type UnusedGroup = z.infer<typeof UnusedGroupSchema>;

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
  /** Tokens of its calls in groups that prices can be applied to. */
  modelUsage: z.array(ModelUsageSchema),
  /** USD that the source states for the run as a whole, as it writes them; null = it states none. */
  recordedCostUsd: z.string().nullable(),
  bestEvidence: EvidenceGradeSchema,
  /** Distinct names of the tools called, in order of their first call. */
  calledTools: z.array(z.string()),
});
export type Run = z.infer<typeof RunSchema>;
