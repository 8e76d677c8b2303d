import type { Database } from '../database.ts';
import { STEP_COLUMNS, type StepRow } from '../step-row.ts';
import { GatheredRows } from './gathered-rows.ts';

/** Steps of one run of an import whose pieces are still coming in, counted by evidence grade. */
export class GatheredSteps extends GatheredRows<StepRow> {
  readonly #grades = new Map<string, number>();

  constructor(database: Database) {
    super(database, STEP_COLUMNS);
  }

  /** How many steps have this evidence grade. */
  countOf(grade: string): number {
    return this.#grades.get(grade) ?? 0;
  }

  override add(rows: readonly StepRow[]): void {
    for (const row of rows) this.#grades.set(row[11], (this.#grades.get(row[11]) ?? 0) + 1);
    super.add(rows);
  }
}
