import { Worker } from 'node:worker_threads';
import type { ImportResult } from '@misstep/importers';
import { MisstepError } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';
import { reportFault } from '../errors/report-fault.ts';
import type { PlannedRead } from '../services/import/plan-reads.ts';
import type { ImportWorkerData, ImportWorkerMessage, WorkerSource } from './import-message.ts';
import { workerScript } from './worker-script.ts';

/**
 * Reads the planned sources in a thread of its own, so that a large or hostile one neither blocks
 * the server nor outlives its cancel. Throws the signal's reason when aborted.
 */
export async function runImporter(
  store: Store,
  plan: PlannedRead,
  signal: AbortSignal,
  onProgress: (progress: { readBytes: number; records: number; steps: number }) => void,
): Promise<ImportResult> {
  const workerData: ImportWorkerData = {
    format: plan.importer.id,
    main: await workerSource(store, plan.main),
    companions: await Promise.all(
      plan.companions.map(async ({ source, group }) => ({
        source: await workerSource(store, source),
        group,
      })),
    ),
  };
  signal.throwIfAborted();
  const worker = new Worker(workerScript('import-worker'), {
    workerData,
    // Built files need none of the flags that this thread may have been started with.
    execArgv: [],
  });
  const stop = () => void worker.terminate();
  let settled = false;
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<ImportResult>((resolve, reject) => {
      worker.on('message', (message: ImportWorkerMessage) => {
        settled ||= message.kind !== 'progress';
        if (message.kind === 'progress') onProgress(message);
        else if (message.kind === 'result') resolve(message.result);
        else reject(failedRead(plan, Object.assign(new Error('the importer failed'), message)));
      });
      worker.on('error', (error) => {
        settled = true;
        reject(failedRead(plan, error));
      });
      worker.on('exit', () => {
        // An end after the result is how a thread ends.
        if (settled) return;
        reject(signal.aborted ? signal.reason : failedRead(plan, new Error('the thread ended')));
      });
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

async function workerSource(store: Store, source: StoredSource): Promise<WorkerSource> {
  const { sha256, name, sizeBytes } = source;
  return { sha256, name, sizeBytes, filePath: await store.sourcePath(sha256) };
}

function failedRead(plan: PlannedRead, error: unknown): MisstepError {
  const outOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (outOfMemory) {
    return new MisstepError(
      'IMPORT_UNREADABLE',
      `${plan.main.name} needs more memory than there is.`,
    );
  }
  const id = reportFault(error);
  return new MisstepError('INTERNAL', `${plan.importer.title} failed to read this (${id}).`, {
    id,
  });
}
