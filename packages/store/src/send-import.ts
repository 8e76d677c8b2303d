import type { Run } from '@misstep/model';
import { encodeFrame } from './frame-row.ts';
import { encodeStep } from './step-row.ts';
import type { ImportToSave, RunToSave } from './store.ts';
import type { WorkerClient } from './worker-client.ts';

/** Rows (faster to copy than what they are made from) that are copied to the worker at one go; the event loop turns between two goes. */
const ITEMS_AT_ONCE = 500;

let lastImportId = 0;

/** Hands an import to the worker in pieces; there it becomes one transaction. */
export async function sendImport(
  client: WorkerClient,
  input: ImportToSave,
  processToken: string,
): Promise<void> {
  lastImportId += 1;
  const importId = lastImportId;
  await client.call('beginImport', importId, {
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
  });
  try {
    for (const [index, run] of input.runs.entries()) {
      const hashes = run.sources.map((source) => source.sha256);
      if ('pieces' in run.steps) {
        for await (const rows of run.steps.pieces()) {
          await client.call('gatherSteps', importId, index, rows);
        }
      } else {
        for (const piece of pieces(run.steps)) {
          const rows = piece.map((step) => encodeStep(step, hashes));
          await client.call('gatherSteps', importId, index, rows);
        }
      }
      if ('pieces' in run.frames) {
        for await (const rows of run.frames.pieces()) {
          await client.call('gatherFrames', importId, index, rows);
        }
      } else {
        for (const piece of pieces(run.frames)) {
          await client.call('gatherFrames', importId, index, piece.map(encodeFrame));
        }
      }
    }
    for (const [index, source] of input.sources.entries()) {
      for (const piece of pieces(source.unused)) {
        await client.call('gatherUnused', importId, index, piece);
      }
    }
    await client.call('commitImport', importId, processToken, Date.now());
  } catch (error) {
    await client.call('dropImport', importId).catch(() => undefined);
    throw error;
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
