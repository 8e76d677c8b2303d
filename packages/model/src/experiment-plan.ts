import { z } from 'zod';
import { StepIdSchema, TargetNameSchema, UlidSchema } from './ids.ts';

export const EXPERIMENT_KINDS = ['repeat', 'race', 'attribute', 'boundary'] as const;
export type ExperimentKind = (typeof EXPERIMENT_KINDS)[number];

/** The most calls of one experiment. */
export const MOST_EXPERIMENT_CALLS = 500;

/** A call of an experiment: as recorded, as a replay sent it, or with the text given. */
export const ExperimentCallSchema = z.strictObject({
  stepId: StepIdSchema,
  /** Takes the arguments that this replay sent; null = it isn't from a replay. */
  replayId: UlidSchema.nullable().default(null),
  /** JSON text in place of what the step or the replay has. */
  argumentsText: z.string().nullable().default(null),
});
export type ExperimentCall = z.infer<typeof ExperimentCallSchema>;

const common = {
  targetName: TargetNameSchema,
  /** For each call. */
  timeoutMs: z.number().int().min(100).max(600_000).default(60_000),
  /** From the start of one call to the start of the next, at least. */
  gapMs: z.number().int().min(200).max(60_000).default(250),
  /** Calls also a tool that a conforming client leaves out of a server's list. */
  sendsLeftOut: z.boolean().default(false),
  call: ExperimentCallSchema,
};

/** What a person asks for; nothing in it sends anything. */
export const ExperimentRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('repeat'),
    ...common,
    times: z.number().int().min(2).max(100).default(5),
  }),
  z.strictObject({
    kind: z.literal('race'),
    ...common,
    /** Null = all of them are the same call, and crossed answers can't be seen. */
    callB: ExperimentCallSchema.nullable().default(null),
    atOnce: z.number().int().min(2).max(50).default(8),
    connections: z.enum(['one', 'each']).default('one'),
  }),
  z.strictObject({
    kind: z.literal('attribute'),
    ...common,
    callB: ExperimentCallSchema,
    /** `error`, `hash`, `value:/pointer` or `count:/pointer`. */
    signature: z.string().max(2000),
    /** Pointers that a hash leaves out, with all below them. */
    ignoredPointers: z.array(z.string().max(2000)).max(100).default([]),
    /** How often each combination is called. */
    repeats: z.number().int().min(2).max(20).default(3),
  }),
  z.strictObject({
    kind: z.literal('boundary'),
    ...common,
    callB: ExperimentCallSchema,
    /** The one that is moved from A's value to B's; the others stay as A has them. */
    argument: z.string().max(2000),
    /** As in `attribute`. */
    signature: z.string().max(2000),
    ignoredPointers: z.array(z.string().max(2000)).max(100).default([]),
    /** Values tried where the search did not lead, to see whether the outcome changes there too. */
    elsewhere: z.number().int().min(0).max(20).default(4),
  }),
]);
export type ExperimentRequest = z.infer<typeof ExperimentRequestSchema>;

/** One call in the order in which they go out. */
export const PlannedSendSchema = z.object({
  /** Unique within the experiment. */
  id: z.string(),
  label: z.string(),
  /** `check`, `repeat 2`, `alone`, `at once`, `halving`: what it belongs to. */
  round: z.string(),
});
export type PlannedSend = z.infer<typeof PlannedSendSchema>;

/** What would be sent, said before anything is; the person confirms it as a whole. */
export const ExperimentPlanSchema = z.object({
  request: ExperimentRequestSchema,
  kind: z.enum(EXPERIMENT_KINDS),
  tool: z.string(),
  /** The most calls that it sends. */
  callCount: z.number().int(),
  /** Calls that may change something at the server: all, unless it is trusted to say otherwise. */
  destructiveCount: z.number().int(),
  /** Whether the tool's name has to be typed, and why. */
  needsName: z.boolean(),
  harm: z.string(),
  sentence: z.string(),
  /** A, and B where there is one. */
  calls: z.array(
    z.object({
      name: z.enum(['A', 'B']),
      stepId: StepIdSchema,
      stepSeq: z.number().int(),
      from: z.enum(['recorded', 'replay', 'edited']),
      replayId: UlidSchema.nullable(),
      argumentsText: z.string(),
    }),
  ),
  order: z.array(PlannedSendSchema),
  /** Of the shuffled order: the same seed gives the same order. */
  seed: z.number().int().min(0).max(0xffff_ffff),
  /** By the median of what is known of this call; null = nothing is. */
  expected: z.object({
    ms: z.number().nullable(),
    basis: z.enum(['replays', 'recording']).nullable(),
    sampleCount: z.number().int(),
  }),
  /** Attribution: whether every combination is called, and the bound up to which it is. */
  wholeLattice: z.boolean().nullable(),
  /** Places in A's known answer that can be counted or held against each other. */
  places: z.array(
    z.object({ pointer: z.string(), kind: z.enum(['list', 'value']), words: z.string() }),
  ),
  /** SHA-256 of all of the above: what is confirmed is what is sent. */
  sha256: z.string(),
});
export type ExperimentPlan = z.infer<typeof ExperimentPlanSchema>;
