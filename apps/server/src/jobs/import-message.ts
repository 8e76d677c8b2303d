import type { ImportResult, RunDraft, SourceGroup } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { StepRow } from '@misstep/store';
import type { StepSummary } from '../services/import/step-summary.ts';

/** A source as the worker opens it: by its file, without asking the store. */
export interface WorkerSource {
  readonly sha256: SourceHash;
  readonly name: string;
  readonly sizeBytes: number;
  readonly filePath: string;
}

/** One read; the thread is asked for the next when it has answered. */
export interface ReadRequest {
  readonly kind: 'read';
  readonly format: string;
  readonly main: WorkerSource;
  readonly companions: readonly { readonly source: WorkerSource; readonly group: SourceGroup }[];
}

export type ImportWorkerRequest =
  | ReadRequest
  /** The next steps of a run of the last read; each is given once. */
  | { readonly kind: 'steps'; readonly runIndex: number };

/** What was read, but for the steps, which stay with the thread until they are asked for. */
export type ReadResult = Omit<ImportResult, 'runs'> & {
  readonly runs: readonly (Omit<RunDraft, 'steps'> & StepSummary)[];
};

export type ImportWorkerMessage =
  | {
      readonly kind: 'progress';
      readonly readBytes: number;
      readonly records: number;
      readonly steps: number;
    }
  | { readonly kind: 'result'; readonly result: ReadResult }
  /** None = there are no more. */
  | { readonly kind: 'rows'; readonly rows: readonly StepRow[] }
  | { readonly kind: 'failed'; readonly name: string; readonly stack: string };
