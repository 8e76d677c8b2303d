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
export { type SpanSurvey, surveySpans } from './otlp/survey-spans.ts';
export type { PageSizes, PageStore } from './page-pool.ts';
export { plainFrame } from './pooled-frame.ts';
export { readInPages } from './read-in-pages.ts';
export { MAX_LINE_BYTES, readLines, type SourceLine } from './read-lines.ts';
export { importers } from './registry.ts';
export { looksBinary, makeSourceHead } from './source-head.ts';
