export { encodeFrame, type FrameRow } from './frame-row.ts';
export { makeFolder } from './make-folder.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export { PriceFile, type StoredPrices } from './price-file.ts';
export { isProcessAlive, ownProcessToken } from './process-token.ts';
export type { SourceLookUp } from './queries/source.ts';
export { SecretFile, type StoredSecret } from './secret-file.ts';
export { HeadHash, type SourceHead } from './source-head.ts';
export { encodeStep, type StepRow } from './step-row.ts';
export type {
  ExperimentEnd,
  FollowedFile,
  FollowedFolder,
  FramePieces,
  ImportToSave,
  LoopFacts,
  NewExperiment,
  NewReplay,
  Page,
  ReplayEnd,
  RunToSave,
  SourceWriter,
  StepPieces,
  Store,
  StoredExperiment,
  StoredReplay,
  StoredRun,
  StoredRunDetail,
  StoredSource,
} from './store.ts';
export type { ToolToSave } from './tool-to-save.ts';
export type { UnusedFilter, UnusedPage } from './unused-page.ts';
