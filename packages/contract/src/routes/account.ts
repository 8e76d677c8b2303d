import {
  BinaryFactSchema,
  ComparisonRowSchema,
  ComparisonSchema,
  ReceiptSchema,
  TargetNameSchema,
  UlidSchema,
  VERDICTS,
  VerdictSchema,
} from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema, StepParamsSchema } from '../shapes.ts';

const ReplayParamsSchema = z.object({ replayId: UlidSchema });

/** A preset's name or a pattern such as /items/*\/etag: the form of `--ignore`, of one rule. */
const IgnoreRuleSchema = z.string().min(1).max(500);

export const PinStatementSchema = z.object({
  name: z.string(),
  /** Null = can't be known. */
  same: z.boolean().nullable(),
  words: z.string(),
});
export type PinStatement = z.infer<typeof PinStatementSchema>;

export const ReceiptAccountSchema = z.object({
  receipt: ReceiptSchema,
  /** Exactly as it was made; its SHA-256 is `receiptSha256`. */
  receiptText: z.string(),
  receiptSha256: z.string(),
  pins: z.array(PinStatementSchema),
  /** To what a difference can be laid, in one sentence. */
  meaning: z.string(),
  /**
   * The result as a client takes it that holds it against the tool's `outputSchema`; null = the
   * replay saw no definition or has no result.
   */
  resultCheck: z
    .object({
      verdict: z.enum(['accepted', 'refused', 'not checked', 'nothing declared']),
      sentence: z.string(),
    })
    .nullable(),
  /** What the recorded request held beside name and arguments; null = it can't be told. */
  notSentAgain: z
    .array(z.object({ pointer: z.string(), text: z.string(), why: z.string() }))
    .nullable(),
  /** Why `notSentAgain` is null: the call was not sent, no recorded frame, or one that can't be read. */
  notSentAgainWhy: z.string().nullable(),
  /** What an export leaves out, or where a secret still stands. */
  exportNotes: z.array(z.string()),
  /** Why it may still show what was a secret, in one sentence; absent = all that was is masked. */
  notChecked: z.string().optional(),
});
export type ReceiptAccount = z.infer<typeof ReceiptAccountSchema>;

export const getReceipt = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/receipt',
  summary: 'The account of a replay, what was and was not the same, and what that means.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: ReceiptAccountSchema,
  errors: ['REPLAY_NOT_FOUND', 'RECEIPT_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

export const verifyReceipt = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/receipt/verification',
  summary: 'What the receipt says, recomputed from its frames.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    verified: z.boolean(),
    sentence: z.string(),
    checks: z.array(
      z.object({
        field: z.string(),
        state: z.enum(['matches', 'differs', 'cannot be checked']),
        inReceipt: z.string().nullable(),
        inFrames: z.string().nullable(),
        note: z.string().nullable(),
      }),
    ),
  }),
  errors: ['REPLAY_NOT_FOUND', 'RECEIPT_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

export const exportReceipt = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/receipt/export',
  summary: 'Frames and receipt as one file, without what looks like a secret in the address.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'bytes',
  response: z.unknown(),
  errors: ['REPLAY_NOT_FOUND', 'RECEIPT_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

export const getComparison = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/comparison',
  summary: 'The comparison of a replay under the ignore rules that are kept for its tool.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    /** Null where no answer came. */
    comparison: ComparisonSchema.nullable(),
    rules: z.array(z.string()),
    /** Presets that would take rows; nothing is ignored by them yet. */
    suggestions: z.array(
      z.object({ rule: z.string(), count: z.number().int(), example: z.string() }),
    ),
  }),
  errors: ['REPLAY_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

/** Verdicts with commas, e.g. `server differs now,cannot tell`. */
const VerdictListSchema = z
  .string()
  .refine((given) => given.split(',').every((each) => VerdictSchema.safeParse(each).success), {
    error: `Verdicts with commas: ${VERDICTS.join(', ')}.`,
  });

export const listComparisonRows = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/comparison/rows',
  summary: 'A page of all rows of a comparison, also those over its cap, in document order.',
  params: ReplayParamsSchema,
  query: z.strictObject({
    offset: z.coerce.number().int().nonnegative().default(0),
    limit: z.coerce.number().int().min(1).max(2000).default(2000),
    /** Rows with these verdicts only; all where it is absent. */
    verdict: VerdictListSchema.optional(),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    rows: z.array(ComparisonRowSchema),
    /** Rows that the page is cut from: those with the verdicts asked for. */
    total: z.number().int().nonnegative(),
  }),
  errors: ['REPLAY_NOT_FOUND', 'RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

export const putIgnoreRules = defineRoute({
  method: 'PUT',
  path: '/api/runs/:runId/steps/:stepId/ignore-rules',
  summary: 'Keep these ignore rules for the tool of this step, in place of those before.',
  params: StepParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ rules: z.array(IgnoreRuleSchema).max(50) }),
  responseKind: 'json',
  response: z.object({ rules: z.array(z.string()) }),
  errors: ['RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'DISK_FULL'],
});

export const TextDifferenceSchema = z.object({
  /** Which recorded version stands on the left. */
  recorded: z.enum(['transcript', 'wire']),
  reading: z.string(),
  lines: z.array(
    z.object({
      kind: z.enum(['same', 'recorded', 'live', 'gap']),
      recordedLine: z.number().int().nullable(),
      liveLine: z.number().int().nullable(),
      text: z.string(),
      /** Characters left out of a long line, or lines of a gap. */
      omitted: z.number().int(),
      /** Of a line that is base64 of bytes: what they are; `text` keeps a beginning. */
      binary: BinaryFactSchema.optional(),
    }),
  ),
  linesOmitted: z.number().int(),
});
export type TextDifference = z.infer<typeof TextDifferenceSchema>;

export const getTextDifference = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/text-difference',
  summary: 'Recorded and live result line by line; null where one of them is missing.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ difference: TextDifferenceSchema.nullable() }),
  errors: ['REPLAY_NOT_FOUND', 'RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

export const TAKE_AWAY_FORMS = ['curl', 'shell', 'node', 'pytest', 'frames'] as const;
const TakeAwayFormSchema = z.enum(TAKE_AWAY_FORMS);
const TakeAwaySchema = z.object({
  fileName: z.string(),
  text: z.string(),
  /** What is not as in the call, or has to be put in. */
  notes: z.array(z.string()),
});

export const takeAwayReplay = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId/take-away',
  summary: 'The call of a replay as curl, a shell line, a Node test, a pytest or raw frames.',
  params: ReplayParamsSchema,
  query: z.strictObject({ form: TakeAwayFormSchema }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: TakeAwaySchema,
  errors: ['REPLAY_NOT_FOUND', 'TARGET_NOT_FOUND'],
});

export const takeAwayStep = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/steps/:stepId/take-away',
  summary: 'The recorded call, to a target, in one of the same forms.',
  params: StepParamsSchema,
  query: z.strictObject({ form: TakeAwayFormSchema, targetName: TargetNameSchema }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: TakeAwaySchema,
  errors: ['RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'TARGET_NOT_FOUND', 'REPLAY_REFUSED'],
});
