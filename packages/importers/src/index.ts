export {
  chooseFormat,
  type FormatChoice,
  type FormatScore,
  importerById,
  MINIMUM_SCORE,
} from './choose-format.ts';
export {
  HEAD_BYTES,
  type Importer,
  type ImportInput,
  type ImportResult,
  type RecordedTool,
  type RunDraft,
  type SourceGroup,
  type SourceHead,
  type SourceReader,
} from './importer.ts';
export { memorySource } from './memory-source.ts';
export { oneLine } from './one-line.ts';
export { type LogSurvey, type SpanSurvey, surveyLogs, surveySpans } from './otlp/survey-spans.ts';
export type { PageSizes, PageStore } from './page-pool.ts';
export { plainFrame } from './pooled-frame.ts';
export { readInPages } from './read-in-pages.ts';
export { MAX_LINE_BYTES, readLines, type SourceLine } from './read-lines.ts';
export { counterpartOf } from './record-number.ts';
export { importers } from './registry.ts';
export { type SideFile, sideFileOf } from './side-files.ts';
export { looksBinary, makeSourceHead } from './source-head.ts';
export { databaseOfLog, headWithLog, isDatabaseLog } from './sqlite/open-database.ts';
export { unitOfPath } from './unit-of-path.ts';
