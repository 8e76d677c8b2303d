import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FollowedFolderState,
  type ImportState,
  type LookedFolder,
  routes,
} from '@misstep/contract';
import { expect, onTestFinished, test } from 'vitest';
import { body, errorOf } from './answers.ts';
import { call, openTestApp, smallRecording, until } from './support.ts';

async function crates(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'misstep-typed-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'crates', 'red'), { recursive: true });
  await mkdir(join(root, '.cranes'));
  await writeFile(join(root, 'crates', 'red', 'one.jsonl'), smallRecording('one'));
  await writeFile(join(root, 'crates', 'two.jsonl'), smallRecording('two'));
  return root;
}

test('a typed folder is looked at, then imported and followed by the id that looking gave', async () => {
  const root = await crates();
  const { app } = await openTestApp();
  const looked = await call(app, routes.lookAtFolder, {
    body: { path: `${join(root, 'crates')}/` },
  });
  const { folder } = body<{ folder: LookedFolder }>(looked);
  expect(folder).toMatchObject({ folder: join(root, 'crates'), fileCount: 2, isCut: false });
  const again = await call(app, routes.lookAtFolder, { body: { path: join(root, 'crates') } });
  expect(body<{ folder: LookedFolder }>(again).folder.id).toBe(folder.id);
  const begun = body<ImportState>(
    await call(app, routes.importFound, { body: { ids: [folder.id] } }),
  );
  const ended = await until(async () => {
    const now = body<ImportState>(
      await call(app, routes.getImport, { params: { importId: begun.id } }),
    );
    return now.phase === null ? now : null;
  });
  expect(ended.summary.fates.imported).toBe(2);
  const followed = body<FollowedFolderState>(
    await call(app, routes.followFolder, { body: { foundId: folder.id } }),
  );
  // The id ends with this start; the path is what is kept.
  expect(followed).toMatchObject({ path: join(root, 'crates'), foundId: null });
});

test('folders are offered as far as a path is typed, hidden ones last', async () => {
  const root = await crates();
  const { app } = await openTestApp();
  const offered = async (path: string) =>
    body<{ folders: string[] }>(await call(app, routes.offerFolders, { body: { path } })).folders;
  expect(await offered(`${root}/`)).toEqual([join(root, 'crates'), join(root, '.cranes')]);
  expect(await offered(join(root, 'CRA'))).toEqual([join(root, 'crates')]);
  expect(await offered(join(root, '.c'))).toEqual([join(root, '.cranes')]);
  expect(await offered(join(root, 'crates', 'two.jsonl'))).toEqual([]);
  expect(await offered('crates')).toEqual([]);
});

test('a path that is none, or no folder, is said', async () => {
  const root = await crates();
  const { app } = await openTestApp();
  const look = async (path: string) =>
    errorOf(await call(app, routes.lookAtFolder, { body: { path } }));
  expect(await look('crates')).toEqual([400, 'REQUEST_INVALID']);
  expect(await look(join(root, 'crates', 'two.jsonl'))).toEqual([404, 'NOT_FOUND']);
  expect(await look(join(root, 'no\0thing'))).toEqual([400, 'REQUEST_INVALID']);
  const unknown = await call(app, routes.importFound, { body: { ids: ['typed~99'] } });
  expect(errorOf(unknown)).toEqual([404, 'NOT_FOUND']);
});
