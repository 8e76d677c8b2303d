import { describe, expect, it } from 'vitest';
import { addSource, makeImport, makeRun, openTemporaryStore } from './support.ts';

const STEPS = 100_000;

/** How long the work took and the longest time in which a timer of 1 ms wasn't served. */
async function measure(work: () => Promise<unknown>): Promise<{ tookMs: number; stallMs: number }> {
  const startMs = performance.now();
  let lastMs = startMs;
  let stallMs = 0;
  const tick = () => {
    const nowMs = performance.now();
    stallMs = Math.max(stallMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(tick, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  tick();
  return { tookMs: performance.now() - startMs, stallMs };
}

describe('the event loop', () => {
  it(`turns while ${STEPS} steps are saved and read`, { timeout: 120_000 }, async () => {
    const store = await openTemporaryStore();
    const { sha256 } = await addSource(store, 'long');
    const run = makeRun(sha256, { stepCount: STEPS });
    const input = makeImport(sha256, [run]);
    const save = await measure(() => store.saveImport(input));
    const read = await measure(() => store.listSteps(run.run.id));
    // The stall of one piece and of the collector, on a machine that does other things, too.
    expect(save.stallMs).toBeLessThan(save.tookMs / 3);
    expect(read.stallMs).toBeLessThan(read.tookMs / 3);
    expect((await store.getRun(run.run.id)).evidenceCounts).toEqual([0, STEPS, 0, 0]);
  });
});
