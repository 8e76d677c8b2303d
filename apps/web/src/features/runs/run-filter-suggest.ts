import type { RunSummary } from '@misstep/contract';
import { type FilterToken, parseFilter, tokenizeFilter } from './run-filter.ts';
import type { FilterField } from './run-filter-fields.ts';

/** Something that Tab can put in the place of the token at the caret. */
export interface FilterSuggestion {
  /** Replaces the token whole: `marked:no`. */
  readonly text: string;
  /** What the rail shows: the value alone where the field stands before it. */
  readonly label: string;
  /** Runs that would be left; null = not counted. */
  readonly count: number | null;
}

export interface FilterSuggestions {
  /** Words before the options: "marked:", "fields", "Did you mean". */
  readonly head: string;
  readonly options: readonly FilterSuggestion[];
  /** How many more there are. */
  readonly more: number;
  /** Field names and samples for the right end of the rail. */
  readonly also: readonly string[];
}

const MOST_OPTIONS = 6;

/** What the rail offers for the token that the caret is in or at the end of. */
export function suggestFilter(
  query: string,
  caret: number,
  runs: readonly RunSummary[],
  fields: readonly FilterField[],
): FilterSuggestions {
  const token = tokenAt(query, caret);
  const rest = token === null ? query : query.slice(0, token.start) + query.slice(token.end);
  const { problems } = parseFilter(query, fields);
  const others = parseFilter(rest, fields);
  const left = runs.filter(others.matches);
  const used = new Set(others.tokens.map((each) => each.field));
  const also = fields.filter((field) => !used.has(field.name)).map(sampleOf);

  const problem = problems.find((each) => each.token.start === token?.start) ?? problems[0];
  if (problem !== undefined) {
    const options =
      problem.suggestion === null
        ? []
        : [{ text: problem.suggestion, label: problem.suggestion, count: null }];
    return {
      head: options.length > 0 ? 'Did you mean' : problem.message,
      options,
      more: 0,
      also,
    };
  }

  const field =
    token?.field === undefined || token.field === null
      ? undefined
      : fields.find((each) => each.name === token.field);
  if (token !== null && field !== undefined) {
    return {
      ...valuesOf(field, token, left),
      also: also.filter((name) => name !== sampleOf(field)),
    };
  }
  const typed = token?.value.toLowerCase() ?? '';
  const names = fields.filter((each) => each.name.startsWith(typed) && !used.has(each.name));
  return {
    head: 'fields',
    options: names.slice(0, MOST_OPTIONS).map((each) => ({
      text: each.kind === 'word' ? `${each.name}:` : `${each.name}>`,
      label: each.kind === 'word' ? `${each.name}:` : `${each.name}>`,
      count: null,
    })),
    more: Math.max(0, names.length - MOST_OPTIONS),
    also: typed === '' ? ['"free text"'] : [],
  };
}

/** The query with the token at the caret replaced, and where the caret then stands. */
export function acceptSuggestion(
  query: string,
  caret: number,
  suggestion: FilterSuggestion,
  fields: readonly FilterField[],
): { query: string; caret: number } {
  const problem = parseFilter(query, fields).problems[0];
  const token =
    tokenAt(query, caret) ?? (suggestion.count === null ? problem?.token : null) ?? null;
  const before = token === null ? query.slice(0, caret) : query.slice(0, token.start);
  const after = (token === null ? query.slice(caret) : query.slice(token.end)).trimStart();
  const gap = before === '' || before.endsWith(' ') ? '' : ' ';
  // A field alone waits for its value, so no space follows it.
  const end = /[:<>]$/.test(suggestion.text) ? '' : ' ';
  const placed = `${before}${gap}${suggestion.text}${end}`;
  return { query: placed + after, caret: placed.length };
}

/** The token that the caret is in or at the end of; null = between tokens. */
export function tokenAt(query: string, caret: number): FilterToken | null {
  return (
    tokenizeFilter(query).find((token) => token.start < caret && caret <= token.end) ??
    tokenizeFilter(query).find((token) => token.start === caret && caret < token.end) ??
    null
  );
}

function sampleOf(field: FilterField): string {
  return field.kind === 'word' ? `${field.name}:` : (field.examples[0] ?? `${field.name}>`);
}

function valuesOf(
  field: FilterField,
  token: FilterToken,
  runs: readonly RunSummary[],
): Omit<FilterSuggestions, 'also'> {
  if (field.kind === 'number') {
    const options = field.examples.map((text) => {
      const { matches } = parseFilter(text, [field]);
      return { text, label: text, count: runs.filter(matches).length };
    });
    return { head: `${field.name}`, options, more: 0 };
  }
  const counts = new Map<string, number>();
  for (const known of field.known ?? []) counts.set(known, 0);
  for (const run of runs) {
    for (const value of new Set(field.values(run))) {
      if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const typed = token.value.toLowerCase();
  const known = field.known ?? [];
  const all = [...counts]
    .filter(([value]) =>
      field.match === 'part'
        ? value.toLowerCase().includes(typed)
        : value.toLowerCase().startsWith(typed),
    )
    .map(([value, count]) => ({
      text: `${field.name}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`,
      label: value,
      count,
      place: known.indexOf(value),
    }))
    .sort(
      (a, b) => rank(a.place) - rank(b.place) || b.count - a.count || (a.label < b.label ? -1 : 1),
    );
  return {
    head: `${field.name}:`,
    options: all.slice(0, MOST_OPTIONS).map(({ text, label, count }) => ({ text, label, count })),
    more: Math.max(0, all.length - MOST_OPTIONS),
  };
}

function rank(place: number): number {
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
}
