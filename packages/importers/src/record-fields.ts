import type { JsonView } from './json-view.ts';

/**
 * The fields of a thing that several records tell of: of each the last that states something else. What is
 * only said again stays where it was said first, so that a log that grows doesn't move it.
 */
export class RecordFields {
  readonly #records: readonly JsonView[];

  constructor(records: readonly JsonView[]) {
    this.#records = records;
  }

  get(...path: readonly string[]): JsonView | undefined {
    let found: JsonView | undefined;
    for (const record of this.#records) {
      const value = record.at(...path);
      if (value === undefined || value.isNull) continue;
      if (value.written !== found?.written) found = value;
    }
    return found;
  }

  text(...path: readonly string[]): string | null {
    return this.get(...path)?.text ?? null;
  }
}
