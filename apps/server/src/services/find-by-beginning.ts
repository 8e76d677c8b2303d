import { type ErrorCode, MisstepError } from '@misstep/model';

const HINT = 'Give more characters of its id, until only one begins with them.';

/** What the ids name, for sentences: `run`, `replay`, `experiment`. */
export interface Named {
  readonly noun: string;
  /** Of the error where none is named so. */
  readonly code: ErrorCode;
  /** True where the ids are of capitals and a person may type small letters. */
  readonly anyCase?: boolean;
}

/** The one of the ids that is meant by its beginning. */
export function findByBeginning<T extends string>(
  given: string,
  ids: readonly T[],
  { noun, code, anyCase = false }: Named,
): T {
  if (given === '') throw new MisstepError(code, `An empty id names no ${noun}.`);
  const beginning = anyCase ? given.toUpperCase() : given;
  const found = ids.filter((id) => id.startsWith(beginning));
  const [only] = found;
  if (only === undefined) throw new MisstepError(code, `There is no ${noun} ${given}.`);
  if (found.length === 1) return only;
  const message = `${found.length} ${noun}s begin with "${given}".`;
  throw new MisstepError(code, message, { count: found.length }, { hint: HINT });
}
