import { describe, expect, it } from 'vitest';
import { encodeStep } from '../src/index.ts';
import { addSource, makeImport, makeRun, openTemporaryStore, stepIdOf } from './support.ts';

const STEPS = 12_003;

describe('a long run', () => {
  it('comes in pieces, is saved in order, and leaves nothing behind where it fails', async () => {
    const store = await openTemporaryStore();
    const source = await addSource(store, 'long');
    const run = makeRun(source.sha256);
    const [first] = run.steps;
    if (first === undefined) throw new Error('no step');
    const stepOf = (seq: number) => ({ ...first, id: stepIdOf(seq), seq, parentId: null });
    let fails = true;
    async function* pieces() {
      for (let seq = 1; seq <= STEPS; seq += 1000) {
        if (fails && seq > 9000) throw new Error('cut');
        const rows = Array.from({ length: Math.min(1000, STEPS - seq + 1) }, (_, index) =>
          encodeStep(stepOf(seq + index), [source.sha256]),
        );
        yield rows;
      }
    }
    const saved = { ...run, steps: { startedAtText: null, pieces } };
    await expect(store.saveImport(makeImport(source.sha256, [saved]))).rejects.toThrow('cut');
    expect((await store.stats()).runCount).toBe(0);
    fails = false;
    await store.saveImport(makeImport(source.sha256, [saved]));
    const steps = await store.listSteps(run.run.id);
    expect(steps.length).toBe(STEPS);
    expect(steps.every(({ seq }, index) => seq === index + 1)).toBe(true);
    expect(steps.at(-1)).toEqual(stepOf(STEPS));
    const { evidenceCounts } = await store.getRun(run.run.id);
    expect(evidenceCounts.reduce((sum, count) => sum + count, 0)).toBe(STEPS);
  });
});
