import { createHash } from 'node:crypto';
import { type RunDetail, routes } from '@misstep/contract';
import { type Skeleton, STEP_FLAGS, STEP_KINDS } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { ABSENT_HASH, ABSENT_RUN, body, errorOf, importedRun, importText } from './answers.ts';
import { call, openTestApp, smallRecording } from './support.ts';

describe('a run', () => {
  test('is imported, listed, opened, changed and deleted with its source', async () => {
    const { app, services } = await openTestApp();
    const run = await importedRun(app);
    expect(run).toMatchObject({ toolCallCount: 2, errorCount: 1, mark: null, tags: [] });

    const params = { runId: run.id };
    const detail = body<RunDetail>(await call(app, routes.getRun, { params }));
    expect(detail.sources).toHaveLength(1);
    expect(detail.demo).toBe(false);
    expect(detail.evidenceCounts.reduce((sum, count) => sum + count, 0)).toBe(detail.stepCount);

    const changed = await call(app, routes.updateRun, {
      params,
      body: {
        title: '  The depot sleeps ',
        tags: ['depot', 'depot', 'late'],
        outcome: { verdict: 'wrong', text: 'no parcel' },
      },
    });
    expect(changed.json).toMatchObject({
      title: 'The depot sleeps',
      tags: ['depot', 'late'],
      outcome: { verdict: 'wrong', text: 'no parcel' },
    });
    const cleared = await call(app, routes.updateRun, { params, body: { outcome: null } });
    expect(cleared.json).toMatchObject({ title: 'The depot sleeps', outcome: null });

    const status = await call(app, routes.getStatus);
    expect(status.json).toMatchObject({ runCount: 1, author: 'tester', demoRunId: null });
    const removed = await call(app, routes.deleteRun, { params });
    expect(removed.json).toEqual({ sourcesDeleted: 1 });
    expect(await services.store.stats()).toMatchObject({ runCount: 0, sourceBytes: 0 });
    expect(errorOf(await call(app, routes.getRun, { params }))).toEqual([404, 'RUN_NOT_FOUND']);
  });

  test('has a skeleton with its flags, steps with exact texts, frames and unread records', async () => {
    const { app } = await openTestApp();
    const run = await importedRun(app);
    const params = { runId: run.id };
    const skeleton = body<Skeleton>(await call(app, routes.getSkeleton, { params }));
    expect(skeleton.count).toBe(run.stepCount);
    const tools = skeleton.kinds.flatMap((kind, index) =>
      STEP_KINDS[kind] === 'tool' ? [index] : [],
    );
    expect(tools).toHaveLength(2);
    // The second call repeats the failed one byte for byte.
    expect(tools.map((index) => (skeleton.flags[index] ?? 0) & STEP_FLAGS.retried)).toEqual([
      0,
      STEP_FLAGS.retried,
    ]);

    const stepId = skeleton.ids[tools[1] ?? 0] ?? '';
    const stepParams = { ...params, stepId };
    const step = await call(app, routes.getStep, { params: stepParams });
    expect(step.json).toMatchObject({
      tool: 'find_parcel',
      durationNs: 1_000_000_000,
      arguments: { text: '{"code":"one","exact":true}', omittedBytes: 0 },
      replayCount: 0,
      frameCount: 2,
    });
    expect(step.text).toContain('9007199254740993');
    const cut = body<{ result: { text: string; sizeBytes: number; omittedBytes: number } }>(
      await call(app, routes.getStep, { params: stepParams, query: { maxBytes: 10 } }),
    );
    expect(cut.result.text).toHaveLength(10);
    expect(cut.result.omittedBytes).toBe(cut.result.sizeBytes - 10);

    const frames = await call(app, routes.listFrames, { params, query: { stepId } });
    expect(frames.json).toMatchObject({
      total: 2,
      frames: [{ direction: 'client-to-server', method: 'tools/call' }, { kind: 'response' }],
    });
    const unread = await call(app, routes.listUnused, { params });
    expect(unread.json).toEqual({ groups: [], groupsOmitted: 0, total: 0, records: [] });
  });

  test('keeps what it could not read, with its bytes', async () => {
    const { app } = await openTestApp();
    const state = await importText(app, `${smallRecording()}{"ts": broken\n{"other":1}\n`);
    const records = state.sources[0]?.records;
    expect(records).toMatchObject({ setAside: 0, notUnderstood: 1, malformed: 1 });
    expect(records?.total).toBe((records?.understood ?? 0) + 2);
    const runId = state.sources[0]?.runs[0]?.id;
    const unread = await call(app, routes.listUnused, { params: { runId } });
    expect(unread.json).toMatchObject({ total: 2 });
    expect(unread.text).toContain('{\\"ts\\": broken');
    const query = { state: 'malformed' };
    const malformed = await call(app, routes.listUnused, { params: { runId }, query });
    expect(malformed.json).toMatchObject({ total: 1, records: [{ state: 'malformed' }] });
    expect(malformed.json).toMatchObject({ groups: [{ count: 1 }, { count: 1 }] });
  });

  test('carries one current mark and its history', async () => {
    const { app } = await openTestApp();
    const run = await importedRun(app);
    const params = { runId: run.id };
    const skeleton = body<Skeleton>(await call(app, routes.getSkeleton, { params }));
    const draft = {
      place: { kind: 'step', stepId: skeleton.ids[0] },
      category: 'Wrong tool',
      reason: 'it slept',
      citations: [],
    };
    expect((await call(app, routes.putMark, { params, body: draft })).json).toMatchObject({
      author: 'tester',
      supersededAt: null,
    });
    const none = { ...draft, place: { kind: 'noDeviation' }, category: null };
    await call(app, routes.putMark, { params, body: none });
    const { marks } = body<{ marks: { supersededAt: string | null }[] }>(
      await call(app, routes.listMarks, { params }),
    );
    expect(marks.map(({ supersededAt }) => supersededAt === null)).toEqual([true, false]);
    expect((await call(app, routes.deleteMark, { params })).json).toEqual({ removed: true });
    expect((await call(app, routes.deleteMark, { params })).json).toEqual({ removed: false });
    const foreign = { ...draft, place: { kind: 'step', stepId: 'nowhere' } };
    expect(errorOf(await call(app, routes.putMark, { params, body: foreign }))).toEqual([
      404,
      'STEP_NOT_FOUND',
    ]);
  });

  test('what is not there is named', async () => {
    const { app } = await openTestApp();
    const run = await importedRun(app);
    const absent = { runId: ABSENT_RUN, stepId: 'x' };
    for (const route of [
      routes.getRun,
      routes.deleteRun,
      routes.getSkeleton,
      routes.getStep,
      routes.listFrames,
      routes.listUnused,
      routes.listMarks,
      routes.deleteMark,
    ]) {
      expect(errorOf(await call(app, route, { params: absent }))).toEqual([404, 'RUN_NOT_FOUND']);
    }
    const title = { title: 'x' };
    expect(errorOf(await call(app, routes.updateRun, { params: absent, body: title }))).toEqual([
      404,
      'RUN_NOT_FOUND',
    ]);
    const noStep = { runId: run.id, stepId: 'nowhere' };
    expect(errorOf(await call(app, routes.getStep, { params: noStep }))).toEqual([
      404,
      'STEP_NOT_FOUND',
    ]);
  });
});

describe('a source', () => {
  test('is read in windows and exported byte for byte', async () => {
    const { app } = await openTestApp();
    const text = smallRecording();
    await importText(app, text, 'ré"c;\r\n.jsonl');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const window = body<{ base64: string; offset: number; length: number; sizeBytes: number }>(
      await call(app, routes.getSourceWindow, {
        params: { sha256 },
        query: { offset: 3, length: 10 },
      }),
    );
    expect(Buffer.from(window.base64, 'base64').toString()).toBe(text.slice(3, 13));
    const beyond = await call(app, routes.getSourceWindow, {
      params: { sha256 },
      query: { offset: 1_000_000, length: 10 },
    });
    expect(beyond.json).toMatchObject({ offset: text.length, length: 0, base64: '' });

    const exported = await call(app, routes.exportSource, { params: { sha256 } });
    expect(createHash('sha256').update(exported.text).digest('hex')).toBe(sha256);
    expect(exported.headers['content-disposition']).toBe(
      `attachment; filename="r__c___.jsonl"; filename*=UTF-8''r%C3%A9%22c%3B%0D%0A.jsonl`,
    );
    for (const route of [routes.getSourceWindow, routes.exportSource]) {
      const query = route === routes.getSourceWindow ? { offset: 0, length: 1 } : {};
      const sent = await call(app, route, { params: { sha256: ABSENT_HASH }, query });
      expect(errorOf(sent)).toEqual([404, 'SOURCE_NOT_FOUND']);
    }
  });
});
