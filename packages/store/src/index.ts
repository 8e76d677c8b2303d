export { openStore, type StoreOptions } from './open-store.ts';
export { isProcessAlive, ownProcessToken } from './process-token.ts';
export { HeadHash, type SourceHead } from './source-head.ts';
export type {
  ExperimentEnd,
  ImportToSave,
  LoopFacts,
  NewExperiment,
  NewReplay,
  Page,
  ReplayEnd,
  RunToSave,
  SourceWriter,
  Store,
  StoredExperiment,
  StoredReplay,
  StoredRun,
  StoredRunDetail,
  StoredSource,
  UnusedFilter,
  UnusedPage,
} from './store.ts';
