import { Worker } from 'node:worker_threads';
import { MisstepError } from '@misstep/model';
import type { FrameRow, StepRow, Store, StoredSource } from '@misstep/store';
import { reportFault } from '../errors/report-fault.ts';
import { bytesAtHand } from '../services/import/bytes-at-hand.ts';
import type { PlannedRead } from '../services/import/plan-reads.ts';
import type {
  ImportWorkerMessage,
  ImportWorkerRequest,
  ReadRequest,
  ReadResult,
  RunRows,
  WorkerSource,
} from './import-message.ts';
import { workerScript } from './worker-script.ts';

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readBytes: number; records: number; steps: number }) => void;
}

/**
 * Reads planned sources, one after the other, in a thread of its own, so that a large or hostile
 * one neither blocks the server nor outlives its cancel. The thread serves many reads (starting
 * one costs more than reading a small source); whatever goes wrong ends it and the next read
 * starts another. `end` it when the batch is over.
 */
export class ImporterThread {
  readonly #store: Store;
  #worker: Worker | null = null;
  /** Of the last read, where they came with its result. */
  #rows: readonly (RunRows | null)[] = [];
  /** Of a long last read: what of its runs the thread has not given yet. */
  readonly #held = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws the signal's reason when aborted; one read at a time. */
  async read(plan: PlannedRead, { signal, onProgress }: ReadOptions): Promise<ReadResult> {
    const request = await requestOf(this.#store, plan);
    signal.throwIfAborted();
    // One that died between two reads would never answer.
    if (this.#worker?.threadId === -1) this.#worker = null;
    this.#worker ??= startWorker();
    try {
      const message = await ask(this.#worker, request, { signal, onProgress });
      if (message.kind === 'result') {
        this.#take(message.result);
        return message.result;
      }
      throw new Error('the thread answered something else');
    } catch (error) {
      // Nobody knows what state it is in, or whether it still reads.
      await this.end();
      if (signal.aborted) throw signal.reason;
      throw failedRead(plan, error);
    }
  }

  /** The steps of a run of the last read as rows, once; each piece when the one before is done with. */
  async *steps(runIndex: number, signal: AbortSignal): AsyncGenerator<readonly StepRow[]> {
    const rows = this.#rows[runIndex]?.steps;
    if (rows !== undefined) {
      if (rows.length > 0) yield rows;
      return;
    }
    for (;;) {
      const message = await this.#askForRows({ kind: 'steps', runIndex }, signal);
      if (message.kind !== 'steps' || message.rows.length === 0) break;
      yield message.rows;
    }
    await this.#given(`steps ${runIndex}`);
  }

  /** As `steps`: the frames of a run of the last read. */
  async *frames(runIndex: number, signal: AbortSignal): AsyncGenerator<readonly FrameRow[]> {
    const rows = this.#rows[runIndex]?.frames;
    if (rows !== undefined) {
      if (rows.length > 0) yield rows;
      return;
    }
    for (;;) {
      const message = await this.#askForRows({ kind: 'frames', runIndex }, signal);
      if (message.kind !== 'frames' || message.rows.length === 0) break;
      yield message.rows;
    }
    await this.#given(`frames ${runIndex}`);
  }

  #take({ runs }: ReadResult): void {
    this.#rows = runs.map(({ rows }) => rows);
    this.#held.clear();
    const count = runs.reduce(
      (sum, { totals, frameCount }) => sum + totals.stepCount + frameCount,
      0,
    );
    if (count < LONG_READ_ROWS) return;
    for (const [index, rows] of this.#rows.entries()) {
      if (rows === null) this.#held.add(`steps ${index}`).add(`frames ${index}`);
    }
  }

  /** What a long recording took goes with its thread as soon as all was given: saving needs memory of its own. */
  async #given(what: string): Promise<void> {
    if (this.#held.delete(what) && this.#held.size === 0) await this.end();
  }

  async #askForRows(request: ImportWorkerRequest, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const worker = this.#worker;
    // One that died between two answers would never give another.
    if (worker === null || worker.threadId === -1)
      throw new Error('the thread that holds what was read has ended');
    return ask(worker, request, { signal, onProgress() {} });
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/** Below it another thread costs more than the memory is worth. */
const LONG_READ_ROWS = 50_000;

/** Reading makes short-lived things by the gigabyte; with more room for them memory swings more, at no gain in speed. */
const YOUNG_MEGABYTES = 12;

function startWorker(): Worker {
  const worker = new Worker(workerScript('import-worker'), {
    // Built files need none of the flags that this thread may have been started with.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  // Between two reads nobody listens, and an error without a listener would end the process.
  worker.on('error', () => undefined);
  return worker;
}

async function requestOf(store: Store, plan: PlannedRead): Promise<ReadRequest> {
  return {
    kind: 'read',
    format: plan.importer.id,
    scratchPath: store.scratchPath(),
    main: await workerSource(store, plan.main),
    mainGroup: plan.mainGroup,
    order: plan.order,
    companions: await Promise.all(
      plan.companions.map(async ({ source, group }) => ({
        source: await workerSource(store, source),
        group,
      })),
    ),
  };
}

type Answer = Extract<ImportWorkerMessage, { kind: 'result' | 'steps' | 'frames' }>;

/** Rejects with the signal's reason, with what the thread died of, or with what the importer threw. */
async function ask(
  worker: Worker,
  request: ImportWorkerRequest,
  { signal, onProgress }: ReadOptions,
): Promise<Answer> {
  const listening = new AbortController();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const onMessage = (message: ImportWorkerMessage) => {
        if (message.kind === 'progress') onProgress(message);
        else if (message.kind !== 'failed') resolve(message);
        else reject(Object.assign(new Error('the importer failed'), message));
      };
      const onExit = () => reject(new Error('the thread ended'));
      const onAbort = () => reject(signal.reason);
      worker.on('message', onMessage).on('error', reject).on('exit', onExit);
      signal.addEventListener('abort', onAbort, { once: true });
      listening.signal.addEventListener('abort', () => {
        worker.off('message', onMessage).off('error', reject).off('exit', onExit);
        signal.removeEventListener('abort', onAbort);
      });
      worker.postMessage(request);
    });
  } finally {
    listening.abort();
  }
}

async function workerSource(store: Store, source: StoredSource): Promise<WorkerSource> {
  const { sha256, name, sizeBytes } = source;
  const content = bytesAtHand(source) ?? (await store.sourcePath(sha256));
  return { sha256, name, sizeBytes, content };
}

function failedRead(plan: PlannedRead, error: unknown): MisstepError {
  const outOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (outOfMemory) {
    return new MisstepError(
      'IMPORT_UNREADABLE',
      `${plan.main.name} needs more memory than there is.`,
      {},
      { hint: 'Split it by session or trace, or close other programs and import it again.' },
    );
  }
  const code = error instanceof Error && 'code' in error ? error.code : null;
  // What is read and doesn't fit into memory stands in a file meanwhile.
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new MisstepError('DISK_FULL', `No space is left to read ${plan.main.name}.`);
  }
  const id = reportFault(error);
  return new MisstepError('INTERNAL', `${plan.importer.title} failed to read this (${id}).`, {
    id,
  });
}
