import {
  CapturedValueSchema,
  CaptureStateSchema,
  EvidenceGradeSchema,
  EXPERIMENT_KINDS,
  ExperimentSchema,
  ExternalMarkSchema,
  FrameDirectionSchema,
  FrameHeadSchema,
  FrameTransportSchema,
  ImportIssueSchema,
  MarkSchema,
  OriginSchema,
  OutcomeSchema,
  PairingSchema,
  RecordCountsSchema,
  ReplayOutcomeSchema,
  RunClockSchema,
  RunCostSchema,
  RunIdSchema,
  SourceHashSchema,
  StepCostSchema,
  StepIdSchema,
  StepKindSchema,
  StepStatusSchema,
  TargetNameSchema,
  UlidSchema,
  UnusedGroupSchema,
  UnusedRecordSchema,
  UsageSchema,
} from '@misstep/model';
import { z } from 'zod';

/** Nanoseconds as decimal digits: they pass 2^53 and would be rounded as a JSON number. */
export const NanosecondsTextSchema = z.string().regex(/^-?\d+$/);

export const NoneSchema = z.undefined();
export const EmptySchema = z.strictObject({});

export const RunParamsSchema = z.object({ runId: RunIdSchema });
export const StepParamsSchema = z.object({ runId: RunIdSchema, stepId: StepIdSchema });

/** One row of the run list. */
export const RunSummarySchema = z.object({
  id: RunIdSchema,
  title: z.string(),
  format: z.string(),
  formatTitle: z.string(),
  client: z.string().nullable(),
  model: z.string().nullable(),
  naturalId: z.string().nullable(),
  clock: RunClockSchema,
  startedAtNs: NanosecondsTextSchema.nullable(),
  endedAtNs: NanosecondsTextSchema.nullable(),
  /** As the source writes it, for clocks that are no instant. */
  startedAtText: z.string().nullable(),
  stepCount: z.number().int(),
  toolCallCount: z.number().int(),
  modelCallCount: z.number().int(),
  errorCount: z.number().int(),
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  cost: RunCostSchema,
  bestEvidence: EvidenceGradeSchema,
  /** Distinct names of the tools that the run called. */
  tools: z.array(z.string()),
  tags: z.array(z.string()),
  outcome: OutcomeSchema.nullable(),
  mark: MarkSchema.nullable(),
  /** seq of the marked step, or of the step before the marked gap (0 = before the first). */
  markSeq: z.number().int().nullable(),
  unreadCount: z.number().int(),
  importedAt: z.string(),
});
export type RunSummary = z.infer<typeof RunSummarySchema>;

export const RunSourceSchema = z.object({
  sha256: SourceHashSchema,
  name: z.string(),
  sizeBytes: z.number().int(),
  /** A container is what others were unpacked from, kept as it came. */
  role: z.enum(['main', 'companion', 'container']),
  /** A companion's own name within the run; of a container, what it calls the part that was read. */
  part: z.string().nullable(),
  records: RecordCountsSchema,
});
export type RunSource = z.infer<typeof RunSourceSchema>;

export const RunDetailSchema = RunSummarySchema.extend({
  sources: z.array(RunSourceSchema),
  issues: z.array(ImportIssueSchema),
  issuesOmitted: z.number().int(),
  /** Judgements that the source itself holds, as a data set's label; never the person's mark. */
  externalMarks: z.array(ExternalMarkSchema.extend({ seq: z.number().int().nullable() })),
  /** How many steps have each grade, in the order of EVIDENCE_GRADES. */
  evidenceCounts: z.array(z.number().int()),
  /** Nanoseconds in which at least one step with recorded times was open; null = no times. */
  activeNs: z.number().nullable(),
  frameCount: z.number().int(),
  replayCount: z.number().int(),
  demo: z.boolean(),
});
export type RunDetail = z.infer<typeof RunDetailSchema>;

const CallPlaceSchema = z.object({ stepId: StepIdSchema, seq: z.number().int(), tool: z.string() });

/** A wire recording beside a run. Which call is which there is derived by Misstep. */
export const WireJoinSchema = z.object({
  /** Null where none is joined; everything else is empty then. */
  wireRun: z.object({ id: RunIdSchema, title: z.string() }).nullable(),
  pairedCount: z.number().int(),
  /** Every tool call of the run, in order of execution. */
  calls: z.array(
    CallPlaceSchema.extend({
      /** The same call on the wire; null = not found there. */
      wire: CallPlaceSchema.omit({ tool: true }).nullable(),
      /** By tool and arguments, or by the order of the tool's calls alone. */
      by: z.enum(['arguments', 'order']).nullable(),
      remark: z.string().nullable(),
    }),
  ),
  /** Calls on the wire that are none of the run's. */
  wireAlone: z.array(CallPlaceSchema),
});
export type WireJoin = z.infer<typeof WireJoinSchema>;

/** A recorded value with its text, as far as it is sent: the cut is counted. */
export const ValueDetailSchema = CapturedValueSchema.omit({ inlineText: true }).extend({
  state: CaptureStateSchema,
  /** Null where the source holds nothing. */
  text: z.string().nullable(),
  /** UTF-8 size of the whole text and of what `text` leaves out. */
  sizeBytes: z.number().int(),
  omittedBytes: z.number().int(),
});
export type ValueDetail = z.infer<typeof ValueDetailSchema>;

export const StepDetailSchema = z.object({
  id: StepIdSchema,
  runId: RunIdSchema,
  seq: z.number().int(),
  parentId: StepIdSchema.nullable(),
  kind: StepKindSchema,
  name: z.string(),
  server: z.string().nullable(),
  tool: z.string().nullable(),
  callId: z.string().nullable(),
  model: z.string().nullable(),
  startedAtNs: NanosecondsTextSchema.nullable(),
  endedAtNs: NanosecondsTextSchema.nullable(),
  startedAtText: z.string().nullable(),
  endedAtText: z.string().nullable(),
  durationNs: z.number().nullable(),
  timeEvidence: EvidenceGradeSchema,
  status: StepStatusSchema,
  statusReason: z.string().nullable(),
  pairing: PairingSchema.nullable(),
  arguments: ValueDetailSchema.nullable(),
  result: ValueDetailSchema.nullable(),
  content: z.array(
    z.object({
      kind: z.enum(['text', 'thinking', 'image', 'document', 'other']),
      value: ValueDetailSchema,
      /** What the recording calls it, where that tells it from others. */
      name: z.string().optional(),
    }),
  ),
  usage: UsageSchema.nullable(),
  /** Null for what is no model call and holds neither tokens nor a cost. */
  cost: StepCostSchema.nullable(),
  evidence: EvidenceGradeSchema,
  origin: OriginSchema,
  moreOrigins: z.array(OriginSchema),
  emptyResult: z.boolean().nullable(),
  frameCount: z.number().int(),
  replayCount: z.number().int(),
});
export type StepDetail = z.infer<typeof StepDetailSchema>;

export const RunFrameDetailSchema = FrameHeadSchema.extend({
  seq: z.number().int(),
  direction: FrameDirectionSchema,
  transport: FrameTransportSchema,
  monotonicNs: NanosecondsTextSchema.nullable(),
  wallNs: NanosecondsTextSchema.nullable(),
  origin: OriginSchema,
  sizeBytes: z.number().int(),
  stepId: StepIdSchema.nullable(),
  text: z.string(),
  omittedBytes: z.number().int(),
});
export type RunFrameDetail = z.infer<typeof RunFrameDetailSchema>;

/** Raw bytes of a source around a place. */
export const SourceWindowSchema = z.object({
  sha256: SourceHashSchema,
  sizeBytes: z.number().int(),
  offset: z.number().int(),
  length: z.number().int(),
  base64: z.string(),
});
export type SourceWindow = z.infer<typeof SourceWindowSchema>;

export const FormatInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  evidence: EvidenceGradeSchema,
});
export type FormatInfo = z.infer<typeof FormatInfoSchema>;

export const ReplaySummarySchema = z.object({
  id: UlidSchema,
  runId: RunIdSchema,
  runTitle: z.string(),
  stepId: StepIdSchema,
  stepSeq: z.number().int(),
  tool: z.string(),
  targetName: TargetNameSchema,
  state: z.enum(['connecting', 'waiting', 'done']),
  startedAt: z.string(),
  /** From its start to its end, the server's start included. */
  durationNs: z.number().nullable(),
  /** From the call to its answer; null = none came. */
  callDurationNs: z.number().nullable(),
  outcome: ReplayOutcomeSchema.nullable(),
  verdict: z.string().nullable(),
  sentence: z.string().nullable(),
  editedArguments: z.boolean(),
  /** The experiment that it is a call of; null = sent by itself. */
  experimentId: UlidSchema.nullable(),
});
export type ReplaySummary = z.infer<typeof ReplaySummarySchema>;

/** One row of the list of experiments. */
export const ExperimentSummarySchema = ExperimentSchema.pick({
  id: true,
  runId: true,
  stepId: true,
  stepSeq: true,
  targetName: true,
  tool: true,
  state: true,
  reason: true,
  startedAt: true,
  endedAt: true,
  sentCount: true,
}).extend({
  kind: z.enum(EXPERIMENT_KINDS),
  runTitle: z.string(),
  callCount: z.number().int(),
  /** What is known, in one sentence. */
  sentence: z.string(),
});
export type ExperimentSummary = z.infer<typeof ExperimentSummarySchema>;

/** What the loop of change and answer has cost so far. */
export const LoopSchema = z.object({
  /** Calls that left for a server from here, of their own and in experiments. */
  directCalls: z.object({ total: z.number().int(), inExperiments: z.number().int() }),
  /** From the first edit of the arguments, or the opening of the draft, to the answer. */
  editToAnswer: z.object({
    /** Null = none was measured. */
    medianMs: z.number().nullable(),
    measuredCount: z.number().int(),
    /** Of those measured, how many had been edited. */
    editedCount: z.number().int(),
  }),
  /** By the tag `case:NAME`: runs of the agent on one case, and the tools that were called directly. */
  cases: z.array(
    z.object({
      name: z.string(),
      runCount: z.number().int(),
      tools: z.array(
        z.object({
          tool: z.string(),
          directCallCount: z.number().int(),
          /** Runs of the case that called the tool at all. */
          reachedRunCount: z.number().int(),
        }),
      ),
    }),
  ),
});
export type Loop = z.infer<typeof LoopSchema>;

export const UnusedPageSchema = z.object({
  /** Of the whole run, by state and reason, the largest first. */
  groups: z.array(
    UnusedGroupSchema.extend({
      /** How many of them have a place in `records`; more are only counted. */
      listed: z.number().int(),
    }),
  ),
  groupsOmitted: z.number().int(),
  /** Of the records that the query asks for. */
  total: z.number().int(),
  records: z.array(UnusedRecordSchema.extend({ text: z.string(), omittedBytes: z.number().int() })),
});
export type UnusedPage = z.infer<typeof UnusedPageSchema>;
