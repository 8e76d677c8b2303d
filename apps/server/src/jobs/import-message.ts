import type { ImportResult, RunDraft, SourceGroup } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { FrameRow, StepRow } from '@misstep/store';
import type { StepSummary } from '../services/import/step-summary.ts';

/** A source as the worker opens it, without asking the store. */
export interface WorkerSource {
  readonly sha256: SourceHash;
  readonly name: string;
  readonly sizeBytes: number;
  /** The path of its file, or its bytes where they are few and at hand. */
  readonly content: string | Uint8Array;
}

/** One read; the thread is asked for the next when it has answered. */
export interface ReadRequest {
  readonly kind: 'read';
  readonly format: string;
  readonly main: WorkerSource;
  readonly mainGroup: SourceGroup | null;
  readonly order: readonly SourceHash[];
  readonly companions: readonly { readonly source: WorkerSource; readonly group: SourceGroup }[];
  /** Where the thread may put a file of its own, for what it would else have to hold. */
  readonly scratchPath: string;
}

export type ImportWorkerRequest =
  | ReadRequest
  /** The next steps or frames of a run of the last read; each is given once. */
  | { readonly kind: 'steps'; readonly runIndex: number }
  | { readonly kind: 'frames'; readonly runIndex: number };

/** Rows of a run, all of them. */
export interface RunRows {
  readonly steps: readonly StepRow[];
  readonly frames: readonly FrameRow[];
}

/** What was read, but for the steps and frames of long runs, which stay with the thread until they are asked for. */
export type ReadResult = Omit<ImportResult, 'runs'> & {
  readonly runs: readonly (Omit<RunDraft, 'steps' | 'frames'> &
    StepSummary & { readonly frameCount: number; readonly rows: RunRows | null })[];
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
  | { readonly kind: 'steps'; readonly rows: readonly StepRow[] }
  | { readonly kind: 'frames'; readonly rows: readonly FrameRow[] }
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly stack: string;
      /** Of the operating system; null = it is no fault of that kind. */
      readonly code: string | null;
    };
