import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goose } from '../src/formats/goose.ts';
import { chooseFormat, headWithLog } from '../src/index.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { sourceOf } from './support.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-wal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Files {
  readonly main: Uint8Array;
  readonly log: Uint8Array;
}

let made = 0;

/** Both files as somebody copies them while the program that writes them goes on. */
function copied(fill: (database: Sqlite.Database) => void, pageBytes = 1024): Files {
  made += 1;
  const path = join(folder, `live-${made}.db`);
  const database = new Sqlite(path);
  database.pragma(`page_size = ${pageBytes}`);
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  database.pragma('synchronous = OFF');
  fill(database);
  const files = {
    main: new Uint8Array(readFileSync(path)),
    log: new Uint8Array(existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : []),
  };
  if (database.inTransaction) database.exec('ROLLBACK');
  database.close();
  return files;
}

/** What SQLite itself makes of the two. */
function bySqlite({ main, log }: Files, sql: string): unknown[] {
  made += 1;
  const path = join(folder, `copy-${made}.db`);
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
  const database = new Sqlite(path);
  try {
    return database.prepare(sql).raw().all();
  } catch (error) {
    // The table itself stood in what was lost.
    expect(String(error)).toMatch(/no such table/);
    return [];
  } finally {
    database.close();
  }
}

async function byUs({ main, log }: Files, table: string, columns: readonly string[]) {
  const source = sourceOf('live.db', main);
  const reader = sourceOf('live.db-wal', log);
  const group = { key: 'live.db', role: 'companion', part: 'write-ahead log' } as const;
  const opened = await openDatabase({ main: source, companions: [{ reader, group }] });
  const found = opened.database?.tables.get(table);
  const rows: (string | null)[][] = [];
  if (opened.database !== null && found !== undefined) {
    for await (const row of opened.database.rows(found)) {
      rows.push(await Promise.all(columns.map((column) => row.text(column))));
      opened.ledger.take(row.span, null);
      const value = await row.value('text');
      if (value?.kind !== 'text') continue;
      const held = value.pieces.map(({ sha256, offset, length }) =>
        (sha256 === reader.sha256 ? log : main).subarray(offset, offset + length),
      );
      expect(Buffer.compare(Buffer.concat(held), Buffer.from(value.bytes))).toBe(0);
    }
  }
  return { rows, issues: opened.issues.list(), accounts: opened.ledger.accounts() };
}

type Change =
  | { readonly put: number; readonly length: number }
  | { readonly remove: number }
  | { readonly checkpoint: true };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ put: fc.nat({ max: 30 }), length: fc.nat({ max: 4000 }) }),
  fc.record({ remove: fc.nat({ max: 30 }) }),
  fc.constant({ checkpoint: true as const }),
);

function apply(database: Sqlite.Database, changes: readonly Change[]): void {
  const put = database.prepare('INSERT OR REPLACE INTO t (id, text) VALUES (?, ?)');
  for (const [turn, each] of changes.entries()) {
    if ('put' in each) put.run(String(each.put), `${turn}`.padEnd(each.length, 'ö'));
    else if ('remove' in each) database.prepare('DELETE FROM t WHERE id = ?').run(`${each.remove}`);
    else if (!database.inTransaction) database.pragma('wal_checkpoint(PASSIVE)');
  }
}

const TABLES = [
  'CREATE TABLE t (id TEXT UNIQUE, text TEXT)',
  'CREATE TABLE t (other INT, text TEXT, id TEXT, PRIMARY KEY (id)) WITHOUT ROWID',
];
const SELECT = 'SELECT id, text FROM t ORDER BY id';
const inOrder = (rows: readonly (readonly (string | null)[])[]) =>
  [...rows].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1));

describe('the log beside a database', () => {
  test('gives what SQLite gives, whatever was committed, checkpointed, cut or harmed', async () => {
    const given = fc.record({
      pageBytes: fc.constantFrom(512, 1024, 4096),
      table: fc.constantFrom(...TABLES),
      committed: fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 6 }),
      open: fc.array(change, { maxLength: 20 }),
      cut: fc.option(fc.nat({ max: 20_000 }), { freq: 2 }),
      harm: fc.option(fc.nat({ max: 40_000 }), { freq: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ pageBytes, table, committed, open, cut, harm }) => {
        const whole = copied((database) => {
          database.exec(table);
          for (const changes of committed) {
            database.transaction(() => apply(database, changes))();
            apply(
              database,
              changes.filter((each) => 'checkpoint' in each),
            );
          }
          // Pages of a change that goes on spill into the log when the cache is small.
          database.pragma('cache_size = 1');
          database.exec('BEGIN');
          apply(database, open);
        }, pageBytes);
        const log = whole.log.slice(0, Math.max(0, whole.log.length - (cut ?? 0)));
        const byte = harm === null ? undefined : log[harm];
        if (harm !== null && byte !== undefined) log[harm] = byte ^ 0x55;
        const files = { main: whole.main, log };
        const { rows, accounts } = await byUs(files, 't', ['id', 'text']);
        const wasWrittenBack = committed.flat().some((each) => 'checkpoint' in each);
        // Pages that were written back before the rest of the log was lost are torn, for SQLite too.
        const isTorn = wasWrittenBack && (cut !== null || harm !== null);
        if (!isTorn) expect(inOrder(rows)).toEqual(bySqlite(files, SELECT));
        for (const { records } of accounts) {
          const { total, understood, setAside, notUnderstood, malformed } = records;
          expect(total).toBe(understood + (setAside ?? 0) + notUnderstood + malformed);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('changes that did not end are left out and told, and so is what is cut', async () => {
    const files = copied((database) => {
      database.exec(TABLES[0] ?? '');
      apply(database, [{ put: 1, length: 10 }]);
      database.pragma('cache_size = 1');
      database.exec('BEGIN');
      apply(
        database,
        Array.from({ length: 40 }, (_each, put) => ({ put, length: 3000 })),
      );
    });
    const { rows, issues, accounts } = await byUs(files, 't', ['id']);
    expect(rows).toEqual([['1']]);
    expect(issues.map(({ code }) => code)).toEqual(['DATABASE_LOG_UNFINISHED']);
    expect(accounts[1]?.unused.some(({ reason }) => /not finished/.test(reason))).toBe(true);
    const cut = { main: files.main, log: files.log.subarray(0, files.log.length - 5) };
    const after = await byUs(cut, 't', ['id']);
    expect(after.rows).toEqual([['1']]);
    expect(after.issues.map(({ code }) => code)).toContain('DATABASE_LOG_DAMAGED');
  });

  test('a log of other pages, or no log, leaves the database as it is and is told', async () => {
    const fill = (database: Sqlite.Database) => {
      database.exec(TABLES[0] ?? '');
      apply(database, [{ put: 7, length: 10 }, { checkpoint: true }, { put: 8, length: 10 }]);
    };
    const { main } = copied(fill, 1024);
    const { log } = copied(fill, 4096);
    for (const other of [log, new TextEncoder().encode('no log at all'.repeat(9))]) {
      const { rows, issues } = await byUs({ main, log: other }, 't', ['id']);
      expect(rows).toEqual([['7']]);
      expect(issues.map(({ code }) => code)).toEqual(['DATABASE_LOG_REFUSED']);
    }
    const empty = await byUs({ main, log: new Uint8Array() }, 't', ['id']);
    expect(empty.rows).toEqual([['7']]);
    expect(empty.issues).toEqual([]);
  });

  test('a database whose tables stand in its log alone is recognised and read with it', async () => {
    const files = copied((database) => {
      database.exec(`
        CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
        CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT);
        CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER)`);
      database.exec("INSERT INTO sessions VALUES ('20261123_1', 'Hubs', '/depot')");
      const text = JSON.stringify([{ type: 'text', text: 'How many hubs?' }]);
      database
        .prepare('INSERT INTO messages VALUES (1, ?, ?, ?, ?, ?)')
        .run('m-1', '20261123_1', 'user', text, 1_795_000_000);
    });
    const main = sourceOf('sessions.db', files.main);
    const log = sourceOf('sessions.db-wal', files.log);
    const head = await headWithLog(main, log);
    expect(head === null ? null : chooseFormat(head).importer?.id).toBe('goose');
    const group = { key: 'sessions.db', role: 'companion', part: 'write-ahead log' } as const;
    const result = await goose.read({ main, companions: [{ reader: log, group }] });
    const [run] = result.runs;
    expect(run?.naturalId).toBe('20261123_1');
    expect(run?.steps[0]?.origin.sha256).toBe(log.sha256);
    expectAccountsAddUp(result, [main, log]);
  });
});
