export { type AppOptions, buildApp } from './app.ts';
export { type ComposeOptions, openServices, type Services } from './compose.ts';
export { chooseDataFolder } from './data-folder.ts';
export { explainError } from './errors/explain-error.ts';
export { DEFAULT_PORT, type ListenOptions, type RunningServer, serve } from './listen.ts';
export type { PreparedExperiment } from './services/experiment/prepared-experiment.ts';
export type { SourceOutcome } from './services/import/outcome.ts';
export type { ImportInputFile } from './services/import-service.ts';
export { readVersion } from './version.ts';
