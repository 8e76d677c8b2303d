import { z } from 'zod';
import { ComparisonSchema } from './comparison.ts';
import { FrameDirectionSchema, FrameHeadSchema } from './frame.ts';
import {
  RunIdSchema,
  SourceHashSchema,
  StepIdSchema,
  TargetNameSchema,
  UlidSchema,
} from './ids.ts';
import { TargetAddressSchema } from './target.ts';

/** How a replay ended. Only `result` and `toolError` mean that the tool answered. */
export const REPLAY_OUTCOMES = [
  'result',
  'toolError',
  'protocolError',
  'malformedAnswer',
  'timedOut',
  'cancelled',
  'serverDidNotStart',
  'serverExited',
  'connectionFailed',
  'connectionLost',
  'handshakeFailed',
  'tooLarge',
  'interrupted',
] as const;
export const ReplayOutcomeSchema = z.enum(REPLAY_OUTCOMES);
export type ReplayOutcome = z.infer<typeof ReplayOutcomeSchema>;

/** Why nothing was sent. Each has its own sentence and next step. */
export const REFUSALS = [
  'targetNotFound',
  'targetNotConfirmed',
  'argumentsNotCaptured',
  'argumentsElided',
  'argumentsRedacted',
  'argumentsNotJson',
  'argumentsNotObject',
  'toolUnknown',
  'toolLeftOut',
  'notConfirmed',
  'alreadyRunning',
  'keyUsed',
  'secretsMissing',
  'signInNeeded',
] as const;
export const RefusalSchema = z.enum(REFUSALS);
export type Refusal = z.infer<typeof RefusalSchema>;

/** One frame of a replay, as it crossed the transport. */
export const ReplayFrameSchema = FrameHeadSchema.extend({
  seq: z.number().int().positive(),
  direction: FrameDirectionSchema,
  /** Nanoseconds since the replay began, on one clock with stderr. */
  atNs: z.number().int().nonnegative(),
  sizeBytes: z.number().int().nonnegative(),
  /** The frame's text, cut at a cap for display; `textOmittedBytes` says by how much. */
  text: z.string(),
  textOmittedBytes: z.number().int().nonnegative(),
  /** False where the bytes aren't UTF-8: then `base64` of the stored bytes is exact, `text` is not. */
  validUtf8: z.boolean(),
});
export type ReplayFrame = z.infer<typeof ReplayFrameSchema>;

/** Things on the same clock as the frames that are no frames. */
export const ReplayEventSchema = z.object({
  atNs: z.number().int().nonnegative(),
  kind: z.enum([
    'started',
    'stderr',
    'stderrOmitted',
    'http',
    'exit',
    'cancel',
    'timeout',
    'error',
    'note',
  ]),
  text: z.string(),
});
export type ReplayEvent = z.infer<typeof ReplayEventSchema>;

/**
 * What a server asked of the client while a replay ran: a JSON-RPC request of its own, or an entry
 * of `inputRequests` in an `input_required` result (MCP 2026-07-28).
 */
export const ServerAskSchema = z.object({
  /** Order among the asks of the replay, from 1. */
  ordinal: z.number().int().positive(),
  method: z.string(),
  /** The id as it is written, or the key in `inputRequests`. */
  idText: z.string(),
  atNs: z.number().int().nonnegative(),
  /** The request's params as written, cut for display; null = it has none. */
  paramsText: z.string().nullable(),
  paramsOmittedBytes: z.number().int().nonnegative(),
  /** What goes out where the person says nothing, and when: JSON text of a result or an error. */
  defaultAnswer: z.object({ kind: z.enum(['result', 'error']), text: z.string() }),
  /** Milliseconds that the person has before the default answers. */
  defaultAfterMs: z.number().int().nonnegative(),
  /** Null = nobody has answered. Its text is empty until its frame has left. */
  answer: z
    .object({
      by: z.enum(['person', 'default']),
      kind: z.enum(['result', 'error']),
      text: z.string(),
      atNs: z.number().int().nonnegative(),
    })
    .nullable(),
  /** Why nobody will answer any more: the server took it back, or the replay ended before. */
  endedUnanswered: z.enum(['withdrawn', 'replayEnded']).nullable(),
});
export type ServerAsk = z.infer<typeof ServerAskSchema>;

/**
 * The immutable account of one replay. Hashes are SHA-256 of exact bytes unless their name says
 * `canonical`, in which case `canonicalization` names the form.
 */
export const ReceiptSchema = z.object({
  receiptVersion: z.literal(1),
  id: UlidSchema,
  canonicalization: z.string(),
  runId: RunIdSchema,
  stepId: StepIdSchema,
  stepSeq: z.number().int().positive(),
  tool: z.string(),
  target: z.object({ name: TargetNameSchema, address: TargetAddressSchema }),
  pins: z.object({
    arguments: z.enum(['recorded', 'edited']),
    tool: z.enum(['recorded', 'edited']),
    attempts: z.literal(1),
    rendering: z.literal('none, raw bytes kept'),
    connection: z.literal('fresh'),
  }),
  arguments: z.object({
    sizeBytes: z.number().int().nonnegative(),
    sha256: SourceHashSchema,
    canonicalSha256: SourceHashSchema,
    /** Null where the recording doesn't hold the arguments. */
    recordedSha256: SourceHashSchema.nullable(),
    sameBytesAsRecorded: z.boolean().nullable(),
  }),
  toolDefinition: z.object({
    /** Null where the server didn't list the tool. */
    sha256: SourceHashSchema.nullable(),
    recordedSha256: SourceHashSchema.nullable(),
    readOnlyHint: z.boolean().nullable(),
    destructiveHint: z.boolean().nullable(),
  }),
  result: z.object({
    sizeBytes: z.number().int().nonnegative().nullable(),
    sha256: SourceHashSchema.nullable(),
    canonicalSha256: SourceHashSchema.nullable(),
  }),
  server: z.object({ name: z.string().nullable(), version: z.string().nullable() }),
  protocolRevision: z.string().nullable(),
  /**
   * `legacy` = greeted with initialize, `modern` = MCP 2026-07-28 and later, null = no handshake.
   * Receipts of earlier versions don't say.
   */
  protocolEra: z.enum(['legacy', 'modern']).nullable().optional(),
  /** Requests that the one call took: over 1 only where the server asked for input. */
  rounds: z.number().int().nonnegative().optional(),
  transport: z.enum(['stdio', 'streamable-http', 'sse']),
  startedAt: z.string(),
  endedAt: z.string(),
  durationNs: z.number().int().nonnegative(),
  /** From the bytes of the call leaving to the answer's last byte; null = no answer. */
  callDurationNs: z.number().int().nonnegative().nullable(),
  /**
   * What the server asked meanwhile; absent where it asked nothing, or nobody listened. `waitedNs`
   * is the part of `callDurationNs` in which an ask waited for its answer.
   */
  asks: z
    .object({
      byPerson: z.number().int().nonnegative(),
      byDefault: z.number().int().nonnegative(),
      unanswered: z.number().int().nonnegative(),
      waitedNs: z.number().int().nonnegative().nullable(),
    })
    .optional(),
  /** The frame log's bytes, lines of records included. Receipts of earlier versions don't cover it. */
  frameLog: z
    .object({
      sizeBytes: z.number().int().nonnegative(),
      sha256: SourceHashSchema,
      /**
       * The log as an export gives it away: each place where a secret stood when it was captured
       * replaced by its mask. So what is not secret can be checked without the secret. Absent =
       * there is no such place, or the receipt is of an earlier version.
       */
      masked: z
        .object({ sha256: SourceHashSchema, placeCount: z.number().int().positive() })
        .optional(),
    })
    .optional(),
  outcome: ReplayOutcomeSchema,
  outcomeDetail: z.string().nullable(),
  misstepVersion: z.string(),
});
export type Receipt = z.infer<typeof ReceiptSchema>;

/** A replay as it is shown: while it runs `receipt` is null and frames are those so far. */
export const ReplaySchema = z.object({
  id: UlidSchema,
  runId: RunIdSchema,
  stepId: StepIdSchema,
  state: z.enum(['connecting', 'waiting', 'done']),
  targetName: TargetNameSchema,
  tool: z.string(),
  argumentsText: z.string(),
  startedAt: z.string(),
  frames: z.array(ReplayFrameSchema),
  events: z.array(ReplayEventSchema),
  asks: z.array(ServerAskSchema),
  /** Asks past those listed: answered by default at once; their frames are there. Absent = none. */
  asksOmitted: z.number().int().positive().optional(),
  outcome: ReplayOutcomeSchema.nullable(),
  /** One sentence on how it ended and what to do; null while it runs. */
  outcomeSentence: z.string().nullable(),
  receipt: ReceiptSchema.nullable(),
  comparison: ComparisonSchema.nullable(),
  /** Why it may still show what was a secret, in one sentence; absent = all that was is masked. */
  notChecked: z.string().optional(),
});
export type Replay = z.infer<typeof ReplaySchema>;
