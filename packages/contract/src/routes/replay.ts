import { ReplaySchema, TargetNameSchema, UlidSchema } from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema, ReplaySummarySchema, StepParamsSchema } from '../shapes.ts';

const ReplayParamsSchema = z.object({ replayId: UlidSchema });

export const startReplay = defineRoute({
  method: 'POST',
  path: '/api/runs/:runId/steps/:stepId/replays',
  summary: 'Send the recorded call once, with the arguments given, to a confirmed target.',
  params: StepParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    targetName: TargetNameSchema,
    /** JSON text; its bytes reach the server unchanged. Null = as recorded. */
    argumentsText: z.string().nullable(),
    /** Tool to call; null = the recorded one. */
    tool: z.string().min(1).max(512).nullable().default(null),
    /**
     * The tool's name, typed by the person: needed unless the server says `readOnlyHint` and the
     * target is trusted in that. It confirms exactly this send.
     */
    confirmTool: z.string().nullable(),
    /** Sends also to a tool that a conforming client leaves out; without it that is refused. */
    sendsLeftOut: z.boolean().default(false),
    timeoutMs: z.number().int().min(100).max(600_000).default(60_000),
    /**
     * How long the person has to answer what the server asks meanwhile, at most, and never longer
     * than half of what then remains of `timeoutMs`, which stands still so long; 0 = the default
     * answers at once.
     */
    askWaitMs: z.number().int().min(0).max(600_000).default(60_000),
    /**
     * How long the person prepared the call, in milliseconds: from the first edit of the arguments,
     * or from opening the draft where they were not edited. Null = not measured.
     */
    prepared: z
      .strictObject({
        ms: z.number().int().min(0).max(86_400_000),
        from: z.enum(['edit', 'open']),
      })
      .nullable()
      .default(null),
    /** Chosen by the client; the same key never sends twice. */
    idempotencyKey: z.string().min(8).max(100),
  }),
  responseKind: 'json',
  response: ReplaySchema,
  errors: ['RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'TARGET_NOT_FOUND', 'REPLAY_REFUSED', 'DISK_FULL'],
});

export const getReplay = defineRoute({
  method: 'GET',
  path: '/api/replays/:replayId',
  summary: 'One replay: frames so far, and once it is done its receipt and comparison.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: ReplaySchema,
  errors: ['REPLAY_NOT_FOUND', 'RESULT_TOO_LARGE', 'WORK_BUSY'],
});

export const cancelReplay = defineRoute({
  method: 'POST',
  path: '/api/replays/:replayId/cancel',
  summary:
    'Stop waiting; the server is told, and its process ended. One that another Misstep process runs is refused: cancel it there.',
  params: ReplayParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: EmptySchema,
  responseKind: 'json',
  response: ReplaySchema,
  errors: ['REPLAY_NOT_FOUND', 'REPLAY_REFUSED'],
});

export const answerAsk = defineRoute({
  method: 'POST',
  path: '/api/replays/:replayId/asks/:ordinal/answer',
  summary:
    'Answer once what the server asked while the replay runs: `text` is JSON and goes out as it is.',
  params: ReplayParamsSchema.extend({ ordinal: z.coerce.number().int().positive() }),
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    /** The member of the answer that the text becomes. */
    kind: z.enum(['result', 'error']),
    text: z.string().max(1_048_576),
  }),
  responseKind: 'json',
  response: ReplaySchema,
  errors: ['REPLAY_NOT_FOUND', 'ASK_NOT_FOUND', 'ASK_CLOSED', 'REPLAY_REFUSED'],
});

export const listReplays = defineRoute({
  method: 'GET',
  path: '/api/replays',
  summary: 'Replays, newest first: all, of a run, or of a step.',
  params: EmptySchema,
  query: z.strictObject({
    runId: StepParamsSchema.shape.runId.optional(),
    stepId: StepParamsSchema.shape.stepId.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ total: z.number().int(), replays: z.array(ReplaySummarySchema) }),
  errors: [],
});
