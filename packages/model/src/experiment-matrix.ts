import { z } from 'zod';
import { ReplayOutcomeSchema } from './replay.ts';

const durationNs = z.number().nullable();
const side = z.enum(['A', 'B']);

export const RepeatMatrixSchema = z.object({
  rows: z.array(
    z.object({
      replayId: z.string().nullable(),
      outcome: ReplayOutcomeSchema,
      callDurationNs: durationNs,
      /** The first row with the very same result bytes, counted from 1; itself where it is the first. */
      sameBytesAs: z.number().int(),
    }),
  ),
  /** Null until two calls have answered. */
  sameBytes: z.boolean().nullable(),
  sameOutcome: z.boolean().nullable(),
  /** Where the results differ, the first 200; a difference in white space alone has no pointer. */
  movingPointers: z.array(z.string()),
  movingPointersOmitted: z.number().int(),
  /** What stood there: the first different values of the first pointers, cut. */
  moves: z.array(z.object({ pointer: z.string(), values: z.array(z.string()) })),
  medianNs: durationNs,
  /** What these calls leave open, always said. */
  notShown: z.array(z.string()),
  sentence: z.string(),
});
export type RepeatMatrix = z.infer<typeof RepeatMatrixSchema>;

export const RaceRowSchema = z.object({
  label: z.string(),
  variant: side,
  connection: z.string(),
  outcome: ReplayOutcomeSchema,
  callDurationNs: durationNs,
  /** From 1, in the order in which answers came; null = none. */
  answerOrder: z.number().int().nullable(),
  /** Whether the answer is the one that the same call got alone; null = that can't be told. */
  likeAlone: z.boolean().nullable(),
  /** The other call, where the answer is the one that it got alone. */
  crossedWith: side.nullable(),
});
export type RaceRow = z.infer<typeof RaceRowSchema>;

export const RaceMatrixSchema = z.object({
  connections: z.enum(['one', 'each']),
  alone: z.array(
    z.object({
      variant: side,
      replayId: z.string().nullable(),
      outcome: ReplayOutcomeSchema,
      callDurationNs: durationNs,
    }),
  ),
  /** Pointers that moved between calls alone; answers are compared without them. */
  movingPointers: z.array(z.string()),
  rows: z.array(RaceRowSchema),
  errorCount: z.number().int(),
  differentCount: z.number().int(),
  crossedCount: z.number().int(),
  /** False where the calls could not be told apart by their answers. */
  canSeeCrossing: z.boolean(),
  inOrder: z.boolean().nullable(),
  medianAloneNs: durationNs,
  medianRacedNs: durationNs,
  /** What these calls leave open, always said. */
  notShown: z.array(z.string()),
  sentence: z.string(),
});
export type RaceMatrix = z.infer<typeof RaceMatrixSchema>;

/** One argument (a member of the arguments object) that two calls give differently. */
export const ArgumentDifferenceSchema = z.object({
  name: z.string(),
  /** Text as written; null = that call leaves it out. */
  a: z.string().nullable(),
  b: z.string().nullable(),
});
export type ArgumentDifference = z.infer<typeof ArgumentDifferenceSchema>;

/** What B's value of an argument has to do with B's outcome, as far as these calls show. */
export const ARGUMENT_VERDICTS = [
  'sufficient',
  'necessary',
  'sufficient and necessary',
  'no effect',
  'interacting',
  'not decided',
] as const;
export type ArgumentVerdict = (typeof ARGUMENT_VERDICTS)[number];

export const ArgumentJudgementSchema = z.object({
  argument: z.string(),
  verdict: z.enum(ARGUMENT_VERDICTS),
  sentence: z.string(),
});
export type ArgumentJudgement = z.infer<typeof ArgumentJudgementSchema>;

/** Words with the names in them told apart: names come from data and are shown as such. */
export const WordsSchema = z.array(z.object({ text: z.string(), isName: z.boolean() }));
export type Words = z.infer<typeof WordsSchema>;

export const AttributionCellSchema = z.object({
  /** For each argument whose value it had, e.g. `ABA`. */
  key: z.string(),
  /** `base` = A or B itself; `intoA` = A with one value of B; `intoB` = B with one of A. */
  group: z.enum(['base', 'intoA', 'intoB', 'mixed']),
  /** The argument that is switched; null in `base` and `mixed`. */
  flipped: z.string().nullable(),
  /** Null while nothing came, and where its calls had different outcomes. */
  signature: z.string().nullable(),
  isStable: z.boolean().nullable(),
  /** Items at the pointer, where these are what is counted. */
  count: z.number().int().nullable(),
  /** Against the side that it was made from. */
  effect: z.enum(['baseline', 'changes', 'no change', 'not known']),
  medianNs: durationNs,
  sends: z.array(
    z.object({
      /** Of the planned send, and what it belongs to: `check`, `repeat 2`. */
      id: z.string(),
      round: z.string(),
      replayId: z.string().nullable(),
      outcome: ReplayOutcomeSchema,
      signature: z.string(),
      callDurationNs: durationNs,
    }),
  ),
});
export type AttributionCell = z.infer<typeof AttributionCellSchema>;

export const AttributionMatrixSchema = z.object({
  arguments: z.array(ArgumentDifferenceSchema),
  /** What counts as outcome, in words, and as it was given. */
  signature: z.string(),
  signatureText: z.string(),
  outcomeA: z.string().nullable(),
  outcomeB: z.string().nullable(),
  /** Every planned combination, called or not. */
  cells: z.array(AttributionCellSchema),
  signatures: z.array(
    z.object({
      signature: z.string(),
      /** First eight digits of a SHA-256: a short name. */
      short: z.string(),
      words: z.string(),
      sendCount: z.number().int(),
      cellCount: z.number().int(),
    }),
  ),
  /** The outermost members in which the answers to A and B differ. */
  differences: z.array(z.object({ pointer: z.string(), a: z.string(), b: z.string() })),
  differencesOmitted: z.number().int(),
  /** Pointers that move between calls of the same arguments; left out of the signature by name. */
  excludedPointers: z.array(z.string()),
  /** Left out because the person said so. */
  ignoredPointers: z.array(z.string()),
  /** Why nothing is attributed; null where it is. */
  refusal: z.string().nullable(),
  judgements: z.array(ArgumentJudgementSchema),
  headline: WordsSchema,
  detail: WordsSchema,
  sentCount: z.number().int(),
  /** Sends whose combination had one outcome only, and at least two sends. */
  stableCount: z.number().int(),
  errorCount: z.number().int(),
  /** What these calls leave open, always said. */
  notShown: z.array(z.string()),
  sentence: z.string(),
});
export type AttributionMatrix = z.infer<typeof AttributionMatrixSchema>;

/** A and B; halving what is left between them; the neighbours found once more; the widest gaps. */
const BOUNDARY_ROUNDS = ['check', 'halving', 'once more', 'elsewhere'] as const;
export type BoundaryRound = (typeof BOUNDARY_ROUNDS)[number];

/** A value that was tried. */
const BoundaryRowSchema = z.object({
  /** Short, for a person. */
  value: z.string(),
  /** From A (0) to B (1). */
  share: z.number(),
  /** The round in which it was tried first. */
  round: z.enum(BOUNDARY_ROUNDS),
  /** Null where its calls had different outcomes, or one was not looked into. */
  signature: z.string().nullable(),
  isStable: z.boolean().nullable(),
  medianNs: durationNs,
  sends: AttributionCellSchema.shape.sends,
});
export type BoundaryRow = z.infer<typeof BoundaryRowSchema>;

export const BoundaryMatrixSchema = z.object({
  argument: z.string(),
  /** JSON text as written. */
  a: z.string(),
  b: z.string(),
  /** `1`, `1 day`, `1 character`: how near two values can be. */
  step: z.string(),
  signature: z.string(),
  signatureText: z.string(),
  outcomeA: z.string().nullable(),
  outcomeB: z.string().nullable(),
  /** The values tried, from A to B. */
  rows: z.array(BoundaryRowSchema),
  /**
   * Values tried one after the other with different outcomes, from A to B; the first is the one
   * that the search came to. Neighbours where no value stands between the two.
   */
  changes: z.array(z.object({ from: z.string(), to: z.string(), areNeighbours: z.boolean() })),
  /** Different outcomes among the values tried. */
  outcomeCount: z.number().int(),
  /** Digits: may be beyond what a double holds. Values strictly between A and B. */
  valuesBetween: z.string(),
  excludedPointers: z.array(z.string()),
  ignoredPointers: z.array(z.string()),
  /** Why nothing is said; null where it is. */
  refusal: z.string().nullable(),
  headline: WordsSchema,
  detail: WordsSchema,
  sentCount: z.number().int(),
  stableCount: z.number().int(),
  errorCount: z.number().int(),
  notShown: z.array(z.string()),
  sentence: z.string(),
});
export type BoundaryMatrix = z.infer<typeof BoundaryMatrixSchema>;
