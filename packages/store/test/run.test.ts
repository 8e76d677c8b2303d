import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addSource,
  hashOf,
  makeFrame,
  makeImport,
  makeReplay,
  makeRun,
  makeStep,
  openTemporaryStore,
  runIdOf,
  saveRun,
  stepIdOf,
  temporaryFolder,
} from './support.ts';

const WHOLE_PAGE = { offset: 0, limit: 100 };

describe('saving an import', () => {
  it('gives back every step as it was', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store);
    expect(await store.listSteps(saved.run.id)).toEqual(saved.steps);
    expect(await store.getStep(saved.run.id, stepIdOf(2))).toEqual(saved.steps[1]);
    await expect(store.getStep(saved.run.id, stepIdOf(9))).rejects.toMatchObject({
      code: 'STEP_NOT_FOUND',
    });
    await expect(store.listSteps(runIdOf(9))).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  });

  it('gives back more steps than go across at once, in order', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store, { stepCount: 2500 });
    expect(await store.listSteps(saved.run.id)).toEqual(saved.steps);
  });

  it('keeps runs, their sources, tools, frames, records that give nothing, and issues', async () => {
    const store = await openTemporaryStore();
    const source = await addSource(store, 'a recording', 'session.jsonl');
    const { sha256 } = source;
    const frames = [
      makeFrame(sha256, 1, { stepId: stepIdOf(2) }),
      makeFrame(sha256, 2, { monotonicNs: null, wallNs: 2n ** 80n }),
    ];
    const tool = {
      server: null,
      name: 'find_bookings',
      definition: { sha256, offset: 1, length: 2, pointer: '/tools/0' },
    };
    const label = {
      by: 'a data set',
      stepId: stepIdOf(2),
      placeText: 'entry 1',
      agent: 'Planner \ud800',
      category: null,
      reason: 'it looked in the wrong shed',
      origin: { sha256, offset: 0, length: 9, pointer: '' },
    };
    const run = { ...makeRun(sha256, { frames }), tools: [tool], externalMarks: [label] };
    const unused = [
      { sha256, offset: 0, length: 4, state: 'setAside' as const, reason: 'a setting' },
      { sha256, offset: 5, length: 6, state: 'malformed' as const, reason: 'no JSON' },
      { sha256, offset: 15, length: 6, state: 'notUnderstood' as const, reason: 'kind "x"' },
    ];
    const unlisted = [{ state: 'setAside' as const, reason: 'a setting', count: 10 }];
    const issue = { code: 'LINE_NOT_JSON', message: 'Line 2 is no JSON.', sha256, offset: 5 };
    const records = { total: 15, understood: 2, setAside: 11, notUnderstood: 1, malformed: 1 };
    await store.saveImport(
      makeImport(sha256, [run], {
        sources: [{ sha256, records, unused, unlisted, lineage: sha256 }],
        issues: [issue],
      }),
    );
    const detail = await store.getRun(run.run.id);
    expect(detail).toMatchObject({
      run: run.run,
      tags: [],
      outcome: null,
      mark: null,
      markSeq: null,
      startedAtText: '[09:00:1]',
      unreadCount: 2,
      issues: [issue],
      issuesOmitted: 0,
      externalMarks: [label],
      evidenceCounts: [0, 3, 0, 0],
      frameCount: 2,
      replayCount: 0,
      sources: [{ ...source, role: 'main', part: null, records }],
    });
    expect(await store.listFrames(run.run.id, WHOLE_PAGE)).toEqual({ total: 2, frames });
    expect(await store.listFrames(run.run.id, { ...WHOLE_PAGE, stepId: stepIdOf(2) })).toEqual({
      total: 1,
      frames: frames.slice(0, 1),
    });
    expect(await store.listFrames(run.run.id, { offset: 1, limit: 1 })).toEqual({
      total: 2,
      frames: frames.slice(1),
    });
    expect(await store.listTools(run.run.id)).toEqual([tool]);
    expect(await store.listUnused(run.run.id, { offset: 1, limit: 5 })).toEqual({
      groups: [
        { state: 'setAside', reason: 'a setting', count: 11, listed: 1 },
        { state: 'notUnderstood', reason: 'kind "x"', count: 1, listed: 1 },
        { state: 'malformed', reason: 'no JSON', count: 1, listed: 1 },
      ],
      groupsOmitted: 0,
      total: 3,
      records: unused.slice(1),
    });
    const only = { offset: 0, limit: 5, state: 'malformed' as const };
    expect(await store.listUnused(run.run.id, only)).toMatchObject({
      total: 1,
      records: unused.filter(({ state }) => state === 'malformed'),
    });
    const why = { offset: 0, limit: 5, state: 'setAside' as const, reason: 'a setting' };
    expect((await store.listUnused(run.run.id, why)).records).toEqual(unused.slice(0, 1));
    expect((await store.listUnused(run.run.id, { ...why, reason: 'other' })).total).toBe(0);
    expect(await store.findRunsByNaturalId('claude-code', 'session-1')).toEqual([detail]);
    // More names than SQLite takes in one statement; a lone surrogate is a name like any other.
    const names = Array.from({ length: 40_000 }, (_, index) => `name ${index} \ud800`);
    expect(await store.findRunsByLinks('claude-code', names)).toEqual([]);
    expect(await store.findRunsByLinks('claude-code', [...names, 'session-1'])).toEqual([detail]);
    expect(await store.findRunsByLinks('other', ['session-1'])).toEqual([]);
    expect(await store.findRunsOfSource(sha256)).toEqual([
      { runId: run.run.id, format: 'claude-code', formatRevision: 1 },
    ]);
    expect(await store.stats()).toEqual({ runCount: 1, sourceBytes: source.sizeBytes });
  });

  it('keeps times that no 64-bit integer holds', async () => {
    const store = await openTemporaryStore();
    const time = {
      startedAtNs: 10n ** 30n,
      endedAtNs: -(10n ** 30n),
      startedAtText: '1e30',
      endedAtText: null,
      evidence: 'logged' as const,
    };
    const saved = await saveRun(store, { steps: [makeStep(hashOf('content 1'), 1, { time })] });
    expect(await store.listSteps(saved.run.id)).toEqual(saved.steps);
    expect((await store.getRun(saved.run.id)).run).toEqual(saved.run);
  });

  it('writes nothing of an import that fails', async () => {
    const store = await openTemporaryStore();
    const { sha256 } = await addSource(store, 'twice');
    const twice = makeRun(sha256, { steps: [makeStep(sha256, 1), makeStep(sha256, 1)] });
    const good = makeRun(sha256, { number: 2 });
    await expect(store.saveImport(makeImport(sha256, [good, twice]))).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    expect(await store.listRuns(WHOLE_PAGE)).toEqual({ total: 0, runs: [] });
    expect(await store.findRunsOfSource(sha256)).toEqual([]);
  });

  it('refuses a run whose source is not there, and an issue of no source', async () => {
    const store = await openTemporaryStore();
    const missing = hashOf('never written');
    await expect(store.saveImport(makeImport(missing, [makeRun(missing)]))).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
      details: { sha256: missing },
    });
    const { sha256 } = await addSource(store, 'there');
    const issue = { code: 'ODD', message: 'odd', sha256: missing, offset: null };
    await expect(
      store.saveImport(makeImport(sha256, [makeRun(sha256)], { issues: [issue] })),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('reading a run anew', () => {
  it('replaces what was read and keeps what people added', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store);
    const runId = saved.run.id;
    await store.updateRun(runId, {
      title: 'Mine',
      tags: ['harbour', 'slow'],
      outcome: { verdict: 'wrong', text: 'wrong answer' },
    });
    const mark = await store.putMark(
      runId,
      {
        place: { kind: 'step', stepId: stepIdOf(3) },
        category: null,
        reason: 'here',
        citations: [],
      },
      'me',
    );
    await store.createReplay(makeReplay(1));
    const before = await store.getRun(runId);

    const grown = await addSource(store, 'content 1 and more');
    const steps = [1, 2, 4, 5, 3].map((number, index) =>
      makeStep(grown.sha256, index + 1, { id: stepIdOf(number) }),
    );
    const again = makeRun(grown.sha256, { steps, run: { title: 'Read anew', errorCount: 4 } });
    await store.saveImport(makeImport(grown.sha256, [again], { formatRevision: 2 }));

    expect(await store.listSteps(runId)).toEqual(steps);
    expect(await store.getRun(runId)).toMatchObject({
      run: { ...again.run, title: 'Mine' },
      tags: ['harbour', 'slow'],
      outcome: { verdict: 'wrong', text: 'wrong answer' },
      mark,
      markSeq: 5,
      importedAt: before.importedAt,
      replayCount: 1,
      sources: [{ sha256: grown.sha256 }],
    });
    expect((await store.listRuns(WHOLE_PAGE)).total).toBe(1);
    expect(await store.sweepSources()).toBe(1);
    expect(await store.findSource(hashOf('content 1'))).toBeNull();
  });

  it('takes the new title where nobody renamed the run', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store);
    const { sha256 } = saved.sources[0] ?? { sha256: hashOf('') };
    await store.updateRun(saved.run.id, { tags: ['x'] });
    await store.saveImport(makeImport(sha256, [makeRun(sha256, { run: { title: 'Better' } })]));
    expect((await store.getRun(saved.run.id)).run.title).toBe('Better');
  });

  it('keeps a mark whose step is gone, without a place in the order', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store);
    const place = { kind: 'step' as const, stepId: stepIdOf(3) };
    await store.putMark(saved.run.id, { place, category: null, reason: '', citations: [] }, 'me');
    const { sha256 } = saved.sources[0] ?? { sha256: hashOf('') };
    await store.saveImport(makeImport(sha256, [makeRun(sha256, { stepCount: 2 })]));
    expect(await store.getRun(saved.run.id)).toMatchObject({ mark: { place }, markSeq: null });
  });
});

describe('the list of runs', () => {
  it('has the newest first, by start; by import behind them those without a day; the same order always', async () => {
    const store = await openTemporaryStore();
    const at = (seconds: number) => BigInt(seconds) * 1_000_000_000n;
    const starts = [at(1000), at(3000), at(2000), at(2000)];
    for (const [index, startedAtNs] of starts.entries()) {
      await saveRun(store, { number: index + 1, run: { startedAtNs } });
    }
    // No day is known of these: they come last, the one imported last first.
    await saveRun(store, { number: 5, run: { clock: 'timeOfDay', startedAtNs: at(1) } });
    await saveRun(store, { number: 6, run: { clock: 'none', startedAtNs: null } });
    const order = [2, 4, 3, 1, 6, 5].map(runIdOf);
    const { total, runs } = await store.listRuns(WHOLE_PAGE);
    expect(total).toBe(6);
    expect(runs.map((stored) => stored.run.id)).toEqual(order);
    const page = await store.listRuns({ offset: 2, limit: 2 });
    expect(page.total).toBe(6);
    expect(page.runs.map((stored) => stored.run.id)).toEqual(order.slice(2, 4));
  });
});

describe('deleting a run', () => {
  it('takes along what only it needs', async () => {
    const dataFolder = await temporaryFolder();
    const store = await openTemporaryStore(dataFolder);
    const shared = await addSource(store, 'two runs in one file');
    const first = makeRun(shared.sha256, { number: 1 });
    const second = makeRun(shared.sha256, { number: 2 });
    await store.saveImport(makeImport(shared.sha256, [first, second]));
    const { frameLogPath } = await store.createReplay(makeReplay(1));
    await store.finishReplay(makeReplay(1).id, {
      outcome: 'cancelled',
      outcomeSentence: 'It was cancelled.',
      receiptText: null,
      comparison: null,
    });
    await access(join(dataFolder, 'replays'));

    expect(await store.deleteRun(first.run.id)).toEqual({ sourcesDeleted: 0 });
    await expect(store.getRun(first.run.id)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await expect(store.getReplay(makeReplay(1).id)).rejects.toMatchObject({
      code: 'REPLAY_NOT_FOUND',
    });
    await expect(access(frameLogPath)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await store.listSteps(second.run.id)).toEqual(second.steps);

    expect(await readFile(await store.sourcePath(shared.sha256), 'utf8')).toContain('two runs');
    expect(await store.deleteRun(second.run.id)).toEqual({ sourcesDeleted: 1 });
    expect(await store.findSource(shared.sha256)).toBeNull();
    await expect(store.sourcePath(shared.sha256)).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
    });
    const left = await readdir(join(dataFolder, 'sources'), { recursive: true });
    expect(left.filter((name) => name.length > 2)).toEqual([]);
    await expect(store.deleteRun(second.run.id)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  });

  it('takes the source of a run whose bytes were brought again in the meantime', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store, { content: 'again' });
    await addSource(store, 'again');
    expect(await store.deleteRun(saved.run.id)).toEqual({ sourcesDeleted: 1 });
  });

  it('leaves a source that is being imported', async () => {
    const store = await openTemporaryStore();
    const saved = await saveRun(store);
    const other = await addSource(store, 'not saved yet');
    expect(await store.deleteRun(saved.run.id)).toEqual({ sourcesDeleted: 1 });
    expect(await store.findSource(other.sha256)).toEqual(other);
    expect(await store.sweepSources([other.sha256])).toBe(1);
    expect(await store.findSource(other.sha256)).toBeNull();
  });
});
