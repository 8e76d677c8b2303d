import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { layout } from './layout.ts';
import { ownProcessToken } from './process-token.ts';

const SCHEMA = 'scratch';
const CACHE_KILOBYTES = 2000;

/**
 * Tables for rows on their way, in a database file of this connection alone: no lock of the
 * database is taken, and memory does not grow with them. The file goes with the last table; that of a
 * killed process with the next start, as everything in incoming/.
 */
export class ScratchTables {
  readonly #connection: BetterSqlite3.Database;
  readonly #dataFolder: string;
  readonly #names = new Set<string>();
  #path: string | null = null;
  #made = 0;

  constructor(connection: BetterSqlite3.Database, dataFolder: string) {
    this.#connection = connection;
    this.#dataFolder = dataFolder;
  }

  /** The name of a new table, for SQL. Not within a transaction. */
  create(columns: string): string {
    if (this.#path === null) this.#attach();
    this.#made += 1;
    const name = `${SCHEMA}.rows_${this.#made}`;
    this.#connection.exec(`CREATE TABLE ${name} (${columns})`);
    this.#names.add(name);
    return name;
  }

  /** Not within a transaction. */
  drop(name: string): void {
    if (!this.#names.delete(name)) return;
    if (this.#names.size > 0) this.#connection.exec(`DROP TABLE ${name}`);
    else this.#detach();
  }

  #attach(): void {
    const random = randomBytes(8).toString('hex');
    const path = join(layout.incoming(this.#dataFolder), `${ownProcessToken()}.${random}.rows`);
    this.#connection.prepare(`ATTACH ? AS ${SCHEMA}`).run(path);
    this.#path = path;
    // Nobody reads it after a crash, so nothing in it has to survive one.
    this.#connection.pragma(`${SCHEMA}.journal_mode = OFF`);
    this.#connection.pragma(`${SCHEMA}.synchronous = OFF`);
    this.#connection.pragma(`${SCHEMA}.cache_size = -${CACHE_KILOBYTES}`);
  }

  #detach(): void {
    const path = this.#path;
    if (path === null) return;
    this.#connection.exec(`DETACH ${SCHEMA}`);
    this.#path = null;
    rmSync(path, { force: true });
  }
}
