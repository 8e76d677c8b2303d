import { NO_TARGET_SETTINGS } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { openTemporaryStore, runIdOf, saveRun, stepIdOf, targetNameOf } from './support.ts';

const plain = { category: null, reason: '', citations: [] };
const onStep = (seq: number) => ({
  ...plain,
  place: { kind: 'step' as const, stepId: stepIdOf(seq) },
});

describe('marks', () => {
  it('supersede one another and are all kept, newest first', async () => {
    const store = await openTemporaryStore();
    const { run } = await saveRun(store);
    const first = await store.putMark(run.id, { ...onStep(2), category: 'Wrong tool' }, 'me');
    expect(first).toMatchObject({ runId: run.id, author: 'me', supersededAt: null });
    expect(await store.getRun(run.id)).toMatchObject({ mark: first, markSeq: 2 });
    const second = await store.putMark(run.id, onStep(3), 'me');
    expect(second.id).not.toBe(first.id);
    const marks = await store.listMarks(run.id);
    expect(marks.map((mark) => mark.id)).toEqual([second.id, first.id]);
    expect(marks[0]).toEqual(second);
    expect(marks[1]?.supersededAt).toBe(second.createdAt);
    const { runs } = await store.listRuns({ offset: 0, limit: 9 });
    expect(runs).toMatchObject([{ mark: second, markSeq: 3 }]);
  });

  it('stand on a step, in a gap, before everything, or say that there is no deviation', async () => {
    const store = await openTemporaryStore();
    const { run } = await saveRun(store);
    const places = [
      [{ kind: 'step', stepId: stepIdOf(1) }, 1],
      [{ kind: 'gap', afterStepId: stepIdOf(2) }, 2],
      [{ kind: 'gap', afterStepId: null }, 0],
      [{ kind: 'noDeviation' }, null],
    ] as const;
    for (const [place, markSeq] of places) {
      await store.putMark(run.id, { ...plain, place }, 'me');
      expect(await store.getRun(run.id)).toMatchObject({ mark: { place }, markSeq });
    }
  });

  it('can be taken back, and the history stays', async () => {
    const store = await openTemporaryStore();
    const { run } = await saveRun(store);
    expect(await store.removeMark(run.id)).toBe(false);
    await store.putMark(run.id, onStep(2), 'me');
    expect(await store.removeMark(run.id)).toBe(true);
    expect(await store.removeMark(run.id)).toBe(false);
    expect(await store.getRun(run.id)).toMatchObject({ mark: null, markSeq: null });
    const [former, ...others] = await store.listMarks(run.id);
    expect(others).toEqual([]);
    expect(former?.supersededAt).not.toBeNull();
  });

  it('name no step and no run that are not there, and change nothing then', async () => {
    const store = await openTemporaryStore();
    const { run } = await saveRun(store);
    const kept = await store.putMark(run.id, onStep(2), 'me');
    const citation = { stepId: stepIdOf(8), part: 'result' as const, pointer: '' };
    for (const draft of [
      onStep(9),
      { ...plain, place: { kind: 'gap' as const, afterStepId: stepIdOf(9) } },
      { ...onStep(1), citations: [citation] },
    ]) {
      await expect(store.putMark(run.id, draft, 'me')).rejects.toMatchObject({
        code: 'STEP_NOT_FOUND',
      });
    }
    expect(await store.listMarks(run.id)).toEqual([kept]);
    const missing = runIdOf(7);
    const notFound = { code: 'RUN_NOT_FOUND' };
    await expect(store.putMark(missing, onStep(1), 'me')).rejects.toMatchObject(notFound);
    await expect(store.removeMark(missing)).rejects.toMatchObject(notFound);
    await expect(store.listMarks(missing)).rejects.toMatchObject(notFound);
  });
});

describe('targets', () => {
  const name = targetNameOf('bookings');
  const address = { transport: 'stdio' as const, command: 'node', args: ['a b.js'], cwd: null };
  const settings = NO_TARGET_SETTINGS;

  it('are confirmed as they stand and lose that when they are made anew', async () => {
    const store = await openTemporaryStore();
    const added = await store.addTarget({ name, address, settings });
    expect(added).toMatchObject({
      name,
      address,
      settings,
      confirmedAt: null,
      trustsReadOnlyHint: false,
    });
    const confirmed = await store.confirmTarget(name, true);
    expect(confirmed).toEqual({
      ...added,
      confirmedAt: expect.stringMatching(/Z$/),
      trustsReadOnlyHint: true,
    });
    expect(await store.listTargets()).toEqual([confirmed]);
    await expect(store.addTarget({ name, address, settings })).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
    });
    await store.removeTarget(name);
    expect(await store.listTargets()).toEqual([]);
    expect(await store.addTarget({ name, address, settings })).toMatchObject({ confirmedAt: null });
  });

  it('that are not there are said not to be', async () => {
    const store = await openTemporaryStore();
    const notFound = { code: 'TARGET_NOT_FOUND' };
    await expect(store.getTarget(name)).rejects.toMatchObject(notFound);
    await expect(store.confirmTarget(name, false)).rejects.toMatchObject(notFound);
    await expect(store.removeTarget(name)).rejects.toMatchObject(notFound);
  });
});

describe('settings', () => {
  it('are null until they are set and can be set again', async () => {
    const store = await openTemporaryStore();
    expect(await store.getSetting('demo')).toBeNull();
    await store.setSetting('demo', 'r1');
    await store.setSetting('demo', 'r2');
    expect(await store.getSetting('demo')).toBe('r2');
  });
});
