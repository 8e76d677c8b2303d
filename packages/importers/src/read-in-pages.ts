import type { RunFrame, Step } from '@misstep/model';
import type { Importer, ImportInput, ImportResult } from './importer.ts';
import { type StepBody, StepCodec } from './packed-step.ts';
import { PagePool, type PageSizes, type PageStore } from './page-pool.ts';
import { FrameCodec, pooledFrame } from './pooled-frame.ts';
import { pooledStep } from './pooled-step.ts';

interface Pools {
  readonly steps: PagePool<StepBody>;
  readonly frames: PagePool<RunFrame>;
}

/**
 * Those of the reading that is on its way. One a thread, not an argument: every format makes its
 * steps in the same few places, and none should have to hand this through.
 */
let inUse: Pools | null = null;

/**
 * Reads a source with most of its steps and frames packed away in `store`, so that memory does not
 * grow with what they hold. They look like any others, and are read back from `store` when they are
 * looked at; from the end of the reading on they are to be read only. One reading at a time.
 */
export async function readInPages(
  importer: Importer,
  input: ImportInput,
  store: PageStore,
  sizes?: PageSizes,
): Promise<ImportResult> {
  if (inUse !== null) throw new Error('another reading in pages is on its way');
  const pools: Pools = {
    steps: new PagePool(store, new StepCodec(), sizes),
    frames: new PagePool(store, new FrameCodec(), sizes),
  };
  inUse = pools;
  try {
    return await importer.read(input);
  } finally {
    inUse = null;
    pools.steps.seal();
    pools.frames.seal();
  }
}

/** The step as it is kept while a source is read. */
export function keptStep(step: Step): Step {
  return inUse === null ? step : pooledStep(inUse.steps, step);
}

/** The frame as it is kept while a source is read. */
export function keptFrame(frame: RunFrame): RunFrame {
  return inUse === null ? frame : pooledFrame(inUse.frames, frame);
}
