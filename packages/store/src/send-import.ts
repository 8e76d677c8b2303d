import type { Run } from '@misstep/model';
import { encodeFrame } from './frame-row.ts';
import type { ImportHead, ImportPiece } from './queries/gather.ts';
import { encodeStep } from './step-row.ts';
import type { ImportToSave, RunToSave } from './store.ts';
import type { WorkerClient } from './worker-client.ts';

/** Rows (faster to copy than what they are made from) that are copied to the worker at one go; the event loop turns between two goes. */
const ITEMS_AT_ONCE = 500;

let lastImportId = 0;

/** Hands an import to the worker; a large one in pieces. There it becomes one transaction. */
export async function sendImport(
  client: WorkerClient,
  input: ImportToSave,
  processToken: string,
): Promise<void> {
  const sending = new Sending(client, headOf(input));
  try {
    for (const [index, run] of input.runs.entries()) {
      const hashes = run.sources.map((source) => source.sha256);
      if ('pieces' in run.steps) {
        for await (const rows of run.steps.pieces()) {
          await sending.add({ kind: 'steps', index, rows });
        }
      } else {
        for (const piece of pieces(run.steps)) {
          const rows = piece.map((step) => encodeStep(step, hashes));
          await sending.add({ kind: 'steps', index, rows });
        }
      }
      if ('pieces' in run.frames) {
        for await (const rows of run.frames.pieces()) {
          await sending.add({ kind: 'frames', index, rows });
        }
      } else {
        for (const piece of pieces(run.frames)) {
          await sending.add({ kind: 'frames', index, rows: piece.map(encodeFrame) });
        }
      }
    }
    for (const [index, source] of input.sources.entries()) {
      for (const rows of pieces(source.unused)) await sending.add({ kind: 'unused', index, rows });
    }
    await sending.commit(processToken);
  } catch (error) {
    await sending.drop();
    throw error;
  }
}

function headOf(input: ImportToSave): ImportHead {
  return {
    format: input.format,
    formatRevision: input.formatRevision,
    runs: input.runs.map(({ run, steps, tools, sources, externalMarks = [] }) => ({
      run,
      tools,
      sources,
      externalMarks,
      startedAtText: startedAtText(run, steps),
    })),
    sources: input.sources.map(({ unused, ...source }) => source),
    issues: input.issues,
  };
}

/** Pieces of an import on their way. What is small goes over in one message, not in five. */
class Sending {
  readonly #client: WorkerClient;
  readonly #head: ImportHead;
  readonly #importId: number;
  #waiting: ImportPiece[] = [];
  #waitingRows = 0;
  #isBegun = false;

  constructor(client: WorkerClient, head: ImportHead) {
    this.#client = client;
    this.#head = head;
    lastImportId += 1;
    this.#importId = lastImportId;
  }

  async add(piece: ImportPiece): Promise<void> {
    if (this.#isBegun) return this.#send(piece);
    this.#waiting.push(piece);
    this.#waitingRows += piece.rows.length;
    if (this.#waitingRows <= ITEMS_AT_ONCE) return;
    await this.#client.call('beginImport', this.#importId, this.#head);
    this.#isBegun = true;
    for (const each of this.#waiting) await this.#send(each);
    this.#waiting = [];
  }

  async commit(processToken: string): Promise<void> {
    const [id, now] = [this.#importId, Date.now()];
    if (this.#isBegun) await this.#client.call('commitImport', id, processToken, now);
    else {
      await this.#client.call('importAtOnce', id, this.#head, this.#waiting, processToken, now);
    }
  }

  /** Also where nothing has gone over yet. */
  async drop(): Promise<void> {
    if (!this.#isBegun) return;
    await this.#client.call('dropImport', this.#importId).catch(() => undefined);
  }

  async #send({ kind, index, rows }: ImportPiece): Promise<void> {
    const id = this.#importId;
    if (kind === 'steps') await this.#client.call('gatherSteps', id, index, rows);
    else if (kind === 'frames') await this.#client.call('gatherFrames', id, index, rows);
    else await this.#client.call('gatherUnused', id, index, rows);
  }
}

function startedAtText(run: Run, steps: RunToSave['steps']): string | null {
  if ('pieces' in steps) return steps.startedAtText;
  // A text without nanoseconds is that of a time that couldn't be read: not the run's start.
  const first = steps.find(
    ({ time }) => time.startedAtNs === run.startedAtNs && time.startedAtText !== null,
  );
  return first?.time.startedAtText ?? null;
}

function* pieces<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    yield items.slice(start, start + ITEMS_AT_ONCE);
  }
}
