import type { RunSummary } from '@misstep/contract';
import { nearestWord } from './nearest-word.ts';
import type { FilterField } from './run-filter-fields.ts';

export type FilterOperator = ':' | '>' | '<' | '>=' | '<=';

/** One piece of a query as it stands in the text. */
export interface FilterToken {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Null = free text. */
  readonly field: string | null;
  readonly operator: FilterOperator | null;
  /** Without its quotes. */
  readonly value: string;
}

export interface FilterProblem {
  readonly token: FilterToken;
  /** Said in the input: no field "eror". */
  readonly message: string;
  /** What the token could have been; null = no idea. */
  readonly suggestion: string | null;
}

export interface ParsedFilter {
  readonly tokens: readonly FilterToken[];
  readonly problems: readonly FilterProblem[];
  /** True where the run fits every token that is complete and understood. */
  readonly matches: (run: RunSummary) => boolean;
}

const TOKEN = /([A-Za-z-]+)(:|>=|<=|>|<)("(?:[^"]*)"?|\S*)|"([^"]*)"?|(\S+)/g;

/** Splits a query: `field:value`, `field>10`, `"free text"`, `words`. Quotes hold spaces together. */
export function tokenizeFilter(query: string): readonly FilterToken[] {
  return [...query.matchAll(TOKEN)].map((match) => {
    const [text, field, operator, value, quoted, word] = match;
    return {
      start: match.index,
      end: match.index + text.length,
      text,
      field: field?.toLowerCase() ?? null,
      // The pattern allows these five only.
      operator: (operator as FilterOperator | undefined) ?? null,
      value: field === undefined ? (quoted ?? word ?? '') : (value ?? '').replaceAll('"', ''),
    };
  });
}

/** Reads a query. A token whose value isn't typed yet constrains nothing. */
export function parseFilter(query: string, fields: readonly FilterField[]): ParsedFilter {
  const tokens = tokenizeFilter(query);
  const problems: FilterProblem[] = [];
  const tests: ((run: RunSummary) => boolean)[] = [];
  for (const token of tokens) {
    const read = readToken(token, fields);
    if ('test' in read) tests.push(read.test);
    else problems.push(read);
  }
  return { tokens, problems, matches: (run) => tests.every((test) => test(run)) };
}

type Test = { test: (run: RunSummary) => boolean };
const ALWAYS: Test = { test: () => true };

function readToken(token: FilterToken, fields: readonly FilterField[]): Test | FilterProblem {
  if (token.field === null) return token.value === '' ? ALWAYS : freeText(token.value);
  const field = fields.find((each) => each.name === token.field);
  if (field === undefined) return unknownField(token, fields);
  if (token.value === '') return ALWAYS;
  if (field.kind === 'number') return numberTest(token, field);
  if (token.operator !== ':') {
    return {
      token,
      message: `${field.name} takes words, not ${token.operator}`,
      suggestion: `${field.name}:${token.value}`,
    };
  }
  const wanted = token.value.toLowerCase();
  if (field.known !== undefined && field.match === 'exact' && field.name !== 'marked') {
    if (!field.known.includes(wanted)) {
      const near = nearestWord(wanted, field.known) ?? field.known[0] ?? null;
      // While it is being typed, the start of a known value is no mistake.
      if (field.known.some((known) => known.startsWith(wanted))) return startOf(field, wanted);
      return {
        token,
        message: `${field.name} is ${field.known.join(', ')}`,
        suggestion: near === null ? null : `${field.name}:${near}`,
      };
    }
  }
  if (field.name === 'marked') return startOf(field, wanted);
  return {
    test: (run) =>
      field
        .values(run)
        .some((value) =>
          field.match === 'exact'
            ? value.toLowerCase() === wanted
            : value.toLowerCase().includes(wanted),
        ),
  };
}

function startOf(field: FilterField & { kind: 'word' }, wanted: string): Test {
  const exact = field.known?.includes(wanted) ?? false;
  return {
    test: (run) =>
      field
        .values(run)
        .some((value) =>
          exact ? value.toLowerCase() === wanted : value.toLowerCase().startsWith(wanted),
        ),
  };
}

function numberTest(
  token: FilterToken,
  field: FilterField & { kind: 'number' },
): Test | FilterProblem {
  const wanted = field.read(token.value);
  if (wanted === null) {
    return {
      token,
      message: `${field.name} takes a number`,
      suggestion: field.examples[0] ?? null,
    };
  }
  return {
    test: (run) => {
      const value = field.value(run);
      if (value === null) return false;
      if (token.operator === '>') return value > wanted;
      if (token.operator === '<') return value < wanted;
      if (token.operator === '>=') return value >= wanted;
      if (token.operator === '<=') return value <= wanted;
      return value === wanted;
    },
  };
}

function freeText(words: string): Test {
  const wanted = words.toLowerCase();
  return {
    test: (run) =>
      [run.title, run.formatTitle, run.client, run.model, run.outcome?.text, run.mark?.reason]
        .concat(run.mark?.category ?? null, run.tags, run.tools)
        .some((text) => text?.toLowerCase().includes(wanted) ?? false),
  };
}

function unknownField(token: FilterToken, fields: readonly FilterField[]): FilterProblem {
  const near = nearestWord(
    token.field ?? '',
    fields.map((field) => field.name),
  );
  return {
    token,
    message: `no field “${token.field}”`,
    suggestion: near === null ? null : `${near}${token.operator ?? ':'}${token.value}`,
  };
}
