import type { Database } from '../database.ts';
import { STEP_COLUMNS, type StepRow } from '../step-row.ts';

/** Fewer rows than that stay in memory: most runs are short, and a table costs more. */
const MOST_IN_MEMORY = 5000;

/**
 * Steps of one run of an import whose pieces are still coming in. Those of a long one stand in a
 * temporary table, that is, in a file of this connection alone: no lock of the database is taken.
 */
export class GatheredSteps {
  readonly #database: Database;
  readonly #table: string;
  #rows: StepRow[] = [];
  #inTable = 0;
  readonly #grades = new Map<string, number>();

  constructor(database: Database, importId: number, runIndex: number) {
    this.#database = database;
    this.#table = `temp.gatheredSteps_${importId}_${runIndex}`;
  }

  get count(): number {
    return this.#inTable + this.#rows.length;
  }

  /** How many steps have this evidence grade. */
  countOf(grade: string): number {
    return this.#grades.get(grade) ?? 0;
  }

  add(rows: readonly StepRow[]): void {
    for (const row of rows) {
      this.#rows.push(row);
      this.#grades.set(row[11], (this.#grades.get(row[11]) ?? 0) + 1);
    }
    if (this.#rows.length > MOST_IN_MEMORY) this.#spill();
  }

  /** Puts all of them into the table of steps, within the transaction of the caller. */
  saveAs(runKey: bigint): void {
    if (this.#inTable > 0) {
      this.#database.connection
        .prepare(
          `INSERT INTO steps (runKey, ${COLUMNS}) SELECT ?, ${COLUMNS} FROM ${this.#table} ORDER BY rowid`,
        )
        .run(runKey);
    }
    const insert = this.#database.prepare(
      `INSERT INTO steps (runKey, ${COLUMNS}) VALUES (?, ${PLACES})`,
    );
    for (const row of this.#rows) insert.run(runKey, ...row);
  }

  drop(): void {
    this.#rows = [];
    if (this.#inTable > 0) this.#database.connection.exec(`DROP TABLE IF EXISTS ${this.#table}`);
    this.#inTable = 0;
  }

  #spill(): void {
    const { connection } = this.#database;
    if (this.#inTable === 0) connection.exec(`CREATE TABLE ${this.#table} (${COLUMNS})`);
    const insert = connection.prepare(`INSERT INTO ${this.#table} (${COLUMNS}) VALUES (${PLACES})`);
    connection.transaction((rows: readonly StepRow[]) => {
      for (const row of rows) insert.run(...row);
    })(this.#rows);
    this.#inTable += this.#rows.length;
    this.#rows = [];
  }
}

const COLUMNS = STEP_COLUMNS.join(', ');
const PLACES = STEP_COLUMNS.map(() => '?').join(', ');
