import { type FileHandle, open } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import {
  type ImportResult,
  importerById,
  plainFrame,
  readInPages,
  type SourceReader,
} from '@misstep/importers';
import type { RunFrame, Step } from '@misstep/model';
import { encodeFrame, encodeStep, type FrameRow, type StepRow } from '@misstep/store';
import { summarizeSteps } from '../services/import/step-summary.ts';
import type {
  ImportWorkerMessage,
  ImportWorkerRequest,
  ReadRequest,
  RunRows,
  WorkerSource,
} from './import-message.ts';
import { SpillFile } from './spill-file.ts';

/** Fewer messages than this apart would keep the main thread busy with progress alone. */
const PROGRESS_INTERVAL_MS = 50;

/**
 * Without it V8 lets the heap grow to four times what is alive before it looks for garbage: hundreds
 * of megabytes for a long recording, at no gain in speed. It holds for the whole process.
 */
setFlagsFromString('--heap-growing-percent=20');

// No data may reach the prototype of all objects, not even through a fault in a dependency.
Reflect.deleteProperty(Object.prototype, '__proto__');

/** `given` are no longer there afterwards. */
function post(message: ImportWorkerMessage, given: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, given);
}

/** Numbers of a million records are handed over, not copied. */
function buffersOf({ sources }: ImportResult): ArrayBuffer[] {
  return sources.flatMap(({ numbers }) =>
    numbers !== undefined && numbers.buffer instanceof ArrayBuffer ? [numbers.buffer] : [],
  );
}

/** `onTaken` is told of all bytes that were read; those that are read again count again. */
async function openReader(
  source: WorkerSource,
  handles: FileHandle[],
  onTaken: (bytes: number) => void,
): Promise<SourceReader> {
  const { sha256, name, sizeBytes, content } = source;
  if (typeof content !== 'string') {
    return {
      sha256,
      name,
      sizeBytes,
      async read(offset, length) {
        const bytes = content.subarray(offset, offset + length);
        onTaken(bytes.length);
        return bytes;
      },
    };
  }
  const handle = await open(content, 'r');
  handles.push(handle);
  return {
    sha256,
    name,
    sizeBytes,
    async read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, source.sizeBytes - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const rest = bytes.length - filled;
        const { bytesRead } = await handle.read(bytes, filled, rest, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      onTaken(filled);
      return bytes.subarray(0, filled);
    },
  };
}

/** Rows that go over at one go; the next are made when those are saved. */
const ROWS_AT_ONCE = 1000;

/** What was read is given once, from the front. */
class Gift<Item, Row> {
  #items: readonly Item[];
  #given = 0;
  readonly #rowOf: (item: Item) => Row;

  constructor(items: readonly Item[], rowOf: (item: Item) => Row) {
    this.#items = items;
    this.#rowOf = rowOf;
  }

  /** None = there are no more. */
  next(): Row[] {
    const items = this.#items.slice(this.#given, this.#given + ROWS_AT_ONCE);
    this.#given += items.length;
    if (items.length === 0) this.#items = [];
    return items.map(this.#rowOf);
  }
}

interface HeldRun {
  readonly steps: Gift<Step, StepRow>;
  readonly frames: Gift<RunFrame, FrameRow>;
}

/** Of a short run: one message less for each of a hundred thousand small files. */
function allRows(run: HeldRun | undefined): RunRows {
  return { steps: run?.steps.next() ?? [], frames: run?.frames.next() ?? [] };
}

let held: HeldRun[] = [];
let spill: SpillFile | null = null;

async function read(request: ReadRequest): Promise<void> {
  const { format, main, companions, scratchPath } = request;
  held = [];
  spill?.close();
  spill = new SpillFile(scratchPath);
  const importer = importerById(format);
  if (importer === null) throw new Error('the format is not known to the worker');
  const handles: FileHandle[] = [];
  let postedAtMs = 0;
  const sources = [main, ...companions.map(({ source }) => source)];
  const totalBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let takenBytes = 0;
  let latest = { readBytes: 0, records: 0, steps: 0 };
  const onTaken = (bytes: number): void => {
    const isNews = takenBytes < totalBytes && takenBytes + bytes >= totalBytes;
    takenBytes += bytes;
    // Putting a long run in order takes its time, and is no reading.
    if (isNews) post({ kind: 'progress', ...latest, readBytes: totalBytes });
  };
  try {
    const readers = [];
    for (const { source, group } of companions) {
      readers.push({ reader: await openReader(source, handles, onTaken), group });
    }
    const input = {
      main: await openReader(main, handles, onTaken),
      companions: readers,
      mainGroup: request.mainGroup,
      order: request.order,
      onProgress(progress: { readBytes: number; records: number; steps: number }) {
        latest = takenBytes < totalBytes ? progress : { ...progress, readBytes: totalBytes };
        const nowMs = performance.now();
        if (nowMs - postedAtMs < PROGRESS_INTERVAL_MS) return;
        postedAtMs = nowMs;
        post({ kind: 'progress', ...latest });
      },
    };
    const result = await readInPages(importer, input, spill);
    const hashes = sources.map(({ sha256 }) => sha256);
    held = result.runs.map(({ steps, frames }) => ({
      steps: new Gift(steps, (step) => encodeStep(step, hashes)),
      frames: new Gift(frames, (frame) => encodeFrame(plainFrame(frame))),
    }));
    const rowCount = result.runs.reduce(
      (sum, run) => sum + run.steps.length + run.frames.length,
      0,
    );
    const runs = result.runs.map(({ steps, frames, ...run }, index) => ({
      ...run,
      ...summarizeSteps(steps),
      frameCount: frames.length,
      rows: rowCount > ROWS_AT_ONCE ? null : allRows(held[index]),
    }));
    post({ kind: 'result', result: { ...result, runs } }, buffersOf(result));
  } finally {
    for (const handle of handles) await handle.close();
  }
}

// The one who starts this thread sends exactly this shape, and one at a time.
parentPort?.on('message', (request: ImportWorkerRequest) => {
  if (request.kind === 'steps') {
    post({ kind: 'steps', rows: held[request.runIndex]?.steps.next() ?? [] });
    return;
  }
  if (request.kind === 'frames') {
    post({ kind: 'frames', rows: held[request.runIndex]?.frames.next() ?? [] });
    return;
  }
  read(request).catch((error: unknown) => {
    const known = error instanceof Error;
    post({
      kind: 'failed',
      name: known ? error.name : typeof error,
      stack: known ? (error.stack ?? '') : '',
      code: known && 'code' in error ? String(error.code) : null,
    });
  });
});
