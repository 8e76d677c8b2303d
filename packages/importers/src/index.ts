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
