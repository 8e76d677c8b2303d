export {
  type CapturedValue,
  CapturedValueSchema,
  type Elision,
  ElisionSchema,
  notCaptured,
  type Origin,
  OriginSchema,
  VALUE_ENCODINGS,
  type ValueEncoding,
  ValueEncodingSchema,
} from './captured-value.ts';
export {
  type BinaryFact,
  BinaryFactSchema,
  type Comparison,
  type ComparisonRow,
  ComparisonRowSchema,
  ComparisonSchema,
  placeOfRow,
  VERDICTS,
  VERSION_NAMES,
  type Verdict,
  VerdictSchema,
  type VersionName,
  VersionNameSchema,
  type VersionSize,
  VersionSizeSchema,
  verdictWords,
} from './comparison.ts';
export {
  costOfRun,
  costOfStep,
  type RunCost,
  RunCostSchema,
  type StepCost,
  StepCostSchema,
} from './cost.ts';
export { editDistance } from './edit-distance.ts';
export { ERROR_CATALOGUE, type ErrorCode, isMisstepError, MisstepError } from './errors.ts';
export {
  bestEvidence,
  CAPTURE_STATES,
  type CaptureState,
  CaptureStateSchema,
  EVIDENCE_GRADES,
  type EvidenceGrade,
  EvidenceGradeSchema,
} from './evidence.ts';
export {
  type Experiment,
  type ExperimentEnding,
  ExperimentEndingSchema,
  ExperimentSchema,
  type ExperimentSend,
} from './experiment.ts';
export type {
  ArgumentDifference,
  ArgumentJudgement,
  ArgumentVerdict,
  AttributionCell,
  AttributionMatrix,
  BoundaryMatrix,
  BoundaryRound,
  BoundaryRow,
  RaceMatrix,
  RaceRow,
  RepeatMatrix,
  Words,
} from './experiment-matrix.ts';
export {
  EXPERIMENT_KINDS,
  type ExperimentCall,
  type ExperimentKind,
  type ExperimentPlan,
  ExperimentPlanSchema,
  type ExperimentRequest,
  ExperimentRequestSchema,
  MOST_EXPERIMENT_CALLS,
  type PlannedSend,
} from './experiment-plan.ts';
export { type ExternalMark, ExternalMarkSchema } from './external-mark.ts';
export {
  FRAME_DIRECTIONS,
  FRAME_TRANSPORTS,
  type FrameDirection,
  FrameDirectionSchema,
  type FrameHead,
  FrameHeadSchema,
  type FrameKind,
  FrameKindSchema,
  type FrameTransport,
  FrameTransportSchema,
  type RunFrame,
  RunFrameSchema,
} from './frame.ts';
export {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  type FrameLogDamage,
  type FrameLogEntry,
  type FrameLogLane,
  type FrameLogReading,
  type FrameLogRecord,
  readFrameLog,
  startsWithMagic,
  streamFrameLog,
} from './frame-log.ts';
export {
  type RunId,
  RunIdSchema,
  type SourceHash,
  SourceHashSchema,
  type StepId,
  StepIdSchema,
  type TargetName,
  TargetNameSchema,
  type Ulid,
  UlidSchema,
} from './ids.ts';
export { adviceOn, ISSUE_ADVICE } from './issue-advice.ts';
export {
  type Citation,
  CitationSchema,
  MARK_CATEGORIES,
  type Mark,
  type MarkDraft,
  MarkDraftSchema,
  type MarkPlace,
  MarkPlaceSchema,
  MarkSchema,
} from './mark.ts';
export {
  LONG_INPUT_TOKENS,
  type ModelUsage,
  ModelUsageSchema,
} from './model-usage.ts';
export { readUsd, usdText } from './money.ts';
export { type AgentTree, ownAgents } from './own-agents.ts';
export {
  type Price,
  PriceAmountSchema,
  PriceFinder,
  type PriceRow,
  PriceRowSchema,
  PriceSchema,
} from './price.ts';
export { PRICE_TABLE, PRICE_TABLE_DATE } from './price-table.ts';
export { noDefinitionWords, wasCallSent } from './receipt-facts.ts';
export {
  AUDIT_ANSWERS,
  AUDIT_FIELDS,
  AUDIT_QUESTION_IDS,
  AUDIT_QUESTIONS,
  type AuditAnswer,
  type AuditedQuestion,
  AuditedQuestionSchema,
  type AuditField,
  type AuditQuestionId,
  type RecordingAudit,
  RecordingAuditSchema,
} from './recording-audit.ts';
export {
  REFUSALS,
  REPLAY_OUTCOMES,
  type Receipt,
  ReceiptSchema,
  type Refusal,
  RefusalSchema,
  type Replay,
  type ReplayEvent,
  ReplayEventSchema,
  type ReplayFrame,
  ReplayFrameSchema,
  type ReplayOutcome,
  ReplayOutcomeSchema,
  ReplaySchema,
  type ServerAsk,
  ServerAskSchema,
} from './replay.ts';
export { fail, ok, type Result } from './result.ts';
export {
  addRecordCounts,
  type ImportIssue,
  ImportIssueSchema,
  NO_RECORDS,
  type Outcome,
  OutcomeSchema,
  type RecordCounts,
  RecordCountsSchema,
  type Run,
  type RunClock,
  RunClockSchema,
  RunSchema,
  type UnusedGroup,
  UnusedGroupSchema,
  type UnusedRecord,
  UnusedRecordSchema,
  type UnusedState,
  UnusedStateSchema,
} from './run.ts';
export { activeTimeOf, totalsOf } from './run-totals.ts';
export {
  type KeptPlaces,
  KeptPlacesSchema,
  type SecretPlaces,
  SecretPlacesSchema,
} from './secret-places.ts';
export { isWholeHash, shortHash } from './short-hash.ts';
export { type Skeleton, SkeletonSchema, STEP_FLAGS, type StepFlag } from './skeleton.ts';
export {
  buildSkeleton,
  durationOf,
  hasClockSkew,
  isFailedCall,
  RetryGroups,
} from './skeleton-columns.ts';
export {
  encodeSpanJournalRecord,
  encodeSpanJournalStart,
  journalTraceId,
  readSpanJournal,
  SPAN_ENCODINGS,
  SPAN_JOURNAL_START,
  type SpanEncoding,
  type SpanJournalDamage,
  type SpanJournalEntry,
  type SpanJournalReading,
  type SpanJournalRecord,
} from './span-journal.ts';
export {
  type ContentPart,
  ContentPartSchema,
  FAILED_STATUSES,
  type Pairing,
  PairingSchema,
  STEP_KINDS,
  STEP_STATUSES,
  type Step,
  type StepKind,
  StepKindSchema,
  StepSchema,
  type StepStatus,
  StepStatusSchema,
  type StepTime,
  StepTimeSchema,
  type Usage,
  UsageSchema,
} from './step.ts';
export {
  describeTarget,
  describeTargetAddress,
  NO_TARGET_SETTINGS,
  PROTOCOL_REVISIONS,
  type ProtocolRevision,
  ProtocolRevisionSchema,
  type Target,
  type TargetAddress,
  TargetAddressSchema,
  TargetSchema,
  type TargetSettings,
  TargetSettingsSchema,
} from './target.ts';
export {
  EnvironmentNameSchema,
  HeaderNameSchema,
  SECRET_KINDS,
  type SecretKind,
  SecretKindSchema,
  secretBinding,
  steersCode,
} from './target-secret.ts';
export { readTargetUrl } from './target-url.ts';
export { timeText } from './time-text.ts';
export { INPUT_SCHEMA_NAMES } from './tool-definition.ts';
export { escapeUnseen } from './unseen-characters.ts';
export { type UsageParts, usagePartsOf, wholeInputOf } from './usage-parts.ts';
export { valueText } from './value-text.ts';
