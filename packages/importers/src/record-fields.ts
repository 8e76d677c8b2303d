import type { JsonView } from './json-view.ts';

/** A record, or a field of one that stands apart from it. */
interface Fielded {
  at(key: string, ...path: readonly string[]): JsonView | undefined;
}

/**
 * The fields of a thing that several records tell of: of each the last that states something else. What is
 * only said again stays where it was said first, so that a log that grows doesn't move it.
 */
export class RecordFields {
  readonly #records: readonly Fielded[];

  constructor(records: readonly Fielded[]) {
    this.#records = records;
  }

  get(key: string, ...path: readonly string[]): JsonView | undefined {
    let found: JsonView | undefined;
    for (const record of this.#records) {
      const value = record.at(key, ...path);
      if (value === undefined || value.isNull) continue;
      if (value.written !== found?.written) found = value;
    }
    return found;
  }

  text(key: string, ...path: readonly string[]): string | null {
    return this.get(key, ...path)?.text ?? null;
  }
}
