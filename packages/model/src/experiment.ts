import { z } from 'zod';
import {
  AttributionMatrixSchema,
  BoundaryMatrixSchema,
  RaceMatrixSchema,
  RepeatMatrixSchema,
} from './experiment-matrix.ts';
import { ExperimentPlanSchema } from './experiment-plan.ts';
import { RunIdSchema, StepIdSchema, TargetNameSchema, UlidSchema } from './ids.ts';
import { ReplayOutcomeSchema } from './replay.ts';

/** How it ended. Whatever it is, what had come by then is kept. */
export const EXPERIMENT_ENDINGS = ['complete', 'stopped', 'failed', 'interrupted'] as const;
export const ExperimentEndingSchema = z.enum(EXPERIMENT_ENDINGS);
export type ExperimentEnding = z.infer<typeof ExperimentEndingSchema>;

/** One call that was sent, kept as it happened. */
export const ExperimentSendSchema = z.object({
  /** In the order of sending, from 1. */
  ordinal: z.number().int().positive(),
  /** Of the planned send. */
  id: z.string(),
  label: z.string(),
  /** Null = a call at once, which is no replay of its own. */
  replayId: UlidSchema.nullable(),
  outcome: ReplayOutcomeSchema,
  callDurationNs: z.number().nullable(),
  /** Name and version of the server that was asked, and the SHA-256 of the tool's definition; null = not said. */
  server: z.string().nullable(),
  toolSha256: z.string().nullable(),
});
export type ExperimentSend = z.infer<typeof ExperimentSendSchema>;

/** An experiment as it is shown, also while it runs. */
export const ExperimentSchema = z.object({
  id: UlidSchema,
  runId: RunIdSchema,
  stepId: StepIdSchema,
  stepSeq: z.number().int(),
  targetName: TargetNameSchema,
  tool: z.string(),
  plan: ExperimentPlanSchema,
  state: z.union([z.literal('running'), ExperimentEndingSchema]),
  /** Why it ended before its end; null otherwise. */
  reason: z.string().nullable(),
  /** The name that the person typed for the whole plan; null = none was needed. */
  confirmedTool: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  sentCount: z.number().int(),
  sends: z.array(ExperimentSendSchema),
  matrix: z.discriminatedUnion('kind', [
    RepeatMatrixSchema.extend({ kind: z.literal('repeat') }),
    RaceMatrixSchema.extend({ kind: z.literal('race') }),
    AttributionMatrixSchema.extend({ kind: z.literal('attribute') }),
    BoundaryMatrixSchema.extend({ kind: z.literal('boundary') }),
  ]),
  /** Arguments that alone turn A's outcome into B's and have values between, and what a search would send at most. */
  boundaries: z.array(z.object({ argument: z.string(), callCount: z.number().int() })),
});
export type Experiment = z.infer<typeof ExperimentSchema>;
