import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { MisstepError } from '@misstep/model';
import { reportFault } from '../errors/report-fault.ts';
import type { HeavyMessage, HeavyRequest } from './heavy-message.ts';
import { type HeavyTask, type HeavyTasks, heavyTasks } from './heavy-tasks.ts';
import { ResultCache } from './result-cache.ts';
import { workerScript } from './worker-script.ts';

export type HeavyInput<Task extends HeavyTask> = Parameters<HeavyTasks[Task]>[0];
export type HeavyResult<Task extends HeavyTask> = Awaited<ReturnType<HeavyTasks[Task]>>;

export interface HeavyOptions {
  /** Bytes or characters that the work is on, about: little is done where it is asked for. */
  readonly size: number;
  /** Names task and input: the same at once is one piece of work, and its result is kept for a while. */
  readonly key?: string;
  /** Aborted when nobody waits any more: work that nobody else waits for ends. */
  readonly signal?: AbortSignal;
}

export interface HeavyWorkSettings {
  readonly threads?: number;
  /** Smaller work takes less time than to hand it over. */
  readonly inPlaceBelow?: number;
  readonly timeoutMs?: number;
  readonly idleMs?: number;
  readonly waitingAtMost?: number;
}

const MEBIBYTE = 1_048_576;
const CACHE_LENGTH = 64 * MEBIBYTE;

interface Job {
  readonly request: HeavyRequest;
  readonly settle: { resolve(done: Done): void; reject(error: unknown): void };
  readonly answer: Promise<Done>;
  waiting: number;
  /** Ends the thread that is at it; null = none is yet. */
  abandon: ((reason: unknown) => void) | null;
  /** Why nobody waits for it any more. */
  abandonedFor: { readonly reason: unknown } | null;
}

type Done = Extract<HeavyMessage, { kind: 'done' }>;

/**
 * Does what takes long on large results in a few threads of its own, so that the server goes on
 * answering. Work has a time and a memory limit; it ends when nobody waits for it; the same work
 * asked for twice is done once. A thread that has nothing to do for a while goes, with its memory.
 * See docs/decisions/0085.
 */
export class HeavyWork {
  readonly #settings: Required<HeavyWorkSettings>;
  readonly #queue: Job[] = [];
  readonly #byKey = new Map<string, Job>();
  readonly #cache = new ResultCache(CACHE_LENGTH);
  readonly #idle: Worker[] = [];
  readonly #threads = new Set<Worker>();
  readonly #idleTimers = new Map<Worker, NodeJS.Timeout>();
  #busy = 0;
  #closed = false;

  constructor(settings: HeavyWorkSettings = {}) {
    this.#settings = {
      threads: 2,
      inPlaceBelow: 256 * 1024,
      timeoutMs: 180_000,
      idleMs: 20_000,
      waitingAtMost: 64,
      ...settings,
    };
  }

  /**
   * `input` as a function is only called where the result is not known yet.
   * RESULT_TOO_LARGE where time or memory ran out, WORK_BUSY where too much waits; throws the
   * signal's reason.
   */
  async run<Task extends HeavyTask>(
    task: Task,
    input: HeavyInput<Task> | (() => Promise<HeavyInput<Task>>),
    { size, key, signal }: HeavyOptions,
  ): Promise<HeavyResult<Task>> {
    signal?.throwIfAborted();
    // The worker runs the very function of this name, so what it gives is what that gives.
    const typed = (result: unknown) => result as HeavyResult<Task>;
    const given = async () => (typeof input === 'function' ? await input() : input);
    if (size < this.#settings.inPlaceBelow) {
      // The task of this name takes what was given for it.
      return typed(await heavyTasks[task]((await given()) as never));
    }
    const named = key === undefined ? null : `${task} ${key}`;
    const known = named === null ? undefined : this.#cache.get(named);
    if (known !== undefined) return typed(known.result);
    const underWay = () => (named === null ? undefined : this.#byKey.get(named));
    let job = underWay();
    if (job === undefined) {
      const ready = await given();
      signal?.throwIfAborted();
      // Meanwhile somebody else may have asked for the same.
      job = underWay() ?? this.#add(task, ready, named);
    }
    return typed((await this.#await(job, signal)).result);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.settle.reject(stopped());
    for (const job of this.#byKey.values()) job.abandon?.(stopped());
    for (const timer of this.#idleTimers.values()) clearTimeout(timer);
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #add(task: HeavyTask, input: unknown, key: string | null): Job {
    if (this.#closed) throw stopped();
    if (this.#queue.length >= this.#settings.waitingAtMost) {
      throw new MisstepError('WORK_BUSY', 'Too much work on large results is waiting already.');
    }
    let settle: Job['settle'] = { resolve: () => undefined, reject: () => undefined };
    const answer = new Promise<Done>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // Whoever waits hears of it; where nobody does any more it must not end the process.
    answer.catch(() => undefined);
    const job: Job = {
      request: { task, input },
      settle,
      answer,
      waiting: 0,
      abandon: null,
      abandonedFor: null,
    };
    if (key !== null) {
      this.#byKey.set(key, job);
      answer
        .then(({ result, length }) => this.#cache.set(key, { result, length }))
        .catch(() => undefined)
        .finally(() => {
          if (this.#byKey.get(key) === job) this.#byKey.delete(key);
        });
    }
    this.#queue.push(job);
    this.#next();
    return job;
  }

  async #await(job: Job, signal: AbortSignal | undefined): Promise<Done> {
    job.waiting += 1;
    const onAbort = () => {
      job.waiting -= 1;
      if (job.waiting === 0) this.#drop(job, signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await job.answer;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #drop(job: Job, reason: unknown): void {
    for (const [key, each] of this.#byKey) if (each === job) this.#byKey.delete(key);
    const at = this.#queue.indexOf(job);
    if (at >= 0) this.#queue.splice(at, 1);
    if (job.abandon === null) job.settle.reject(reason);
    else job.abandon(reason);
  }

  #next(): void {
    while (this.#busy < this.#settings.threads) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.#busy += 1;
      void this.#do(job).finally(() => {
        this.#busy -= 1;
        if (!this.#closed) this.#next();
      });
    }
  }

  async #do(job: Job): Promise<void> {
    const worker = this.#take();
    let isAlive = true;
    try {
      job.settle.resolve(await this.#ask(worker, job));
    } catch (error) {
      // Nobody knows whether it is still at it.
      isAlive = false;
      this.#threads.delete(worker);
      await worker.terminate();
      job.settle.reject(error === job.abandonedFor?.reason ? error : wordFailure(error));
    }
    if (isAlive && !this.#closed) this.#rest(worker);
  }

  async #ask(worker: Worker, job: Job): Promise<Done> {
    const listening = new AbortController();
    try {
      return await new Promise<Done>((resolve, reject) => {
        const onMessage = (message: HeavyMessage) => {
          if (message.kind === 'done') resolve(message);
          else reject(Object.assign(new Error('the work failed'), message));
        };
        const onExit = () => reject(new Error('the thread ended'));
        worker.on('message', onMessage).on('error', reject).on('exit', onExit);
        const { timeoutMs } = this.#settings;
        const timer = setTimeout(() => reject(tooLong(timeoutMs)), timeoutMs);
        job.abandon = (reason) => {
          job.abandonedFor = { reason };
          reject(reason);
        };
        listening.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          worker.off('message', onMessage).off('error', reject).off('exit', onExit);
        });
        worker.postMessage(job.request);
      });
    } finally {
      listening.abort();
    }
  }

  #take(): Worker {
    for (let worker = this.#idle.pop(); worker !== undefined; worker = this.#idle.pop()) {
      clearTimeout(this.#idleTimers.get(worker));
      this.#idleTimers.delete(worker);
      // One that died meanwhile would never answer.
      if (worker.threadId !== -1) {
        worker.ref();
        return worker;
      }
      this.#threads.delete(worker);
    }
    const worker = new Worker(workerScript('heavy-worker'), {
      execArgv: [],
      // Most of what a comparison makes lives for a moment: a large nursery halves its time.
      resourceLimits: { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 192 },
    });
    // Between two pieces of work nobody listens, and an error without a listener would end the process.
    worker.on('error', () => undefined);
    this.#threads.add(worker);
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle.push(worker);
    const end = () => {
      this.#idleTimers.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#threads.delete(worker);
      void worker.terminate();
    };
    this.#idleTimers.set(worker, setTimeout(end, this.#settings.idleMs).unref());
  }
}

/** Bytes of a file, for the size of work on it; 0 where there is none. */
export async function fileSize(path: string): Promise<number> {
  return (await fileStamp(path)).size;
}

/** Size and time of a file: another stamp, other content. */
export async function fileStamp(path: string): Promise<{ size: number; stamp: string }> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, stamp: `${size} ${mtimeMs}` };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { size: 0, stamp: '0' };
    }
    throw error;
  }
}

function stopped(): MisstepError {
  return new MisstepError('INTERNAL', 'Misstep is shutting down.');
}

function tooLong(timeoutMs: number): MisstepError {
  const words = `It took longer than ${timeoutMs / 1000} seconds, so it was ended.`;
  return new MisstepError('RESULT_TOO_LARGE', words);
}

function wordFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new MisstepError('RESULT_TOO_LARGE', 'It needs more memory than there is for it.');
  }
  if (error instanceof MisstepError) return error;
  const id = reportFault(error);
  return new MisstepError('INTERNAL', `Work on a large result failed (${id}).`, { id });
}
