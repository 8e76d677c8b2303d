import { z } from 'zod';
import { OriginSchema } from './captured-value.ts';
import { StepIdSchema } from './ids.ts';

export const FRAME_DIRECTIONS = ['client-to-server', 'server-to-client'] as const;
export const FrameDirectionSchema = z.enum(FRAME_DIRECTIONS);
export type FrameDirection = z.infer<typeof FrameDirectionSchema>;

export const FRAME_TRANSPORTS = ['stdio', 'streamable-http', 'sse', 'unknown'] as const;
export const FrameTransportSchema = z.enum(FRAME_TRANSPORTS);
export type FrameTransport = z.infer<typeof FrameTransportSchema>;

/**
 * What a frame is by JSON-RPC 2.0: `malformed` = no message can be read from the bytes,
 * `noise` = text on the transport that is no JSON at all (a banner on stdout), `cut` = larger than
 * Misstep keeps, so that its end is missing and nothing is judged by it.
 */
export const FrameKindSchema = z.enum([
  'request',
  'response',
  'error',
  'notification',
  'batch',
  'malformed',
  'noise',
  'cut',
]);
export type FrameKind = z.infer<typeof FrameKindSchema>;

/** What can be said of a frame without its bytes. */
export const FrameHeadSchema = z.object({
  kind: FrameKindSchema,
  method: z.string().nullable(),
  /** The id as it is written in the frame (`1`, `"1"`, `null`); null = none. */
  idText: z.string().nullable(),
  /** What a person should know of it, e.g. why a strict client would drop it. */
  remark: z.string().nullable(),
});
export type FrameHead = z.infer<typeof FrameHeadSchema>;

/** One JSON-RPC message of a recorded run, exactly as it crossed the transport. */
export const RunFrameSchema = FrameHeadSchema.extend({
  /** Order in the source, from 1. */
  seq: z.number().int().positive(),
  direction: FrameDirectionSchema,
  transport: FrameTransportSchema,
  /** Nanoseconds on the recording's monotonic clock; null = not recorded. */
  monotonicNs: z.bigint().nullable(),
  /** Nanoseconds since 1970; null = not recorded. */
  wallNs: z.bigint().nullable(),
  origin: OriginSchema,
  sizeBytes: z.number().int().nonnegative(),
  stepId: StepIdSchema.nullable(),
});
export type RunFrame = z.infer<typeof RunFrameSchema>;
