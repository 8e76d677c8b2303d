import { RunIdSchema } from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema } from '../shapes.ts';

/** The receiver of OTLP, which itself answers at POST /v1/traces and /v1/logs and speaks OTLP. */
const ReceiverStateSchema = z.object({
  /** Where exporters send spans to; log records go to `/v1/logs` beside it. */
  endpoint: z.string(),
  /** When the token was made that exporters must send; null = there is none, nothing is taken. */
  tokenMadeAt: z.string().nullable(),
  /**
   * What the environment of an agent needs, with a placeholder where the token goes: it is shown once, when
   * it is made.
   */
  environment: z.array(z.string()),
  /** Of this start. */
  requests: z.number().int().nonnegative(),
  spans: z.number().int().nonnegative(),
  rejectedSpans: z.number().int().nonnegative(),
  /** Log records that say something of a span. */
  logRecords: z.number().int().nonnegative(),
  rejectedLogRecords: z.number().int().nonnegative(),
  lastReceivedAt: z.string().nullable(),
  /** Raised whenever received spans were saved. */
  savedCount: z.number().int().nonnegative(),
  /** Runs that grew last, the latest first; 50 at most. */
  grownRunIds: z.array(RunIdSchema),
});
export type ReceiverState = z.infer<typeof ReceiverStateSchema>;

export const getReceiver = defineRoute({
  method: 'GET',
  path: '/api/receiver',
  summary: 'Where running agents send their spans, and what came.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: ReceiverStateSchema,
  errors: [],
});

export const makeReceiverToken = defineRoute({
  method: 'POST',
  path: '/api/receiver/token',
  summary: 'Make the token that exporters send; one made before holds no longer. Shown this once.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({}),
  responseKind: 'json',
  response: z.object({
    token: z.string(),
    /** What the environment of an agent needs, one NAME=VALUE a line. */
    environment: z.array(z.string()),
    receiver: ReceiverStateSchema,
  }),
  errors: ['DISK_FULL'],
});

export const removeReceiverToken = defineRoute({
  method: 'DELETE',
  path: '/api/receiver/token',
  summary: 'Take no more spans. What was received stays.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: ReceiverStateSchema,
  errors: ['DISK_FULL'],
});
