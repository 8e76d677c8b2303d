import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Database, type OnDamage } from '../src/sqlite/database.ts';
import { DatabaseFile, headerOf } from '../src/sqlite/database-file.ts';
import type { DatabaseValue } from '../src/sqlite/database-row.ts';
import { columnsOf } from '../src/sqlite/table-columns.ts';
import { sourceOf } from './support.ts';

type Plain = null | bigint | number | string | Uint8Array;

function bytesOf(fill: (database: Sqlite.Database) => void): Uint8Array {
  const database = new Sqlite(':memory:');
  fill(database);
  const bytes = new Uint8Array(database.serialize());
  database.close();
  return bytes;
}

async function open(bytes: Uint8Array, onDamage: OnDamage = failOnDamage): Promise<Database> {
  const header = headerOf(bytes);
  if (header === null) throw new Error('no database');
  return Database.open(new DatabaseFile(sourceOf('test.db', bytes), header), onDamage);
}

function failOnDamage(_span: unknown, reason: string): void {
  throw new Error(reason);
}

async function readBack(bytes: Uint8Array, table: string): Promise<Plain[][]> {
  const database = await open(bytes);
  const found = database.tables.get(table);
  if (found === undefined) throw new Error(`no table ${table}`);
  const rows: Plain[][] = [];
  for await (const row of database.rows(found)) {
    const values = [];
    for (const name of found.names) values.push(plain(await row.value(name), bytes));
    rows.push(values);
  }
  return rows;
}

function plain(value: DatabaseValue | null, file: Uint8Array): Plain {
  if (value === null) throw new Error('a damaged row');
  if (value.kind === 'null') return null;
  if (value.kind === 'integer') return value.integer;
  if (value.kind === 'real') return value.real;
  const fromPieces = Buffer.concat(
    value.pieces.map(({ offset, length }) => file.subarray(offset, offset + length)),
  );
  expect(Buffer.compare(fromPieces, Buffer.from(value.bytes))).toBe(0);
  return value.kind === 'blob' ? value.bytes : new TextDecoder().decode(value.bytes);
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.tuple(fc.nat({ max: 9000 }), fc.constantFrom('x', 'ö', '🚲')).map(([n, c]) => c.repeat(n)),
);
const value: fc.Arbitrary<Plain> = fc.oneof(
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer({ min: -200, max: 70_000 }).map(BigInt),
  fc.double({ noNaN: true }).filter((each) => !Number.isInteger(each)),
  text.filter((each) => !each.includes('\u0000')),
  fc.uint8Array({ maxLength: 3000 }),
);

describe('the SQLite reader', () => {
  test('reads back what SQLite wrote, with the bytes of every text', async () => {
    const table = fc.record({
      pageBytes: fc.constantFrom(512, 1024, 4096, 65_536),
      rows: fc.array(fc.tuple(value, value, value), { maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(table, async ({ pageBytes, rows }) => {
        const bytes = bytesOf((database) => {
          database.pragma(`page_size = ${pageBytes}`);
          database.exec('CREATE TABLE t (a, "b" BLOB, [c d]); CREATE INDEX i ON t (a)');
          const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
          for (const row of rows) insert.run(...row);
        });
        expect(await readBack(bytes, 't')).toEqual(rows);
      }),
      { numRuns: 120 },
    );
  });

  test('reads deep trees, rows that were deleted are gone, and rowids that are columns', async () => {
    const bytes = bytesOf((database) => {
      database.pragma('page_size = 512');
      database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)');
      const insert = database.prepare('INSERT INTO t (name) VALUES (?)');
      for (let count = 1; count <= 4000; count += 1) insert.run(`part ${count}`);
      database.exec('DELETE FROM t WHERE id % 3 = 0; ALTER TABLE t ADD COLUMN late TEXT');
    });
    const rows = await readBack(bytes, 't');
    expect(rows).toHaveLength(2667);
    expect(rows.at(-1)).toEqual([4000n, 'part 4000', null]);
  });

  test.each(['UTF-16le', 'UTF-16be'])('reads texts of %s', async (encoding) => {
    const bytes = bytesOf((database) => {
      database.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE parts (name TEXT)`);
      database.prepare('INSERT INTO parts VALUES (?)').run('Größe ✓ 🚲');
    });
    const database = await open(bytes);
    const table = database.tables.get('parts');
    const texts = [];
    if (table !== undefined) {
      for await (const row of database.rows(table)) texts.push(await row.text('name'));
    }
    expect(texts).toEqual(['Größe ✓ 🚲']);
  });

  test('any damage ends in a report, never in an exception or without end', async () => {
    const whole = bytesOf((database) => {
      database.pragma('page_size = 512');
      database.exec('CREATE TABLE t (a TEXT, b TEXT)');
      const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
      for (let count = 0; count < 200; count += 1) insert.run(`k${count}`, 'v'.repeat(count * 7));
    });
    const harm = fc.array(fc.tuple(fc.nat({ max: whole.length - 101 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(harm, fc.nat({ max: whole.length - 100 }), async (changes, cut) => {
        const bytes = whole.slice(0, whole.length - cut);
        for (const [at, byte] of changes) if (at + 100 < bytes.length) bytes[at + 100] = byte;
        const places: number[] = [];
        const database = await open(bytes, ({ offset, length }) => places.push(offset + length));
        for (const table of database.tables.values()) {
          for await (const row of database.rows(table)) await row.text('b');
        }
        for (const end of places) expect(end).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['CREATE TABLE a (x INTEGER PRIMARY KEY, y)', ['x', 'y'], 0],
    ['create table "a b" ("x, y" TEXT, z DECIMAL(10, 2), PRIMARY KEY (z))', ['x, y', 'z'], -1],
    ["CREATE TABLE a (x TEXT DEFAULT ',)', -- first\n y /* , */ INT PRIMARY KEY)", ['x', 'y'], -1],
    ['CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT) STRICT', ['id'], 0],
  ])('finds the columns of %s', (sql, names, rowidColumn) => {
    expect(columnsOf(sql)).toMatchObject({ names, rowidColumn, kind: 'rowid' });
  });

  test.each([
    ['CREATE TABLE a (x, y PRIMARY KEY) WITHOUT ROWID', [1, 0]],
    ['CREATE TABLE a (x INTEGER PRIMARY KEY, y) STRICT, WITHOUT ROWID', [0, 1]],
    [
      'CREATE TABLE a (x, y, "z z", CONSTRAINT k PRIMARY KEY ("z z" DESC, x)) WITHOUT ROWID',
      [1, 2, 0],
    ],
    [
      'CREATE TABLE a (x CHECK (x IN (1, 2)), y, UNIQUE (x), PRIMARY KEY (y, y)) WITHOUT ROWID',
      [1, 0],
    ],
  ])('knows where %s keeps its columns', (sql, stored) => {
    expect(columnsOf(sql)).toMatchObject({ stored, rowidColumn: -1, kind: 'keyed' });
  });

  test('reads tables without rowids, in the order of their keys', async () => {
    const rows = Array.from({ length: 3000 }, (_each, at): Plain[] => [
      `value ${at}`.repeat(1 + (at % 40)),
      `k${String(at).padStart(5, '0')}`,
      BigInt(at),
    ]);
    const bytes = bytesOf((database) => {
      database.pragma('page_size = 512');
      database.exec('CREATE TABLE t (v TEXT, k TEXT, n INT, PRIMARY KEY (k, n)) WITHOUT ROWID');
      const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
      for (const row of rows.toReversed()) insert.run(...row);
    });
    expect(await readBack(bytes, 't')).toEqual(rows);
  });

  test('leaves tables without rows of their own out', () => {
    expect(columnsOf('CREATE VIRTUAL TABLE a USING fts5(x)')).toBeNull();
  });
});
