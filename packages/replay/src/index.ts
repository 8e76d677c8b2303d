export { type AskedToolList, askToolList, type ToolListRequest } from './ask-tool-list.ts';
export { AskDesk, checkAnswerText, MOST_ASKS } from './asks/ask-desk.ts';
export { defaultAnswerTo } from './asks/default-answer.ts';
export { AttributeExperiment } from './experiments/attribute.ts';
export { BoundaryExperiment } from './experiments/boundary.ts';
export {
  type ExperimentEnd,
  type ExperimentMachine,
  type MachinePlan,
  type PlannedCall,
  type RunOptions,
  runExperiment,
  type SendOnce,
  type SentOutcome,
} from './experiments/experiment.ts';
export { findBoundaries } from './experiments/find-boundaries.ts';
export { raceLeftOpen, repeatLeftOpen } from './experiments/left-open.ts';
export { medianOf } from './experiments/median.ts';
export { placesToLookAt } from './experiments/outermost-differences.ts';
export {
  type RaceConnections,
  type RacedOutcome,
  RaceExperiment,
} from './experiments/race.ts';
export { RepeatExperiment } from './experiments/repeat.ts';
export { viewResult } from './experiments/result-view.ts';
export { runRace, type SendAtOnce } from './experiments/run-race.ts';
export { type AtOnceRequest, sendAtOnce } from './experiments/send-at-once.ts';
export { pointerFault, readSignature, type Signature } from './experiments/signature.ts';
export { planSplit, type SplitCall, type SplitPlan } from './experiments/split-plan.ts';
export { FrameLogWriter } from './frame-log-writer.ts';
export { nearestNames } from './nearest-names.ts';
export {
  adviseConfirming,
  checkListedTool,
  planArguments,
  planReplay,
  type ReplayPlan,
  recordedArguments,
} from './policy.ts';
export {
  createReceipt,
  describeResult,
  type ReceiptFacts,
  type ResultFacts,
  sha256,
} from './receipt.ts';
export { LEFT_OUT } from './receipts/address-secrets.ts';
export {
  type ExitSecrets,
  exportReceipt,
  NO_SECRETS,
  type ReceiptExport,
} from './receipts/export-receipt.ts';
export { findLogSecrets, type LogPlaces } from './receipts/log-secrets.ts';
export {
  answerBytesOf,
  type LoggedCall,
  type LoggedResult,
  readLoggedCall,
  readLoggedResult,
  resultBytesOf,
} from './receipts/logged-call.ts';
export { type LogSecrets, maskFrameLog, maskRecords } from './receipts/mask-frame-log.ts';
export { maskStrings } from './receipts/mask-strings.ts';
export { type NotSentAgain, notSentAgain } from './receipts/not-sent-again.ts';
export {
  packReceipt,
  type ReceiptRemarks,
  type UnpackedReceipt,
  unpackReceipt,
} from './receipts/receipt-file.ts';
export {
  describePins,
  meaningOf,
  type PinStatement,
  type RecordedConversation,
} from './receipts/receipt-words.ts';
export { isSameButMasked } from './receipts/same-but-masked.ts';
export {
  applyLogPlaces,
  findTextSecrets,
  valuesAtPlaces,
} from './receipts/secret-places.ts';
export {
  concludeReceipt,
  type ReceiptCheck,
  type ReceiptVerification,
  verifyReceipt,
} from './receipts/verify-receipt.ts';
export {
  MisstepStopped,
  type RecordedCall,
  type ReplayCall,
  type ReplayEnding,
  type ReplayRefusal,
  type ReplayRequest,
} from './replay-call.ts';
export { FRAME_TEXT_CAP_BYTES, type ReplayItem, ReplayView, readReplayLog } from './replay-view.ts';
export { remarkOnResult } from './result-remarks.ts';
export { type AnswerRecorded, type AnswerWork, createReplayCall } from './run-replay.ts';
export { CheckBudget } from './schema/bounded.ts';
export {
  type ArgumentCheck,
  type ClientVerdict,
  checkArguments,
} from './schema/check-arguments.ts';
export { checkResult, type ResultCheck } from './schema/check-result.ts';
export { checkToolList, type ToolListCheck } from './schema/check-tool-list.ts';
export type { ValueCoercion } from './schema/coercions.ts';
export { compareToolLists, type ToolListDrift } from './schema/compare-tool-lists.ts';
export { compareDefinitions, type DefinitionDrift, type DriftChange } from './schema/drift.ts';
export type { DriftEffect } from './schema/drift-place.ts';
export type { SchemaIssue } from './schema/issue-words.ts';
export type { Reach, ToolFault, ToolFaultKind } from './schema/tool-faults.ts';
export {
  TAKE_AWAY_FORMS,
  type TakeAway,
  type TakeAwayCall,
  type TakeAwayForm,
  takeAway,
} from './take-away/take-away.ts';
export { createUlid } from './ulid.ts';
