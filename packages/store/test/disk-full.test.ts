import { open, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../src/index.ts';
import { canMount, mount, unmount } from './mounts.ts';
import {
  addSource,
  makeImport,
  makeRun,
  runIdOf,
  saveRun,
  stepIdOf,
  temporaryFolder,
} from './support.ts';

const MIB = 1_048_576;
const DISK_FULL = { code: 'DISK_FULL' };

describe.skipIf(!canMount)('a full disk (needs root, to mount a small one)', () => {
  it('is said, loses nothing, and is worked on with once it has room', {
    timeout: 60_000,
  }, async () => {
    const disk = await temporaryFolder();
    mount('-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk);
    onTestFinished(() => unmount(disk));
    const dataFolder = join(disk, 'data');
    const store = await openStore({ dataFolder });
    const kept = await saveRun(store, { stepCount: 200 });
    const keptDetail = await store.getRun(kept.run.id);
    const intact = async () => {
      expect(await store.listSteps(kept.run.id)).toEqual(kept.steps);
      expect(await store.listRuns({ offset: 0, limit: 9 })).toMatchObject({
        total: 1,
        runs: [{ run: kept.run }],
      });
    };

    const upload = await store.createSource('large.bin');
    const overfill = async () => {
      for (let written = 0; written < 20 * MIB; written += MIB) {
        await upload.write(new Uint8Array(MIB));
      }
      await upload.finish();
    };
    await expect(overfill()).rejects.toMatchObject(DISK_FULL);
    expect(await readdir(join(dataFolder, 'incoming'))).toEqual([]);
    await intact();

    const { sha256 } = await addSource(store, 'many steps');
    const large = makeImport(sha256, [makeRun(sha256, { number: 2, stepCount: 60_000 })]);
    await expect(store.saveImport(large)).rejects.toMatchObject(DISK_FULL);
    await intact();

    // What the import had written until then took the whole disk and has given it back.
    const { bavail, bsize } = await statfs(disk);
    expect(bavail * bsize).toBeGreaterThan(8 * MIB);
    const filler = join(disk, 'filler');
    await writeFile(filler, '');
    await expect(fill(filler)).rejects.toMatchObject({ code: 'ENOSPC' });
    const draft = {
      place: { kind: 'step' as const, stepId: stepIdOf(2) },
      category: null,
      reason: 'x'.repeat(100_000),
      citations: [],
    };
    await expect(store.putMark(kept.run.id, draft, 'me')).rejects.toMatchObject(DISK_FULL);
    await expect(store.setSetting('x', 'y'.repeat(MIB))).rejects.toMatchObject(DISK_FULL);
    expect(await store.getRun(kept.run.id)).toEqual(keptDetail);

    await rm(filler);
    const mark = await store.putMark(kept.run.id, draft, 'me');
    const small = makeImport(sha256, [makeRun(sha256, { number: 2, stepCount: 300 })]);
    await store.saveImport(small);
    await store.close();
    const again = await openStore({ dataFolder });
    expect(await again.getRun(kept.run.id)).toMatchObject({ mark });
    expect(await again.listSteps(runIdOf(2))).toHaveLength(300);
    await again.close();
  });
});

/** Writes until nothing more goes in. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const size of [MIB, 4096, 512]) {
      let error: unknown = null;
      while (error === null) {
        error = await file.write(new Uint8Array(size)).then(
          () => null,
          (reason: unknown) => reason,
        );
      }
      if (size === 512) throw error;
    }
  } finally {
    await file.close();
  }
}
