import type { ImportResult, SourceGroup } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';

/** A source as the worker opens it: by its file, without asking the store. */
export interface WorkerSource {
  readonly sha256: SourceHash;
  readonly name: string;
  readonly sizeBytes: number;
  readonly filePath: string;
}

/** One read; the thread is asked for the next when it has answered. */
export interface ImportWorkerRequest {
  readonly format: string;
  readonly main: WorkerSource;
  readonly companions: readonly { readonly source: WorkerSource; readonly group: SourceGroup }[];
}

export type ImportWorkerMessage =
  | {
      readonly kind: 'progress';
      readonly readBytes: number;
      readonly records: number;
      readonly steps: number;
    }
  | { readonly kind: 'result'; readonly result: ImportResult }
  | { readonly kind: 'failed'; readonly name: string; readonly stack: string };
