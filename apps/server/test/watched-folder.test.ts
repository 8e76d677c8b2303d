import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderWatch } from '../src/services/follow/folder-watch.ts';

/** Looking without being told comes too late for these. */
const TIMES = { settleMs: 30, longestMs: 2000, rescanMs: 600_000 };

async function watched() {
  const parent = await mkdtemp(join(tmpdir(), 'misstep-watched-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const root = join(parent, 'folder');
  await mkdir(root);
  const read: string[] = [];
  const presence: boolean[] = [];
  const watch = new FolderWatch({
    root,
    isRecording: () => true,
    known: [],
    times: TIMES,
    onError: (error) => {
      throw error;
    },
    onPresence: (isThere) => presence.push(isThere),
    onChanged: async (changed) =>
      changed.map(({ file: { path, sizeBytes, modifiedMs, inode } }) => {
        read.push(path.slice(root.length + 1));
        return { path, sizeBytes, modifiedMs, inode: String(inode), runIds: [] };
      }),
  });
  onTestFinished(() => watch.close());
  await watch.look();
  const seen = (name: string) => vi.waitFor(() => expect(read).toContain(name), 20_000);
  await writeFile(join(root, 'before.txt'), 'x');
  await seen('before.txt');
  return { parent, root, presence, seen };
}

test('a folder that is renamed away and back is heard again, and that is told', async () => {
  const { parent, root, presence, seen } = await watched();
  await rename(root, join(parent, 'away'));
  await vi.waitFor(() => expect(presence).toEqual([false]), 20_000);
  await rename(join(parent, 'away'), root);
  await vi.waitFor(() => expect(presence).toEqual([false, true]), 20_000);
  await writeFile(join(root, 'after.txt'), 'x');
  await seen('after.txt');
});

test('so is one that is deleted and made again, between two looks as well', async () => {
  const { root, presence, seen } = await watched();
  await rm(root, { recursive: true });
  await mkdir(root);
  await writeFile(join(root, 'at-once.txt'), 'x');
  await seen('at-once.txt');
  await writeFile(join(root, 'later.txt'), 'x');
  await seen('later.txt');
  await rm(root, { recursive: true });
  await vi.waitFor(() => expect(presence.at(-1)).toBe(false), 20_000);
  await mkdir(root);
  await vi.waitFor(() => expect(presence.at(-1)).toBe(true), 20_000);
  await writeFile(join(root, 'again.txt'), 'x');
  await seen('again.txt');
});

test('one below it, too', async () => {
  const { root, seen } = await watched();
  await mkdir(join(root, 'below'));
  await writeFile(join(root, 'below/one.txt'), 'x');
  await seen('below/one.txt');
  await rm(join(root, 'below'), { recursive: true });
  await mkdir(join(root, 'below'));
  await writeFile(join(root, 'below/two.txt'), 'x');
  await seen('below/two.txt');
  await writeFile(join(root, 'below/three.txt'), 'x');
  await seen('below/three.txt');
});
