import BetterSqlite3 from 'better-sqlite3';
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { errorCode, Failure } from './failure.ts';
import { layout } from './layout.ts';
import { APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION } from './migrations/index.ts';
import { newerFailure } from './newer-failure.ts';
import { ScratchTables } from './scratch-tables.ts';
import type { Tables } from './tables.ts';

const BUSY_TIMEOUT_MS = 15_000;
const STATEMENTS_KEPT = 200;
const FLUSH_AFTER_MS = 200;

/**
 * One connection. Kysely only writes the SQL; it runs here at once, since a transaction of
 * better-sqlite3 can't wait for promises (docs/decisions/0020). Integers come as bigint.
 */
export class Database {
  /** Builds queries; never executes them. */
  readonly builder = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  readonly dataFolder: string;
  readonly connection: BetterSqlite3.Database;
  readonly scratch: ScratchTables;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  #flushTimer: ReturnType<typeof setTimeout> | null = null;

  /** DATA_FOLDER_NEWER before anything is written; SQLite's own errors otherwise. */
  constructor(dataFolder: string) {
    this.dataFolder = dataFolder;
    this.connection = new BetterSqlite3(layout.database(dataFolder), {
      timeout: BUSY_TIMEOUT_MS,
    });
    this.scratch = new ScratchTables(this.connection, dataFolder);
    try {
      this.#prepareFile();
    } catch (error) {
      this.connection.close();
      throw error;
    }
  }

  #prepareFile(): void {
    const version = this.#refuseForeign();
    const { connection } = this;
    if (connection.pragma('journal_mode', { simple: true }) !== 'wal') this.#useWal();
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    connection.pragma('temp_store = MEMORY');
    connection.pragma('cache_size = -16000');
    connection.pragma('journal_size_limit = 67108864');
    // Many small imports touch the same pages again and again: moved into the file less often.
    connection.pragma('wal_autocheckpoint = 4000');
    if (version < SCHEMA_VERSION) this.#migrate();
  }

  /** The header's version may be older than the log's, so it is asked for here again. */
  #refuseForeign(): number {
    const version = Number(this.connection.pragma('user_version', { simple: true }));
    if (version > SCHEMA_VERSION) throw newerFailure(this.dataFolder, version);
    const tables = this.connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    const owner = this.connection.pragma('application_id', { simple: true });
    if (tables !== 0 && owner !== APPLICATION_ID) {
      throw new Failure(
        'DATA_FOLDER_DAMAGED',
        `${layout.database(this.dataFolder)} is another program's database.`,
      );
    }
    return version;
  }

  /** SQLite doesn't wait for this lock by itself when two processes start at once. */
  #useWal(): void {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.connection.pragma('journal_mode = WAL');
        return;
      } catch (error) {
        const isBusy = error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_BUSY';
        if (!isBusy || attempt === 200) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }

  #migrate(): void {
    this.write(() => {
      // Another process may have done it while this one waited for the lock.
      const from = Number(this.connection.pragma('user_version', { simple: true }));
      if (from > SCHEMA_VERSION) throw newerFailure(this.dataFolder, from);
      if (from === SCHEMA_VERSION) return;
      for (const migration of MIGRATIONS.slice(from)) this.connection.exec(migration);
      this.connection.pragma(`application_id = ${APPLICATION_ID}`);
      this.connection.pragma(`user_version = ${SCHEMA_VERSION}`);
    });
  }

  /** A statement kept by its text; for the raw paths, too. */
  prepare(sql: string): BetterSqlite3.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.connection.prepare(sql).safeIntegers(true);
      if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all<Row>(query: Compilable<Row>): Row[] {
    const compiled: CompiledQuery<Row> = query.compile();
    // The builder's row type describes what its SQL selects.
    return this.prepare(compiled.sql).all(...compiled.parameters) as Row[];
  }

  first<Row>(query: Compilable<Row>): Row | undefined {
    const compiled: CompiledQuery<Row> = query.compile();
    // As in `all`.
    return this.prepare(compiled.sql).get(...compiled.parameters) as Row | undefined;
  }

  /** Gives how many rows were changed and the key of the last inserted one. */
  run(query: Compilable): { changes: number; key: bigint } {
    const compiled = query.compile();
    const { changes, lastInsertRowid } = this.prepare(compiled.sql).run(...compiled.parameters);
    return { changes, key: BigInt(lastInsertRowid) };
  }

  /** One transaction that holds the write lock from its start; rolled back if `work` throws. */
  write<T>(work: () => T): T {
    try {
      return this.connection.transaction(work).immediate();
    } catch (error) {
      const cause = errorCode(error);
      if (cause === 'SQLITE_FULL' || cause?.startsWith('SQLITE_IOERR')) this.emptyLog();
      throw error;
    }
  }

  /**
   * As `write`, but waits for the disk together with what follows: a fifth of a second later, or
   * with the next `write`. Until then a power cut (no crash of the process) takes it back as a whole.
   */
  writeSoon<T>(work: () => T): T {
    this.connection.pragma('synchronous = NORMAL');
    try {
      return this.write(work);
    } finally {
      this.connection.pragma('synchronous = FULL');
      this.#flushTimer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS);
    }
  }

  /** Any transaction that is flushed takes all before it along. */
  #flush(): void {
    this.#flushTimer = null;
    try {
      this.write(() => {
        // As it is: another process may have made it newer.
        const version = this.connection.pragma('user_version', { simple: true });
        this.connection.pragma(`user_version = ${Number(version)}`);
      });
    } catch {
      // A full disk or a busy database: the next transaction flushes, or says why it can't.
    }
  }

  /**
   * Moves the log's pages into the database and cuts it to nothing, where nobody reads it. A
   * transaction that filled the disk leaves its rolled-back pages in the log: with nothing else
   * in there, cutting it needs no room and gives all of it back.
   */
  emptyLog(): void {
    try {
      this.connection.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // The log stays as long as it is; what is committed in it is safe.
    }
  }

  /** Several reads of one and the same state. */
  read<T>(work: () => T): T {
    return this.connection.transaction(work).deferred();
  }

  close(): void {
    if (this.#flushTimer !== null) {
      clearTimeout(this.#flushTimer);
      this.#flush();
    }
    this.connection.close();
  }
}
