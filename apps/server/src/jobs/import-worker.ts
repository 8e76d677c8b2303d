import { type FileHandle, open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { importerById, type SourceReader } from '@misstep/importers';
import type { SourceHash, Step } from '@misstep/model';
import { encodeStep, type StepRow } from '@misstep/store';
import { summarizeSteps } from '../services/import/step-summary.ts';
import type {
  ImportWorkerMessage,
  ImportWorkerRequest,
  ReadRequest,
  WorkerSource,
} from './import-message.ts';

/** Fewer messages than this apart would keep the main thread busy with progress alone. */
const PROGRESS_INTERVAL_MS = 50;

// No data may reach the prototype of all objects, not even through a fault in a dependency.
Reflect.deleteProperty(Object.prototype, '__proto__');

function post(message: ImportWorkerMessage): void {
  parentPort?.postMessage(message);
}

async function openReader(source: WorkerSource, handles: FileHandle[]): Promise<SourceReader> {
  const handle = await open(source.filePath, 'r');
  handles.push(handle);
  return {
    sha256: source.sha256,
    name: source.name,
    sizeBytes: source.sizeBytes,
    async read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, source.sizeBytes - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const rest = bytes.length - filled;
        const { bytesRead } = await handle.read(bytes, filled, rest, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
  };
}

/** Rows that go over at one go; the next are made when those are saved. */
const ROWS_AT_ONCE = 1000;

interface HeldRun {
  /** In execution order; emptied from the front as they are given. */
  steps: (Step | null)[];
  given: number;
  readonly hashes: readonly SourceHash[];
}

let held: HeldRun[] = [];

/** The next steps of a run of the last read, as rows. What was given is let go. */
function giveSteps(runIndex: number): void {
  const run = held[runIndex];
  const rows: StepRow[] = [];
  while (run !== undefined && rows.length < ROWS_AT_ONCE && run.given < run.steps.length) {
    const step = run.steps[run.given];
    run.steps[run.given] = null;
    run.given += 1;
    if (step !== null && step !== undefined) rows.push(encodeStep(step, run.hashes));
  }
  if (rows.length === 0 && run !== undefined) run.steps = [];
  post({ kind: 'rows', rows });
}

async function read({ format, main, companions }: ReadRequest): Promise<void> {
  held = [];
  const importer = importerById(format);
  if (importer === null) throw new Error('the format is not known to the worker');
  const handles: FileHandle[] = [];
  let postedAtMs = 0;
  try {
    const readers = [];
    for (const { source, group } of companions) {
      readers.push({ reader: await openReader(source, handles), group });
    }
    const result = await importer.read({
      main: await openReader(main, handles),
      companions: readers,
      onProgress(progress) {
        const nowMs = performance.now();
        if (nowMs - postedAtMs < PROGRESS_INTERVAL_MS) return;
        postedAtMs = nowMs;
        post({ kind: 'progress', ...progress });
      },
    });
    const hashes = [main.sha256, ...companions.map(({ source }) => source.sha256)];
    held = result.runs.map(({ steps }) => ({ steps: [...steps], given: 0, hashes }));
    const runs = result.runs.map(({ steps, ...run }) => ({ ...run, ...summarizeSteps(steps) }));
    post({ kind: 'result', result: { ...result, runs } });
  } finally {
    for (const handle of handles) await handle.close();
  }
}

// The one who starts this thread sends exactly this shape, and one at a time.
parentPort?.on('message', (request: ImportWorkerRequest) => {
  if (request.kind === 'steps') {
    giveSteps(request.runIndex);
    return;
  }
  read(request).catch((error: unknown) => {
    const known = error instanceof Error;
    post({
      kind: 'failed',
      name: known ? error.name : typeof error,
      stack: known ? (error.stack ?? '') : '',
    });
  });
});
