import { z } from 'zod';
import { OriginSchema } from './captured-value.ts';
import { StepIdSchema } from './ids.ts';

/**
 * A judgement that the source itself holds, as the label of a data set. It is shown apart from the
 * person's own mark and never becomes it.
 */
export const ExternalMarkSchema = z.object({
  /** Who says it, e.g. "Who&When label". */
  by: z.string(),
  /** Null where the source names a place that the run doesn't have, or none. */
  stepId: StepIdSchema.nullable(),
  /** The place in the source's own words and counting, e.g. "entry 12"; null where it names none. */
  placeText: z.string().nullable(),
  /** The participant that is blamed; null where none is. */
  agent: z.string().nullable(),
  category: z.string().nullable(),
  reason: z.string(),
  /** The record that holds the label. */
  origin: OriginSchema,
});
export type ExternalMark = z.infer<typeof ExternalMarkSchema>;
