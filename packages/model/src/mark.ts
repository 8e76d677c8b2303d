import { z } from 'zod';
import { RunIdSchema, StepIdSchema, UlidSchema } from './ids.ts';

/** The set of kinds a person starts with; they may write their own. */
export const MARK_CATEGORIES = [
  'Wrong tool',
  'Loose argument',
  'Missing call',
  'Ignored error',
  'Ignored flag',
  'Unsupported claim',
  'Stale context',
  'Repeated write',
  'Unconfirmed write',
] as const;

/** A value of a step that the mark rests on, what a replay of it answered, or what an experiment came to. */
export const CitationSchema = z
  .object({
    stepId: StepIdSchema,
    part: z.enum(['arguments', 'result', 'content', 'step', 'verdict', 'replay']),
    /**
     * JSON Pointer within the part; '' = the whole part. Of a verdict always ''. Of a replay within
     * its answer. A string on the way that is JSON itself is gone into.
     */
    pointer: z.string().max(2000),
    /** The experiment whose verdict is cited; absent for every other part. */
    experimentId: UlidSchema.optional(),
    /** The replay whose answer is cited; absent for every other part. */
    replayId: UlidSchema.optional(),
  })
  .refine(
    ({ part, pointer, experimentId, replayId }) =>
      (part === 'verdict') === (experimentId !== undefined) &&
      (part === 'replay') === (replayId !== undefined) &&
      (part !== 'verdict' || pointer === ''),
    'A verdict is cited by its experiment and has no pointer, a live answer by its replay; other parts have neither.',
  );
export type Citation = z.infer<typeof CitationSchema>;

/**
 * What the person says: the first wrong step is this one; a call should have been in the gap
 * after this one (null = before the first step); or there is no deviation.
 */
export const MarkPlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), stepId: StepIdSchema }),
  z.object({ kind: z.literal('gap'), afterStepId: StepIdSchema.nullable() }),
  z.object({ kind: z.literal('noDeviation') }),
]);
export type MarkPlace = z.infer<typeof MarkPlaceSchema>;

export const MarkDraftSchema = z.object({
  place: MarkPlaceSchema,
  category: z.string().max(80).nullable(),
  reason: z.string().max(4000),
  citations: z.array(CitationSchema).max(50),
});
export type MarkDraft = z.infer<typeof MarkDraftSchema>;

/** One judgement. The newest that nothing superseded is current; earlier ones are history. */
export const MarkSchema = MarkDraftSchema.extend({
  id: UlidSchema,
  runId: RunIdSchema,
  author: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** ISO 8601 where a later mark or a removal replaced it; null = current. */
  supersededAt: z.string().nullable(),
});
export type Mark = z.infer<typeof MarkSchema>;
