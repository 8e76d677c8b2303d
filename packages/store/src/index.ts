export { openStore, type StoreOptions } from './open-store.ts';
export { HeadHash, type SourceHead } from './source-head.ts';
export type {
  ImportToSave,
  NewReplay,
  Page,
  ReplayEnd,
  RunToSave,
  SourceWriter,
  Store,
  StoredReplay,
  StoredRun,
  StoredRunDetail,
  StoredSource,
  UnusedFilter,
  UnusedPage,
} from './store.ts';
