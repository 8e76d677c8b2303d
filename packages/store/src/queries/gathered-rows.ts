import type { Database } from '../database.ts';

/** Fewer rows than that stay in memory: most runs are short, and a table costs more. */
const MOST_IN_MEMORY = 5000;

type Cell = string | number | bigint | null;

/** Rows of one run of an import whose pieces are still coming in; many stand in a scratch table. */
export class GatheredRows<Row extends readonly Cell[]> {
  readonly #database: Database;
  readonly #columns: readonly string[];
  #table: string | null = null;
  #rows: Row[] = [];
  #inTable = 0;

  constructor(database: Database, columns: readonly string[]) {
    this.#database = database;
    this.#columns = columns;
  }

  get count(): number {
    return this.#inTable + this.#rows.length;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) this.#rows.push(row);
    if (this.#rows.length > MOST_IN_MEMORY) this.#spill();
  }

  /**
   * Puts all of them into a table of the database, in their order, within the transaction of the
   * caller. `ordinal`: a column that counts them from 1.
   */
  saveAs(table: 'steps' | 'frames', runKey: bigint, ordinal: string | null = null): void {
    const columns = this.#columns.join(', ');
    const [name, number, place] =
      ordinal === null ? ['', '', ''] : [`${ordinal}, `, 'rowid, ', '?, '];
    const target = `INSERT INTO ${table} (runKey, ${name}${columns})`;
    if (this.#table !== null) {
      this.#database.connection
        .prepare(`${target} SELECT ?, ${number}${columns} FROM ${this.#table} ORDER BY rowid`)
        .run(runKey);
    }
    const insert = this.#database.prepare(`${target} VALUES (?, ${place}${places(this.#columns)})`);
    for (const [index, row] of this.#rows.entries()) {
      const numbers = ordinal === null ? [] : [this.#inTable + index + 1];
      insert.run(runKey, ...numbers, ...row);
    }
  }

  drop(): void {
    this.#rows = [];
    this.#inTable = 0;
    if (this.#table !== null) this.#database.scratch.drop(this.#table);
    this.#table = null;
  }

  #spill(): void {
    const { connection, scratch } = this.#database;
    const columns = this.#columns.join(', ');
    this.#table ??= scratch.create(columns);
    const insert = connection.prepare(
      `INSERT INTO ${this.#table} (${columns}) VALUES (${places(this.#columns)})`,
    );
    connection.transaction((rows: readonly Row[]) => {
      for (const row of rows) insert.run(...row);
    })(this.#rows);
    this.#inTable += this.#rows.length;
    this.#rows = [];
  }
}

function places(columns: readonly string[]): string {
  return columns.map(() => '?').join(', ');
}
