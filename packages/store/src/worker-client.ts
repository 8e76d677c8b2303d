import { Worker } from 'node:worker_threads';
import { MisstepError } from '@misstep/model';
import type { FailureData } from './failure.ts';
import type {
  HandlerArguments,
  HandlerName,
  HandlerResult,
  Request,
  Response,
  WorkerSetup,
} from './protocol.ts';
import { resolveWorkerScript } from './worker-script.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Asks the worker. The process may end while nothing is asked; it is kept alive while something is. */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #ended: MisstepError | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (response: Response) => this.#settle(response));
    worker.on('error', (error) => {
      this.#end(new MisstepError('INTERNAL', `The store's worker failed: ${error.message}`));
    });
    worker.on('exit', () => this.#end(new MisstepError('INTERNAL', 'The store is closed.')));
  }

  /** Resolves once the database is open; rejects with why it can't be. */
  static async start(setup: WorkerSetup): Promise<WorkerClient> {
    const worker = new Worker(resolveWorkerScript(), {
      workerData: setup,
      // What this process was started with (a test runner's loaders) is not for the worker.
      execArgv: [],
      name: 'misstep-store',
      // Rows pass through by the hundred thousand; more room for them is no faster.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    const client = new WorkerClient(worker);
    try {
      await client.#wait(0);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return client;
  }

  async call<Name extends HandlerName>(
    name: Name,
    ...args: HandlerArguments<Name>
  ): Promise<HandlerResult<Name>> {
    if (this.#ended !== null) throw this.#ended;
    const id = this.#nextId;
    this.#nextId += 1;
    const request: Request = { id, name, args };
    this.#worker.postMessage(request);
    // The handler of this name gave it.
    return (await this.#wait(id)) as HandlerResult<Name>;
  }

  /** What was asked before is answered first. */
  async close(): Promise<void> {
    if (this.#ended !== null) return;
    await this.call('closeDatabase');
    await this.#worker.terminate();
  }

  #wait(id: number): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #settle(response: Response): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (response.ok) waiting?.resolve(response.value);
    else waiting?.reject(rebuild(response.failure));
  }

  #end(reason: MisstepError): void {
    this.#ended ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}

export function rebuild(failure: FailureData): MisstepError {
  return new MisstepError(failure.code, failure.message, failure.details);
}
