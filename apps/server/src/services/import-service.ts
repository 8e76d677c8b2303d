import type { FormatInfo, ImportState } from '@misstep/contract';
import { importers } from '@misstep/importers';
import { MisstepError, type SourceHash, type Ulid } from '@misstep/model';
import { createUlid } from '@misstep/replay';
import type { Store, StoredSource } from '@misstep/store';
import { explainError } from '../errors/explain-error.ts';
import { reportFault } from '../errors/report-fault.ts';
import { ImporterThread } from '../jobs/importer-thread.ts';
import { type ExpectedFile, ImportJob } from './import/import-job.ts';
import { type ImportInputFile, inChunks, receiveChunk } from './import/input-files.ts';
import { giveBack } from './import/no-room.ts';
import { inOrderOf, type SourceOutcome } from './import/outcome.ts';
import { chunksOf, encodePasted } from './import/pasted-text.ts';
import { readBatch } from './import/read-batch.ts';
import { receiveSource } from './import/receive-source.ts';
import type { ImportBatchOptions, ImportService, LocalFile } from './import/service-shape.ts';
import { listRows, recallSource, unreadSources } from './import/source-rows.ts';
import { byDeadline, Turns } from './import/turns.ts';

export type { ImportService } from './import/service-shape.ts';

/** Ended imports are kept for the page to show until dismissed, but not without end. */
const MAX_ENDED_JOBS = 200;
const MAX_OPEN_JOBS = 50;
/** An upload of which nothing has come for that long is given up: its page is gone. */
const UPLOAD_IDLE_MS = 600_000;
const IDLE_CHECK_MS = 60_000;
/** `now`: milliseconds on a clock that only goes forward. */
export function createImportService(
  store: Store,
  now: () => number = () => performance.now(),
): ImportService {
  return new Imports(store, now);
}

class Imports implements ImportService {
  readonly #store: Store;
  readonly #jobs = new Map<Ulid, ImportJob>();
  /** Reads wait for one another: two that find the same grown file would both save it. */
  readonly #turns = new Turns();
  #busy = 0;
  readonly #received = new Set<SourceHash>();
  readonly #now: () => number;
  /** When something last came of an upload. */
  readonly #touchedMs = new Map<Ulid, number>();
  readonly #idleCheck: NodeJS.Timeout;
  /** Cancelled reads that have not let go of their sources yet. */
  readonly #ending = new Set<Promise<void>>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#idleCheck = setInterval(() => {
      this.#expireIdle().catch(reportFault);
    }, IDLE_CHECK_MS).unref();
  }

  formats(): FormatInfo[] {
    return importers.map(({ id, title, evidence }) => ({ id, title, evidence }));
  }

  list(options = { withSources: true }): ImportState[] {
    return [...this.#jobs.values()].reverse().map((job) => job.view(options));
  }

  rows(importId: Ulid, query: Parameters<ImportService['rows']>[1]) {
    return listRows(this.#find(importId).outcomes, query);
  }

  recall(sha256: SourceHash): SourceOutcome | null {
    const jobs = [...this.#jobs.values()].reverse();
    return recallSource(
      jobs.flatMap(({ outcomes }) => outcomes),
      sha256,
    );
  }

  get(importId: Ulid): ImportState {
    return this.#find(importId).view();
  }

  async begin(request: Parameters<ImportService['begin']>[0]): Promise<ImportState> {
    const { name, format, text, files } = request;
    if ((text === null) === (files.length === 0)) {
      throw new MisstepError('REQUEST_INVALID', 'text: either text or files, and one of them.', {
        field: 'text',
      });
    }
    if (format !== null && !importers.some(({ id }) => id === format)) {
      throw new MisstepError('REQUEST_INVALID', `format: there is no format "${format}".`, {
        field: 'format',
      });
    }
    await this.#expireIdle();
    this.#makeRoom();
    const bytes = text === null ? null : encodePasted(text);
    const expected = bytes === null ? files : [{ name, sizeBytes: bytes.length }];
    const job = new ImportJob(createUlid(Date.now()), name, format, expected);
    this.#jobs.set(job.id, job);
    this.#touchedMs.set(job.id, this.#now());
    this.#busy += 1;
    if (bytes === null) return job.view();
    try {
      return await this.upload(job.id, 0, chunksOf(bytes));
    } catch (error) {
      await this.#finish(job, 'failed', explainError(error));
      this.#jobs.delete(job.id);
      throw error;
    }
  }

  async upload(
    importId: Ulid,
    index: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<ImportState> {
    const job = this.#find(importId);
    const file = job.files[index];
    if (file === undefined) {
      throw new MisstepError('REQUEST_INVALID', `path.index: the import has no file ${index}.`, {
        field: 'path.index',
      });
    }
    if (job.isOver) throw new MisstepError('IMPORT_NOT_FOUND', 'This import has ended.');
    if (job.state !== 'receiving' || file.state !== 'waiting') {
      throw new MisstepError('IMPORT_RUNNING', 'The bytes of this file have come, or are coming.');
    }
    file.state = 'coming';
    try {
      file.source = await this.#receive(job, file, bytes);
      file.state = 'here';
      job.missingFiles -= 1;
    } catch (error) {
      file.state = 'waiting';
      file.receivedBytes = 0;
      throw error;
    }
    if (job.missingFiles === 0) {
      job.beginReading();
      job.ended = this.#read(job);
    }
    return job.view();
  }

  async dismiss(importId: Ulid): Promise<{ cancelled: boolean }> {
    const job = this.#find(importId);
    if (job.isOver) {
      this.#jobs.delete(importId);
      await this.#sweep();
      return { cancelled: false };
    }
    await this.#cancel(job);
    return { cancelled: true };
  }

  async importFiles(
    files: readonly ImportInputFile[],
    options: ImportBatchOptions = {},
  ): Promise<SourceOutcome[]> {
    const { format = null, onOutcome, onProgress, onlyTold = false } = options;
    const signal = options.signal ?? new AbortController().signal;
    const outcomes: SourceOutcome[] = [];
    this.#busy += 1;
    const hashes: SourceHash[] = [];
    let done = { bytes: 0, records: 0, steps: 0 };
    /** Files of the chunks before this one. */
    let taken = 0;
    const thread = new ImporterThread(this.#store);
    try {
      for (const chunk of inChunks(files)) {
        options.onPhase?.('receiving', taken);
        const before = done;
        const received = await receiveChunk(this.#store, chunk, {
          signal,
          onSource: ({ sha256 }) => hashes.push(sha256),
          onBytes: (bytes) =>
            onProgress?.({ ...before, phase: 'receiving', bytes: before.bytes + bytes }),
          onOutcome: tell,
        });
        await this.#turns.take(signal, () =>
          readBatch(
            this.#store,
            received,
            {
              format,
              signal,
              onOutcome: tell,
              onUnpacked: ({ sha256 }) => this.#received.add(sha256),
              onNoRoom: (source) => giveBack(this.#store, source, this.#busy),
              onPhase: (phase, recognised) => options.onPhase?.(phase, taken + recognised),
              onProgress: ({ readBytes, records, steps }) => {
                done = {
                  bytes: before.bytes + readBytes,
                  records: before.records + records,
                  steps: before.steps + steps,
                };
                onProgress?.({ phase: 'reading', ...done });
              },
            },
            thread,
          ),
        );
        taken += chunk.length;
      }
      return inOrderOf(files, outcomes);
    } finally {
      await thread.end();
      await this.#leave(hashes);
    }

    function tell(outcome: SourceOutcome): void {
      if (!onlyTold) outcomes.push(outcome);
      onOutcome?.(outcome);
    }
  }

  beginFiles(name: string, files: readonly LocalFile[], format: string | null = null): ImportState {
    this.#makeRoom();
    const expected = files.map(({ path, sizeBytes }) => ({ name: path, sizeBytes }));
    const job = new ImportJob(createUlid(Date.now()), name, format, expected);
    this.#jobs.set(job.id, job);
    this.#busy += 1;
    job.beginReading();
    const { signal } = job.controller;
    job.ended = this.importFiles(files, {
      format,
      signal,
      onlyTold: true,
      onOutcome: (outcome) => job.outcomes.push(outcome),
      onPhase: (phase, recognised) => job.noteWork(phase, recognised),
      onProgress: ({ phase, bytes, records, steps }) => {
        // Taken in and read in turns: one count going to and fro would be none.
        if (phase === 'receiving') return;
        job.progress = { readBytes: bytes, records, steps };
      },
    }).then(
      () => this.#finishRead(job),
      (error: unknown) =>
        signal.aborted
          ? this.#finish(job, 'cancelled', null)
          : this.#finish(job, 'failed', explainError(error)),
    );
    return job.view();
  }

  async close(): Promise<void> {
    clearInterval(this.#idleCheck);
    const running = [...this.#jobs.values()].filter((job) => !job.isOver);
    await Promise.all(running.map((job) => this.#cancel(job)));
    await Promise.all([...this.#ending]);
    this.#jobs.clear();
    await this.#sweep();
  }

  #find(importId: Ulid): ImportJob {
    const job = this.#jobs.get(importId);
    if (job === undefined) throw new MisstepError('IMPORT_NOT_FOUND', `No import ${importId}.`);
    return job;
  }

  async #receive(
    job: ImportJob,
    file: ExpectedFile,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<StoredSource> {
    this.#touchedMs.set(job.id, this.#now());
    return receiveSource(this.#store, file.name, bytes, {
      signal: job.controller.signal,
      onBytes: (receivedBytes) => {
        this.#touchedMs.set(job.id, this.#now());
        if (receivedBytes > file.sizeBytes) {
          throw new MisstepError(
            'BODY_TOO_LARGE',
            `${file.name} has more than the ${file.sizeBytes} bytes that were announced.`,
          );
        }
        file.receivedBytes = receivedBytes;
      },
      beforeFinish(receivedBytes) {
        if (receivedBytes === file.sizeBytes) return;
        throw new MisstepError(
          'REQUEST_INVALID',
          `${file.name} ended after ${receivedBytes} of ${file.sizeBytes} bytes.`,
        );
      },
    });
  }

  async #read(job: ImportJob): Promise<void> {
    const { signal } = job.controller;
    try {
      await this.#turns.take(signal, async () => {
        signal.throwIfAborted();
        const received = job.files.flatMap(({ name, source }) =>
          source === null ? [] : [{ path: name, source }],
        );
        const thread = new ImporterThread(this.#store);
        try {
          await readBatch(
            this.#store,
            received,
            {
              format: job.format,
              signal,
              onOutcome: (outcome) => job.outcomes.push(outcome),
              onUnpacked: ({ sha256 }) => this.#received.add(sha256),
              onNoRoom: (source) => giveBack(this.#store, source, this.#busy),
              onPhase: (phase, recognised) => job.noteWork(phase, recognised),
              onProgress: (progress) => {
                job.progress = progress;
              },
            },
            thread,
          );
        } finally {
          await thread.end();
        }
      });
      job.putInOrder();
      await this.#finishRead(job);
    } catch (error) {
      if (signal.aborted) await this.#finish(job, 'cancelled', null);
      else await this.#finish(job, 'failed', explainError(error));
    }
  }

  async #finishRead(job: ImportJob): Promise<void> {
    const failed = job.outcomes.filter(({ error }) => error !== null);
    const allFailed = failed.length > 0 && failed.length === job.outcomes.length;
    if (allFailed) await this.#finish(job, 'failed', failed[0]?.error ?? null);
    else await this.#finish(job, 'done', null);
  }

  async #cancel(job: ImportJob): Promise<void> {
    const wasReading = job.state === 'reading';
    job.controller.abort(new MisstepError('IMPORT_NOT_FOUND', 'The import was cancelled.'));
    if (!wasReading) return this.#finish(job, 'cancelled', null);
    // Who cancels is answered now; what was received goes once the read has let go of it.
    job.end('cancelled', null);
    job.phase = 'ending';
    const ending = byDeadline(job.ended).then(() => this.#release(job));
    this.#ending.add(ending);
    void ending.catch(reportFault).finally(() => this.#ending.delete(ending));
  }

  async #finish(
    job: ImportJob,
    state: 'done' | 'failed' | 'cancelled',
    error: MisstepError | null,
  ): Promise<void> {
    if (job.isOver) return;
    job.end(state, error);
    await this.#release(job);
  }

  async #release(job: ImportJob): Promise<void> {
    this.#touchedMs.delete(job.id);
    job.settle();
    await this.#leave(job.files.flatMap(({ source }) => source?.sha256 ?? []));
  }

  async #expireIdle(): Promise<void> {
    const sinceMs = this.#now() - UPLOAD_IDLE_MS;
    const idle = [...this.#jobs.values()].filter(
      ({ id, state }) => state === 'receiving' && (this.#touchedMs.get(id) ?? sinceMs) <= sinceMs,
    );
    await Promise.all(idle.map((job) => this.#cancel(job)));
  }

  async #leave(received: readonly SourceHash[]): Promise<void> {
    for (const sha256 of received) this.#received.add(sha256);
    this.#busy -= 1;
    await this.#sweep();
  }

  /**
   * Gives up what imports received: sources that no run needs go. Two imports may bring the same
   * bytes, so this waits until nobody has any on their way; and what nothing was read of stays as
   * long as its import is listed, so that a person can have it read as another format.
   */
  async #sweep(): Promise<void> {
    if (this.#busy > 0) return;
    const listed = [...this.#jobs.values()].flatMap(({ outcomes }) => outcomes);
    const kept = unreadSources(listed);
    const givenUp = [...this.#received].filter((sha256) => !kept.has(sha256));
    for (const sha256 of givenUp) this.#received.delete(sha256);
    if (givenUp.length > 0) await this.#store.sweepSources(givenUp);
  }

  #makeRoom(): void {
    const all = [...this.#jobs.values()];
    if (all.filter((job) => !job.isOver).length >= MAX_OPEN_JOBS) {
      throw new MisstepError('IMPORT_RUNNING', `${MAX_OPEN_JOBS} imports are open already.`);
    }
    const ended = all.filter((job) => job.isOver);
    for (const job of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_JOBS))) {
      this.#jobs.delete(job.id);
    }
  }
}
