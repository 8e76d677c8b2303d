import type {
  FormatInfo,
  ImportPhase,
  ImportRow,
  ImportState,
  SourceFate,
} from '@misstep/contract';
import type { SourceHash, Ulid } from '@misstep/model';
import type { ImportInputFile } from './input-files.ts';
import type { SourceOutcome } from './outcome.ts';

export type LocalFile = ImportInputFile & { readonly sizeBytes: number };

export interface ImportBatchOptions {
  readonly format?: string | null;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: SourceOutcome) => void;
  /** Outcomes are told and not given back: of a hundred thousand files nobody needs them all at once. */
  readonly onlyTold?: boolean;
  /** What begins now, and of how many files the format was looked for. */
  readonly onPhase?: (phase: ImportPhase, recognisedFiles: number) => void;
  readonly onProgress?: (progress: {
    readonly phase: 'receiving' | 'reading';
    /** Bytes of files that are read to their end, and of the one that is taken in or read. */
    readonly bytes: number;
    readonly records: number;
    readonly steps: number;
  }) => void;
}

export interface ImportService {
  formats(): FormatInfo[];
  list(options?: { readonly withSources: boolean }): ImportState[];
  get(importId: Ulid): ImportState;
  /** What became of each source, those that are packed in others too. */
  rows(
    importId: Ulid,
    query: { offset: number; limit: number; fate?: SourceFate | undefined },
  ): { total: number; rows: ImportRow[] };
  /** What an import of this start saw in a source; null = none had it. */
  recall(sha256: SourceHash): SourceOutcome | null;
  begin(request: {
    name: string;
    format: string | null;
    text: string | null;
    files: readonly { name: string; sizeBytes: number }[];
  }): Promise<ImportState>;
  /** Begins an import of files of this machine, which goes on by itself. */
  beginFiles(name: string, files: readonly LocalFile[], format?: string | null): ImportState;
  upload(importId: Ulid, index: number, bytes: AsyncIterable<Uint8Array>): Promise<ImportState>;
  dismiss(importId: Ulid): Promise<{ cancelled: boolean }>;
  /** Files as one batch, so that companions join; gives what became of each. */
  importFiles(
    files: readonly ImportInputFile[],
    options?: ImportBatchOptions,
  ): Promise<SourceOutcome[]>;
  /** Cancels what runs. */
  close(): Promise<void>;
}
