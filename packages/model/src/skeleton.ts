import { z } from 'zod';

/**
 * A run's tree as columns: everything that a row of the tree needs and nothing that can be
 * large. Index i is the step with seq i + 1. Columns parse about four times faster than rows.
 */
export const STEP_FLAGS = {
  truncated: 1,
  empty: 2,
  retried: 4,
  parallel: 8,
  inferredPairing: 16,
  noTime: 32,
  derivedTime: 64,
  clockSkew: 128,
} as const;
export type StepFlag = keyof typeof STEP_FLAGS;

export const SkeletonSchema = z.object({
  count: z.number().int().nonnegative(),
  ids: z.array(z.string()),
  /** Index of the parent, -1 = root. */
  parents: z.array(z.number().int()),
  /** Index into STEP_KINDS. */
  kinds: z.array(z.number().int()),
  names: z.array(z.string()),
  servers: z.array(z.string().nullable()),
  tools: z.array(z.string().nullable()),
  summaries: z.array(z.string()),
  /** Nanoseconds since the run's start (can't exceed 2^53); null = not recorded. */
  startsNs: z.array(z.number().nullable()),
  durationsNs: z.array(z.number().nullable()),
  /** Index into EVIDENCE_GRADES: grade of the content, grade of the timing. */
  evidence: z.array(z.number().int()),
  timeEvidence: z.array(z.number().int()),
  /** Index into STEP_STATUSES. */
  statuses: z.array(z.number().int()),
  /** Bit set of STEP_FLAGS. */
  flags: z.array(z.number().int()),
  /** Input, cached or not, and output tokens of a model call together; null = not recorded. */
  tokens: z.array(z.number().nullable()),
});
export type Skeleton = z.infer<typeof SkeletonSchema>;
