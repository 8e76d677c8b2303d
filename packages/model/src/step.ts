import { z } from 'zod';
import { CapturedValueSchema, OriginSchema } from './captured-value.ts';
import { EvidenceGradeSchema } from './evidence.ts';
import { StepIdSchema } from './ids.ts';

/**
 * Kinds of step, mapped onto the operation names of the OpenTelemetry GenAI conventions where
 * one exists: model = `chat`, tool = `execute_tool`, agent = `invoke_agent`,
 * retrieval = `retrieval`. `context` is a compaction, truncation or summary; `protocol` an MCP
 * exchange other than `tools/call`.
 */
export const STEP_KINDS = [
  'user',
  'model',
  'tool',
  'agent',
  'retrieval',
  'context',
  'protocol',
  'note',
] as const;
export const StepKindSchema = z.enum(STEP_KINDS);
export type StepKind = z.infer<typeof StepKindSchema>;

/**
 * What became of a call. Four failures stay apart: `error` (a tool result with `isError`),
 * `protocolError` (a JSON-RPC or transport error), `unanswered`, and `neverReached` (the client
 * refused the call or a person rejected it). `unknownTool` is the server's answer that it has
 * no such tool. `none` is for steps that are no call.
 */
export const STEP_STATUSES = [
  'none',
  'ok',
  'error',
  'protocolError',
  'unknownTool',
  'neverReached',
  'rejected',
  'interrupted',
  'cancelled',
  'unanswered',
  'unknown',
] as const;
export const StepStatusSchema = z.enum(STEP_STATUSES);
export type StepStatus = z.infer<typeof StepStatusSchema>;

export const FAILED_STATUSES: ReadonlySet<StepStatus> = new Set<StepStatus>([
  'error',
  'protocolError',
  'unknownTool',
  'neverReached',
]);

/** How a call and its result were put together. `derived` pairings are our work, not the source's. */
export const PairingSchema = z.object({
  by: z.enum(['id', 'order', 'name-and-order', 'none']),
  derived: z.boolean(),
});
export type Pairing = z.infer<typeof PairingSchema>;

export const ContentPartSchema = z.object({
  kind: z.enum(['text', 'thinking', 'image', 'document', 'other']),
  value: CapturedValueSchema,
  /** What the recording calls it (`gen_ai.input.messages`), where that tells it from others. */
  name: z.string().optional(),
});
export type ContentPart = z.infer<typeof ContentPartSchema>;

/** Tokens of one model call, as the format defines them; null = not recorded. */
export const UsageSchema = z.object({
  inputTokens: z.number().int().nonnegative().nullable(),
  outputTokens: z.number().int().nonnegative().nullable(),
  cacheReadTokens: z.number().int().nonnegative().nullable(),
  cacheWriteTokens: z.number().int().nonnegative().nullable(),
  /** Those of the cache writes that are kept for an hour; left out where the source doesn't say how long. */
  cacheWriteHourTokens: z.number().int().nonnegative().optional(),
  /** Requests that are charged one by one beside the tokens (searches of the provider's own); left out where none is told. */
  feeRequests: z.number().int().positive().optional(),
  /** True where `inputTokens` leaves cached tokens out (Anthropic), false where it holds them. */
  inputExcludesCache: z.boolean(),
});
export type Usage = z.infer<typeof UsageSchema>;

/** Where a time comes from. `position` = no time at all, placed by order only. */
export const StepTimeSchema = z.object({
  /**
   * Nanoseconds: since 1970 for clocks `zoned` and `local`, since midnight of the first day for
   * `timeOfDay`, since an unknown zero for `monotonic`. Null = not recorded.
   */
  startedAtNs: z.bigint().nullable(),
  endedAtNs: z.bigint().nullable(),
  /** The time as the source writes it; null = not recorded. */
  startedAtText: z.string().nullable(),
  endedAtText: z.string().nullable(),
  /** Grade of the timing, which may differ from the grade of the content. */
  evidence: EvidenceGradeSchema,
});
export type StepTime = z.infer<typeof StepTimeSchema>;

/** One node of a run's call tree. */
export const StepSchema = z.object({
  id: StepIdSchema,
  /** Execution order from 1, without gaps; what people call the step by. */
  seq: z.number().int().positive(),
  parentId: StepIdSchema.nullable(),
  kind: StepKindSchema,
  /** What the row is called: the tool's name as recorded, 'User turn', a sub-agent's name ... */
  name: z.string(),
  /** Server and tool where the recording lets one know them; null where it does not. */
  server: z.string().nullable(),
  tool: z.string().nullable(),
  /** The id by which the source pairs call and result, as text; null where it has none. */
  callId: z.string().nullable(),
  model: z.string().nullable(),
  time: StepTimeSchema,
  status: StepStatusSchema,
  /** Why the status is what it is, in the source's words or ours; null where it needs none. */
  statusReason: z.string().nullable(),
  pairing: PairingSchema.nullable(),
  arguments: CapturedValueSchema.nullable(),
  result: CapturedValueSchema.nullable(),
  content: z.array(ContentPartSchema),
  usage: UsageSchema.nullable(),
  /** USD as the source writes them for this one call, never a sum; null = it states none. */
  recordedCostUsd: z.string().nullable(),
  /** Grade of the step's content. */
  evidence: EvidenceGradeSchema,
  /** The step's first record, whole. */
  origin: OriginSchema,
  /** Further records that the step was read from (a result, later blocks of the same message). */
  moreOrigins: z.array(OriginSchema),
  /** One line for the tree, cut at 240 characters; text, never markup. */
  summary: z.string(),
  /** True where the result holds nothing (no rows, an empty list); null = no result or can't tell. */
  emptyResult: z.boolean().nullable(),
});
export type Step = z.infer<typeof StepSchema>;
