import type { Step } from '@misstep/model';
import { IdTable } from './id-table.ts';

/** Steps by an id of their recording: of several with one id the latest. Some 40 bytes each. */
export class StepTable {
  readonly #ids = new IdTable();
  readonly #steps: Step[] = [];

  get(id: string): Step | null {
    return this.#steps[this.#ids.find(id)] ?? null;
  }

  set(id: string, step: Step): void {
    const known = this.#ids.find(id);
    this.#steps[known >= 0 ? known : this.#ids.add(id)] = step;
  }
}
