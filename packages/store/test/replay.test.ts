import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import {
  makeReplay,
  openTemporaryStore,
  replayIdOf,
  runIdOf,
  saveRun,
  stepIdOf,
  temporaryFolder,
} from './support.ts';

const end = {
  outcome: 'connectionFailed' as const,
  outcomeSentence: 'Nothing listens there.',
  receiptText: '{"receiptVersion":1}',
  comparison: null,
};

/** The token of a process that has ended. */
async function deadProcess(): Promise<string> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return `${child.pid}-1`;
}

describe('replays', () => {
  it('are listed newest first, by run and by step, and end once', async () => {
    const store = await openTemporaryStore();
    await saveRun(store);
    await saveRun(store, { number: 2 });
    const first = makeReplay(1);
    const { frameLogPath } = await store.createReplay(first);
    expect(frameLogPath.startsWith(store.dataFolder)).toBe(true);
    await store.createReplay(makeReplay(2, { stepId: stepIdOf(3), stepSeq: 3 }));
    await store.createReplay(makeReplay(3, { runId: runIdOf(2) }));
    const running = { ...first, frameLogPath, outcome: null, receipt: null, comparison: null };
    expect(await store.getReplay(first.id)).toMatchObject(running);
    await store.finishReplay(first.id, end);
    const ended = await store.getReplay(first.id);
    expect(ended).toMatchObject({ ...first, ...end, receipt: { receiptVersion: 1 } });
    await expect(store.finishReplay(first.id, end)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await store.findReplayByKey('key-1')).toEqual(ended);
    expect(await store.findReplayByKey('key-9')).toBeNull();

    const ids = async (filter: Parameters<typeof store.listReplays>[0]) => {
      const { total, replays } = await store.listReplays(filter);
      return [total, ...replays.map((replay) => replay.id)];
    };
    const [one, two, three] = [1, 2, 3].map(replayIdOf);
    expect(await ids({ limit: 9 })).toEqual([3, three, two, one]);
    expect(await ids({ limit: 1 })).toEqual([3, three]);
    expect(await ids({ runId: runIdOf(1), limit: 9 })).toEqual([2, two, one]);
    expect(await ids({ runId: runIdOf(1), stepId: stepIdOf(2), limit: 9 })).toEqual([1, one]);
    expect(await store.getRun(runIdOf(1))).toMatchObject({ replayCount: 2 });
  });

  it('refuse a run, a step or a replay that is not there, and a key used before', async () => {
    const store = await openTemporaryStore();
    await saveRun(store);
    const create = (number: number, change: Parameters<typeof makeReplay>[1]) =>
      store.createReplay(makeReplay(number, change));
    await expect(create(1, { runId: runIdOf(9) })).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await expect(create(1, { stepId: stepIdOf(9) })).rejects.toMatchObject({
      code: 'STEP_NOT_FOUND',
    });
    await store.createReplay(makeReplay(1));
    await expect(create(2, { idempotencyKey: 'key-1' })).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
      details: { replayId: replayIdOf(1) },
    });
    const notFound = { code: 'REPLAY_NOT_FOUND' };
    await expect(store.getReplay(replayIdOf(5))).rejects.toMatchObject(notFound);
    await expect(store.finishReplay(replayIdOf(5), end)).rejects.toMatchObject(notFound);
  });

  it('run one at a time to a target, in whichever process, and keep their run', async () => {
    const dataFolder = await temporaryFolder();
    const store = await openTemporaryStore(dataFolder);
    const beside = await openTemporaryStore(dataFolder);
    await saveRun(store);
    const { targetName } = makeReplay(1);
    await store.createReplay(makeReplay(1));
    await expect(beside.createReplay(makeReplay(2, { targetName }))).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
      details: { reason: 'alreadyRunning', replayId: replayIdOf(1) },
    });
    await expect(beside.deleteRun(runIdOf(1))).rejects.toMatchObject({
      code: 'RUN_BUSY',
      details: { replayId: replayIdOf(1) },
    });
    expect(await store.getReplay(replayIdOf(1))).toMatchObject({ outcome: null });

    // A replay whose process is gone holds nothing up, and tells of its end when it is asked for.
    const database = new BetterSqlite3(`${dataFolder}/misstep.db`);
    database.prepare('UPDATE replays SET process = ?').run(await deadProcess());
    database.close();
    await beside.createReplay(makeReplay(2, { targetName }));
    expect(await beside.getReplay(replayIdOf(1))).toMatchObject({ outcome: 'interrupted' });
    await beside.finishReplay(replayIdOf(2), end);
    await store.createReplay(makeReplay(3, { targetName }));
    await store.finishReplay(replayIdOf(3), end);
    expect(await store.deleteRun(runIdOf(1))).toMatchObject({ sourcesDeleted: 1 });
  });

  it('read interrupted once their process is gone, and no sooner', async () => {
    const dataFolder = await temporaryFolder();
    const store = await openTemporaryStore(dataFolder);
    await saveRun(store);
    await store.createReplay(makeReplay(1));
    const { frameLogPath } = await store.createReplay(makeReplay(2));
    await appendFile(frameLogPath, 'misstep-frames 1\n');
    const beside = await openTemporaryStore(dataFolder);
    expect(await beside.getReplay(replayIdOf(2))).toMatchObject({ outcome: null });

    const database = new BetterSqlite3(`${dataFolder}/misstep.db`);
    database
      .prepare('UPDATE replays SET process = ? WHERE id = ?')
      .run(await deadProcess(), replayIdOf(2));
    database.close();
    const lines: string[] = [];
    const next = await openStore({ dataFolder, onLog: (line) => lines.push(line) });
    expect(await next.getReplay(replayIdOf(1))).toMatchObject({ outcome: null });
    const interrupted = await next.getReplay(replayIdOf(2));
    expect(interrupted).toMatchObject({ outcome: 'interrupted', receipt: null });
    expect(interrupted.outcomeSentence).toContain(
      'The call may have been sent: whether the tool did its work is not known',
    );
    expect(await readFile(interrupted.frameLogPath, 'utf8')).toBe('misstep-frames 1\n');
    expect(lines).toEqual(['1 replays were interrupted.']);
    await next.close();
  });
});
