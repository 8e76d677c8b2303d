import type { Step } from '@misstep/model';
import { IdTable } from './id-table.ts';

/** Steps by an id of their recording, and by the number of that id: of several with one id the latest. Some 40 bytes each. */
export class StepTable {
  readonly #ids = new IdTable();
  readonly #steps: Step[] = [];

  get(id: string): Step | null {
    return this.#steps[this.#ids.find(id)] ?? null;
  }

  /** -1 where the id isn't known. */
  numberOf(id: string): number {
    return this.#ids.find(id);
  }

  /** Gives the id's number. */
  set(id: string, step: Step): number {
    const known = this.#ids.find(id);
    const number = known >= 0 ? known : this.#ids.add(id);
    this.#steps[number] = step;
    return number;
  }
}
