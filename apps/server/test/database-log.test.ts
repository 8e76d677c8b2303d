import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunId } from '@misstep/model';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-log-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program that runs has of its database: the file, and the log beside it, after each message. */
function sessionsWhileOpen(): { main: Buffer; logs: Buffer[] } {
  const path = join(mkdtempSync(join(folder, 'of-')), 'sessions.db');
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.exec(`
    CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
    CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
    INSERT INTO sessions VALUES ('20261123_1', 'Hubs', '/depot')`);
  const insert = database.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)');
  const logs: Buffer[] = [];
  let main = Buffer.alloc(0);
  for (const [index, text] of ['How many hubs?', 'Forty.', 'And rims?'].entries()) {
    const content = JSON.stringify([{ type: 'text', text }]);
    const role = index % 2 === 0 ? 'user' : 'assistant';
    insert.run(index + 1, `m-${index}`, '20261123_1', role, content, 1_795_000_000 + index);
    if (index === 0) {
      database.pragma('wal_checkpoint(TRUNCATE)');
      main = readFileSync(path);
    }
    logs.push(readFileSync(`${path}-wal`));
  }
  database.close();
  return { main, logs };
}

test('a database is read with the log beside it, and its run goes on as the log grows', async () => {
  const { main, logs } = sessionsWhileOpen();
  const [empty = Buffer.alloc(0), second = empty, third = empty] = logs;
  const services = await openTestServices();
  const importOf = (log: Buffer) =>
    services.imports.importFiles([
      fileOf('goose/sessions.db', main),
      fileOf('goose/sessions.db-shm', Buffer.alloc(8, 1)),
      fileOf('goose/sessions.db-wal', log),
    ]);
  const stepsOf = async (id: RunId | undefined) =>
    id === undefined ? [] : (await services.store.listSteps(id)).map(({ summary }) => summary);

  const [alone, , wal] = await importOf(empty);
  expect(alone?.error ?? wal?.error).toBeNull();
  const runId = alone?.runs[0]?.id;
  expect(await stepsOf(runId)).toEqual(['How many hubs?']);

  const [db, , log] = await importOf(second);
  expect(db).toMatchObject({ format: 'goose', error: null, alreadyImported: false });
  expect(log).toMatchObject({ format: 'goose', error: null });
  expect([db?.runs[0]?.id, log?.runs[0]?.id]).toEqual([runId, runId]);
  expect(await stepsOf(runId)).toEqual(['How many hubs?', 'Forty.']);
  expect(db?.issues.map(({ code }) => code)).not.toContain('DATABASE_LOG_NOT_READ');

  await importOf(third);
  expect(await stepsOf(runId)).toEqual(['How many hubs?', 'Forty.', 'And rims?']);
  const [again] = await importOf(third);
  expect(again?.alreadyImported).toBe(true);
  if (runId === undefined) throw new Error('no run');
  expect((await services.store.getRun(runId)).sources).toMatchObject([
    { role: 'main', part: null },
    { role: 'companion', part: 'write-ahead log' },
  ]);
});

test('a log without its database says what to give with it', async () => {
  const { logs } = sessionsWhileOpen();
  const services = await openTestServices();
  const [outcome] = await services.imports.importFiles([
    fileOf('goose/sessions.db-wal', logs.at(-1) ?? Buffer.alloc(0)),
  ]);
  expect(outcome?.error?.code).toBe('IMPORT_UNREADABLE');
  expect(outcome?.error?.hint).toContain('goose/sessions.db');
});

test('a copy of the log that is cut or damaged takes nothing from what a whole one gave', async () => {
  const { main, logs } = sessionsWhileOpen();
  const whole = logs.at(-1) ?? Buffer.alloc(0);
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 100] = (damaged.at(-100) ?? 0) ^ 1;
  for (const worse of [whole.subarray(0, whole.length - 1000), damaged]) {
    const services = await openTestServices();
    const importOf = (name: string, log: Buffer) =>
      services.imports.importFiles([
        fileOf(`${name}/sessions.db`, main),
        fileOf(`${name}/sessions.db-wal`, log),
      ]);
    const [first] = await importOf('one', whole);
    const [, copy] = await importOf('two', worse);
    const runId = first?.runs[0]?.id;
    expect(copy?.runs.map(({ id }) => id)).toEqual([runId]);
    expect(copy?.records).toMatchObject({ total: 1, setAside: 1 });
    const steps = runId === undefined ? [] : await services.store.listSteps(runId);
    expect(steps.map(({ summary }) => summary)).toEqual(['How many hubs?', 'Forty.', 'And rims?']);
  }
});

test('the whole log that comes after a damaged copy gives what that lacked', async () => {
  const { main, logs } = sessionsWhileOpen();
  const whole = logs.at(-1) ?? Buffer.alloc(0);
  const services = await openTestServices();
  const ids: unknown[] = [];
  for (const log of [whole.subarray(0, whole.length - 1000), whole]) {
    const [outcome] = await services.imports.importFiles([
      fileOf('goose/sessions.db', main),
      fileOf('goose/sessions.db-wal', log),
    ]);
    ids.push(outcome?.runs[0]?.id);
  }
  expect(ids[1]).toBe(ids[0]);
  const { runs } = await services.store.listRuns({ limit: 9, offset: 0 });
  expect(runs.map(({ run }) => run.stepCount)).toEqual([3]);
});
