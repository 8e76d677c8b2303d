export {
  type CallInput,
  type Client,
  type ClientOptions,
  createClient,
  routeUrl,
} from './client.ts';
export type { FollowedFolderState, FoundFolder, LookedFolder } from './find-shapes.ts';
export {
  type ImportedSource,
  type ImportPhase,
  type ImportRow,
  type ImportState,
  ImportStateSchema,
  type ImportSummary,
  SOURCE_FATES,
  type SourceFate,
} from './import-shapes.ts';
export { defineRoute, type Route } from './route.ts';
export {
  type PinStatement,
  type ReceiptAccount,
  TAKE_AWAY_FORMS,
  type TextDifference,
} from './routes/account.ts';
export { type RouteName, routes } from './routes/index.ts';
export type { Prices } from './routes/price.ts';
export type { ReceiverState } from './routes/receiver.ts';
export type {
  ArgumentCheck,
  ClientVerdict,
  DefinitionDrift,
  DriftEffect,
  SchemaIssue,
  StepTool,
  ToolListCheck,
  ToolListDrift,
} from './schema-shapes.ts';
export {
  type ExperimentSummary,
  type FormatInfo,
  type Loop,
  type ReplaySummary,
  ReplaySummarySchema,
  type RunDetail,
  RunDetailSchema,
  type RunFrameDetail,
  type RunSource,
  type RunSummary,
  RunSummarySchema,
  type SourceWindow,
  type StepDetail,
  StepDetailSchema,
  type UnusedPage,
  type ValueDetail,
  type WireJoin,
} from './shapes.ts';
export type {
  ConfigEntry,
  ConfigPicks,
  GivenSecret,
  SecretState,
  SignInState,
  TargetConfig,
  TargetView,
} from './target-shapes.ts';
