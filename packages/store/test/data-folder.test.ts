import { copyFile, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../src/index.ts';
import { canMount, mount, unmount } from './mounts.ts';
import { addSource, openTemporaryStore, saveRun, temporaryFolder } from './support.ts';

/** Every file and folder with its bytes and time of change. */
async function snapshot(folder: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    const about = await stat(path);
    const content = about.isFile() ? await readFile(path, 'base64') : 'folder';
    found[name] = { content, changedAtMs: about.mtimeMs, mode: about.mode };
  }
  return found;
}

async function filledFolder(): Promise<string> {
  const dataFolder = await temporaryFolder();
  const store = await openStore({ dataFolder });
  await saveRun(store, { stepCount: 500 });
  await store.close();
  return dataFolder;
}

async function expectRefusal(dataFolder: string, code: string): Promise<void> {
  const before = await snapshot(dataFolder);
  await expect(openStore({ dataFolder })).rejects.toMatchObject({ code });
  expect(await snapshot(dataFolder)).toEqual(before);
}

describe('a data folder', () => {
  it('is made with what it needs and opened again', async () => {
    const dataFolder = join(await temporaryFolder(), 'new', 'data');
    const store = await openStore({ dataFolder });
    expect(store.dataFolder).toBe(dataFolder);
    expect(await readdir(store.targetFolder)).toEqual([]);
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700);
    const saved = await saveRun(store);
    await store.close();
    await store.close();
    await expect(store.stats()).rejects.toMatchObject({ code: 'INTERNAL' });
    const again = await openTemporaryStore(dataFolder);
    expect(await again.listSteps(saved.run.id)).toEqual(saved.steps);
  });

  it.runIf(process.platform === 'linux').each([
    ['/proc/misstep', '/proc/misstep', 'no folders can be made where it is to stand'],
    ['/proc/a/b', '/proc/a/b', 'no folders can be made where it is to stand'],
    ['/dev/null/x', '/dev/null/x', 'a part of its path is a file'],
    ['a name too long', `/tmp/${'x'.repeat(300)}`, 'its name is too long'],
  ])('that can not be made is told with the reason: %s', async (_name, dataFolder, why) => {
    await expect(openStore({ dataFolder })).rejects.toMatchObject({
      code: 'DATA_FOLDER_READ_ONLY',
      message: `The folder ${dataFolder} can't be made: ${why}.`,
    });
  });

  it('of a newer version is refused and left as it is', async () => {
    const dataFolder = await filledFolder();
    const database = new BetterSqlite3(join(dataFolder, 'misstep.db'));
    database.pragma('user_version = 99');
    database.close();
    await expectRefusal(dataFolder, 'DATA_FOLDER_NEWER');
    await expect(openStore({ dataFolder })).rejects.toMatchObject({
      details: { version: 99, dataFolder },
    });
  });

  it('of a newer version is refused also while only the log says so', async () => {
    const dataFolder = await filledFolder();
    const newer = new BetterSqlite3(join(dataFolder, 'misstep.db'));
    onTestFinished(() => {
      newer.close();
    });
    newer.pragma('user_version = 99');
    const header = (await readFile(join(dataFolder, 'misstep.db'))).readUInt32BE(60);
    expect(header).toBeLessThan(99);
    await expect(openStore({ dataFolder })).rejects.toMatchObject({ code: 'DATA_FOLDER_NEWER' });
    expect(newer.pragma('user_version', { simple: true })).toBe(99);
  });

  it('from the future, as kept in fixtures, is refused and left as it is', async () => {
    const dataFolder = await temporaryFolder();
    const fixture = new URL('../fixtures/from-the-future.db', import.meta.url);
    await copyFile(fixture, join(dataFolder, 'misstep.db'));
    await expectRefusal(dataFolder, 'DATA_FOLDER_NEWER');
  });

  it('with garbage for a database is called damaged and left as it is', async () => {
    const dataFolder = await filledFolder();
    const database = join(dataFolder, 'misstep.db');
    const file = await open(database, 'r+');
    await file.write(Buffer.alloc(100, 'no database '), 0, 100, 0);
    await file.close();
    await expectRefusal(dataFolder, 'DATA_FOLDER_DAMAGED');
    await writeFile(database, 'SQLite format 3\0 cut');
    await expectRefusal(dataFolder, 'DATA_FOLDER_DAMAGED');
  });

  it('with a damaged page says so when it is read, and keeps the sources', async () => {
    const dataFolder = await filledFolder();
    const sources = await snapshot(join(dataFolder, 'sources'));
    const database = join(dataFolder, 'misstep.db');
    const { size } = await stat(database);
    const file = await open(database, 'r+');
    await file.write(Buffer.alloc(size - 4096, 0xff), 0, size - 4096, 4096);
    await file.close();
    const read = async () => {
      const store = await openTemporaryStore(dataFolder);
      await store.listRuns({ offset: 0, limit: 9 });
    };
    await expect(read()).rejects.toMatchObject({ code: 'DATA_FOLDER_DAMAGED' });
    expect(await snapshot(join(dataFolder, 'sources'))).toEqual(sources);
  });

  it('keeps the sources of a database that was moved away', async () => {
    const dataFolder = await filledFolder();
    const sources = await snapshot(join(dataFolder, 'sources'));
    await rename(join(dataFolder, 'misstep.db'), join(dataFolder, 'old.db'));
    const store = await openTemporaryStore(dataFolder);
    expect(await store.sweepSources()).toBe(0);
    expect(await snapshot(join(dataFolder, 'sources'))).toEqual(sources);
    const again = await saveRun(store);
    expect((await store.getRun(again.run.id)).sources).toHaveLength(1);
  });

  it("with another program's database is refused and left as it is", async () => {
    const dataFolder = await temporaryFolder();
    const database = new BetterSqlite3(join(dataFolder, 'misstep.db'));
    database.exec('CREATE TABLE other (x)');
    database.close();
    await expectRefusal(dataFolder, 'DATA_FOLDER_DAMAGED');

    const withLog = new BetterSqlite3(join(dataFolder, 'misstep.db'));
    withLog.pragma('journal_mode = WAL');
    withLog.close();
    await expect(openStore({ dataFolder })).rejects.toMatchObject({ code: 'DATA_FOLDER_DAMAGED' });
    const after = new BetterSqlite3(join(dataFolder, 'misstep.db'));
    expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['other']);
    expect(after.pragma('user_version', { simple: true })).toBe(0);
    after.close();
  });

  it('that is a file is refused', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, 'x');
    await expect(openStore({ dataFolder: path })).rejects.toMatchObject({
      code: 'DATA_FOLDER_READ_ONLY',
    });
  });

  it('loses the uploads of dead processes at the start, not those of living ones', async () => {
    const dataFolder = await filledFolder();
    const incoming = join(dataFolder, 'incoming');
    const store = await openTemporaryStore(dataFolder);
    const writer = await store.createSource('x');
    await writer.write(new Uint8Array(9));
    const living = await readdir(incoming);
    await writeFile(join(incoming, '4194999-1.abc'), 'half');
    await writeFile(join(incoming, `${process.pid}-1.abc`), 'of a former process with this number');
    await openTemporaryStore(dataFolder);
    expect(await readdir(incoming)).toEqual(living);
    await writer.abort();
  });

  it('keeps at a start what another living process is importing', async () => {
    const dataFolder = await filledFolder();
    const importing = await openTemporaryStore(dataFolder);
    const source = await addSource(importing, 'on its way');
    const beside = await openTemporaryStore(dataFolder);
    expect(await beside.sweepSources()).toBe(0);
    expect(await importing.findSource(source.sha256)).toEqual(source);

    const database = new BetterSqlite3(join(dataFolder, 'misstep.db'));
    database.prepare('UPDATE sourceClaims SET process = ?').run('4194999-1');
    database.close();
    const lines: string[] = [];
    const later = await openStore({ dataFolder, onLog: (line) => lines.push(line) });
    expect(await later.findSource(source.sha256)).toBeNull();
    expect(lines).toEqual(['Removed 1 sources of unfinished imports.']);
    await later.close();
  });

  it.skipIf(!canMount)(
    'that can only be read is refused and left as it is (needs root)',
    async () => {
      const dataFolder = await filledFolder();
      mount('--bind', dataFolder, dataFolder);
      onTestFinished(() => unmount(dataFolder));
      mount('-o', 'remount,ro,bind', dataFolder);
      await expectRefusal(dataFolder, 'DATA_FOLDER_READ_ONLY');
      const below = join(dataFolder, 'not', 'there');
      await expect(openStore({ dataFolder: below })).rejects.toMatchObject({
        code: 'DATA_FOLDER_READ_ONLY',
      });
    },
  );
});
