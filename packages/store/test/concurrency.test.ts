import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_TARGET_SETTINGS } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import {
  addSource,
  makeImport,
  makeRun,
  makeStep,
  openTemporaryStore,
  runIdOf,
  saveRun,
  stepIdOf,
  targetNameOf,
  temporaryFolder,
} from './support.ts';

const WHOLE_PAGE = { offset: 0, limit: 1000 };

describe('several stores in one folder', () => {
  it('may be opened at the same time where nothing is yet', async () => {
    const dataFolder = await temporaryFolder();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ dataFolder })));
    await Promise.all(stores.map((store, index) => saveRun(store, { number: index })));
    for (const store of stores) expect((await store.listRuns(WHOLE_PAGE)).total).toBe(4);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('lose none of what they write at the same time', async () => {
    const dataFolder = await temporaryFolder();
    const stores = [await openTemporaryStore(dataFolder), await openTemporaryStore(dataFolder)];
    const shared = await saveRun(await openTemporaryStore(dataFolder), { number: 999 });
    await Promise.all(
      stores.map(async (store, index) => {
        for (let turn = 1; turn <= 15; turn += 1) {
          const number = index * 100 + turn;
          const saved = await saveRun(store, { number, stepCount: 50 });
          const place = { kind: 'step' as const, stepId: stepIdOf(1 + (turn % 3)) };
          const draft = { place, category: null, reason: `${number}`, citations: [] };
          await store.putMark(shared.run.id, draft, 'me');
          const address = { transport: 'streamable-http' as const, url: 'http://127.0.0.1:1/' };
          await store.addTarget({
            name: targetNameOf(`t${number}`),
            address,
            settings: NO_TARGET_SETTINGS,
          });
          if (turn % 5 === 0) await store.deleteRun(saved.run.id);
        }
      }),
    );
    for (const store of stores) {
      expect((await store.listRuns(WHOLE_PAGE)).total).toBe(1 + 2 * 12);
      expect(await store.listTargets()).toHaveLength(30);
      const marks = await store.listMarks(shared.run.id);
      expect(marks).toHaveLength(30);
      expect(marks.filter((mark) => mark.supersededAt === null)).toEqual(marks.slice(0, 1));
    }
    const files = await readdir(join(dataFolder, 'sources'), { recursive: true });
    expect(files.filter((name) => name.length > 2)).toHaveLength(1 + 2 * 12);
  });

  it('see either all of a reading or all of the next one', async () => {
    const dataFolder = await temporaryFolder();
    const [writer, reader] = [
      await openTemporaryStore(dataFolder),
      await openTemporaryStore(dataFolder),
    ];
    const { sha256 } = await addSource(writer, 'read again and again');
    const save = async (turn: number) => {
      const steps = Array.from({ length: 2000 + turn * 500 }, (_, index) =>
        makeStep(sha256, index + 1, { summary: `reading ${turn}` }),
      );
      await writer.saveImport(makeImport(sha256, [makeRun(sha256, { steps })]));
    };
    await save(0);
    let isWriting = true;
    const writing = (async () => {
      for (let turn = 1; turn <= 6; turn += 1) await save(turn);
      isWriting = false;
    })();
    const seen = new Set<string | undefined>();
    while (isWriting) {
      const steps = await reader.listSteps(runIdOf(1));
      const summaries = new Set(steps.map((step) => step.summary));
      expect(summaries.size).toBe(1);
      const [summary] = summaries;
      expect(steps).toHaveLength(2000 + Number(summary?.slice('reading '.length)) * 500);
      seen.add(summary);
    }
    await writing;
    expect(seen.size).toBeGreaterThan(1);
  });
});
