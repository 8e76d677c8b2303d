import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { setAside } from '../src/migrations/0006-set-aside.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';
import {
  addSource,
  hashOf,
  makeImport,
  makeRun,
  openTemporaryStore,
  temporaryFolder,
} from './support.ts';

it('readings from before records were set aside keep their rows and do not say 0', () => {
  const before = MIGRATIONS.indexOf(setAside);
  expect(before).toBeGreaterThan(0);
  const database = new BetterSqlite3(':memory:');
  for (const migration of MIGRATIONS.slice(0, before)) database.exec(migration);
  const sha256 = hashOf('{}');
  database.exec(`
    INSERT INTO sources VALUES ('${sha256}', 'log.jsonl', 3, '2026-11-30', 0, '');
    INSERT INTO sourceReadings VALUES ('${sha256}', 'langfuse', 1, '${sha256}', 3, 2, 1, 0);
    INSERT INTO unreadRecords VALUES ('${sha256}', 'langfuse', 0, 5, 6, 'notUnderstood', 'odd');
  `);
  database.exec(setAside);
  expect(database.prepare('SELECT * FROM sourceReadings').get()).toMatchObject({
    recordsUnderstood: 2,
    recordsSetAside: null,
    unlistedJson: '[]',
  });
  expect(database.prepare('SELECT state, reason FROM unusedRecords').all()).toEqual([
    { state: 'notUnderstood', reason: 'odd' },
  ]);
  database.prepare('DELETE FROM sourceReadings').run();
  expect(database.prepare('SELECT * FROM unusedRecords').all()).toEqual([]);
  database.close();
});

it('what was not counted is told as null until the source is read again', async () => {
  const dataFolder = await temporaryFolder();
  const store = await openTemporaryStore(dataFolder);
  const { sha256 } = await addSource(store, '{}\n');
  const run = makeRun(sha256);
  await store.saveImport(makeImport(sha256, [run]));
  const database = new BetterSqlite3(join(dataFolder, 'misstep.db'));
  database.exec('UPDATE sourceReadings SET recordsSetAside = NULL');
  database.close();
  const counts = async () => (await store.getRun(run.run.id)).sources[0]?.records;
  expect((await counts())?.setAside).toBeNull();
  await addSource(store, '{}\n');
  await store.saveImport(makeImport(sha256, [run]));
  expect((await counts())?.setAside).toBe(0);
});
