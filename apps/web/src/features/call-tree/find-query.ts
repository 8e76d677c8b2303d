import { editDistance, STEP_KINDS, STEP_STATUSES } from '@misstep/model';

export const FIND_FIELDS = ['tool', 'server', 'kind', 'status', 'error'] as const;
export type FindField = (typeof FIND_FIELDS)[number];

export interface FindTerm {
  /** `text` looks in names, summaries, server and tool. */
  readonly field: FindField | 'text';
  /** Lower case. */
  readonly value: string;
}

export interface FindProblem {
  /** What is wrong, for the input: `no field "eror"`. */
  readonly message: string;
  /** The whole query put right; null = no guess. */
  readonly correction: string | null;
  /** The term that the guess is about, for "Did you mean error:yes". */
  readonly correctedTerm: string | null;
}

export type FindReading =
  | { readonly ok: true; readonly terms: readonly FindTerm[] }
  | { readonly ok: false; readonly problem: FindProblem };

/** Words between blanks; a quoted phrase is one word; `field:value` narrows a word to a field. */
const WORD = /(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))|([A-Za-z]+):/g;

/**
 * Reads the find-in-run box. All terms must hold. `status:` takes any of the step statuses or the
 * words of the chips, `kind:` any step kind, `error:` yes or no.
 */
export function readFindQuery(query: string): FindReading {
  const terms: FindTerm[] = [];
  for (const match of query.matchAll(WORD)) {
    const field = match[1] ?? match[4];
    const value = match[2] ?? match[3] ?? '';
    if (field === undefined) {
      if (value !== '') terms.push({ field: 'text', value: value.toLowerCase() });
      continue;
    }
    const known = FIND_FIELDS.find((each) => each === field.toLowerCase());
    if (known === undefined) {
      // `file://x` and `12:30` are text that happens to hold a colon.
      if (match[2] === undefined && (value.startsWith('//') || /^\d*$/.test(field))) {
        terms.push({ field: 'text', value: `${field}:${value}`.toLowerCase() });
        continue;
      }
      return { ok: false, problem: unknownField(query, field, value) };
    }
    if (value === '') continue;
    const problem = checkValue(query, known, value);
    if (problem !== null) return { ok: false, problem };
    terms.push({ field: known, value: value.toLowerCase() });
  }
  return { ok: true, terms };
}

const ERROR_VALUES = ['yes', 'no'] as const;

function checkValue(query: string, field: FindField, value: string): FindProblem | null {
  const words =
    field === 'kind'
      ? STEP_KINDS
      : field === 'status'
        ? STEP_STATUSES
        : field === 'error'
          ? ERROR_VALUES
          : null;
  if (words === null) return null;
  const lower = value.toLowerCase();
  // What is still being typed is no mistake.
  if (words.some((word) => word.toLowerCase().startsWith(lower))) return null;
  const guess = nearest(lower, words);
  const term = `${field}:${value}`;
  return {
    message: `no ${field} "${value}"`,
    correctedTerm: guess === null ? null : `${field}:${guess}`,
    correction: guess === null ? null : query.replace(term, `${field}:${guess}`),
  };
}

function unknownField(query: string, field: string, value: string): FindProblem {
  const guess = nearest(field.toLowerCase(), FIND_FIELDS);
  return {
    message: `no field "${field}"`,
    correctedTerm: guess === null ? null : `${guess}:${value}`,
    correction: guess === null ? null : query.replace(`${field}:`, `${guess}:`),
  };
}

/** The word at most two edits away; null = none. */
function nearest(word: string, words: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = 3;
  for (const candidate of words) {
    const distance = editDistance(word, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
