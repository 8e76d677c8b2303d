import type { ImportPhase, ImportState, ImportSummary } from '@misstep/contract';
import type { MisstepError, Ulid } from '@misstep/model';
import type { StoredSource } from '@misstep/store';
import type { SourceOutcome } from './outcome.ts';
import { inOrderOf, sentError, toImportedSource } from './outcome.ts';
import { leavesOf, summaryOf } from './source-rows.ts';

/** Below these the rate says nothing yet. */
const MIN_RATE_MS = 1000;
const MIN_RATE_BYTES = 65_536;
/** A folder may hold a hundred thousand files, and the page asks four times a second. */
const MOST_SOURCES = 1000;

export interface ExpectedFile {
  readonly name: string;
  readonly sizeBytes: number;
  state: 'waiting' | 'coming' | 'here';
  receivedBytes: number;
  source: StoredSource | null;
}

/** One import while this process knows of it. */
export class ImportJob {
  readonly id: Ulid;
  readonly name: string;
  readonly format: string | null;
  readonly files: readonly ExpectedFile[];
  readonly outcomes: SourceOutcome[] = [];
  readonly controller = new AbortController();
  state: ImportState['state'] = 'receiving';
  error: MisstepError | null = null;
  phase: ImportPhase = 'receiving';
  recognisedFiles = 0;
  #settled = false;
  #summary: { readonly of: number; readonly summary: ImportSummary } | null = null;
  #progress = { readBytes: 0, records: 0, steps: 0 };
  /** Files whose bytes have not come; counted, since there may be a hundred thousand. */
  missingFiles: number;
  /** Settles when the job has ended, however. */
  ended: Promise<void> = Promise.resolve();
  readonly #startedAt = new Date();
  readonly #startedMs = performance.now();
  /** Since when bytes of this phase have come; not when it began: a thread has to start first. */
  #rateSinceMs: number;
  #endedMs: number | null = null;

  constructor(
    id: Ulid,
    name: string,
    format: string | null,
    files: readonly { name: string; sizeBytes: number }[],
  ) {
    this.id = id;
    this.#rateSinceMs = this.#startedMs;
    this.name = name;
    this.format = format;
    this.missingFiles = files.length;
    this.files = files.map((file) => ({
      name: file.name,
      sizeBytes: file.sizeBytes,
      state: 'waiting',
      receivedBytes: 0,
      source: null,
    }));
  }

  get isOver(): boolean {
    return this.#endedMs !== null;
  }

  beginReading(): void {
    this.state = 'reading';
    this.phase = 'waiting';
  }

  /** The outcomes in the order of the files: they came as each was known. */
  putInOrder(): void {
    const paths = this.files.map(({ name }) => ({ path: name }));
    const inOrder = inOrderOf(paths, this.outcomes);
    this.outcomes.length = 0;
    for (const outcome of inOrder) this.outcomes.push(outcome);
  }

  get progress(): { readBytes: number; records: number; steps: number } {
    return this.#progress;
  }

  set progress(progress: { readBytes: number; records: number; steps: number }) {
    if (this.state === 'reading' && this.#progress.readBytes === 0) {
      this.#rateSinceMs = performance.now();
    }
    this.#progress = progress;
  }

  /** Nothing of it goes on any more. */
  settle(): void {
    this.#settled = true;
  }

  end(state: 'done' | 'failed' | 'cancelled', error: MisstepError | null): void {
    this.state = state;
    this.error = error;
    this.#endedMs = performance.now();
  }

  /** What is done now, as `readBatch` tells it. */
  noteWork(phase: ImportPhase, recognisedFiles: number): void {
    if (this.isOver) return;
    this.phase = phase;
    this.recognisedFiles = recognisedFiles;
  }

  view({ withSources = true }: { withSources?: boolean } = {}): ImportState {
    const sizeBytes = this.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const receivedBytes = this.files.reduce((sum, file) => sum + file.receivedBytes, 0);
    const reading = this.state !== 'receiving';
    const readBytes = Math.min(sizeBytes, reading ? this.progress.readBytes : receivedBytes);
    const formats = new Set(leavesOf(this.outcomes).flatMap(({ format }) => format ?? []));
    return {
      id: this.id,
      name: this.name,
      state: this.state,
      format: this.format ?? (formats.size === 1 ? ([...formats][0] ?? null) : null),
      phase: this.isOver && (this.#settled || this.phase !== 'ending') ? null : this.phase,
      fileCount: this.files.length,
      receivedFiles:
        this.state === 'receiving' ? this.files.length - this.missingFiles : this.files.length,
      recognisedFiles: this.recognisedFiles,
      sizeBytes,
      readBytes,
      records: this.progress.records,
      steps: this.progress.steps,
      startedAt: this.#startedAt.toISOString(),
      elapsedMs: Math.round((this.#endedMs ?? performance.now()) - this.#startedMs),
      remainingMs: this.#remainingMs(readBytes, sizeBytes),
      summary: this.#summed(),
      ...(withSources
        ? this.#shownSources()
        : { sources: [], sourcesOmitted: this.outcomes.length }),
      error: sentError(this.error).error ?? null,
    };
  }

  /** Pages ask four times a second, and of many files most ended long ago. */
  #summed(): ImportSummary {
    const { length } = this.outcomes;
    if (this.#summary?.of !== length) {
      this.#summary = { of: length, summary: summaryOf(this.outcomes) };
    }
    return this.#summary.summary;
  }

  #shownSources(): Pick<ImportState, 'sources' | 'sourcesOmitted'> {
    const all = this.outcomes;
    const shown =
      all.length <= MOST_SOURCES
        ? all
        : [
            ...all.filter(({ error }) => error !== null),
            ...all.filter(({ error }) => error === null),
          ].slice(0, MOST_SOURCES);
    return {
      sources: shown.flatMap(toImportedSource),
      sourcesOmitted: all.length - shown.length,
    };
  }

  #remainingMs(readBytes: number, sizeBytes: number): number | null {
    if (this.isOver) return 0;
    const passedMs = performance.now() - this.#rateSinceMs;
    if (passedMs < MIN_RATE_MS || readBytes < MIN_RATE_BYTES) return null;
    return Math.round((passedMs / readBytes) * (sizeBytes - readBytes));
  }
}
