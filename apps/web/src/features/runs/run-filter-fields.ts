import type { RunSummary } from '@misstep/contract';
import { EVIDENCE_GRADES } from '@misstep/model';
import { runCostUsd, runDurationNs, runTokens } from './run-time.ts';

/** A field of the filter that is compared with words: `field:value`. */
export interface WordField {
  readonly kind: 'word';
  readonly name: string;
  /** Every value of the run that `field:value` may match; matching ignores case. */
  readonly values: (run: RunSummary) => readonly string[];
  /** `exact`: the whole value; `part`: a piece of it is enough. */
  readonly match: 'exact' | 'part';
  /** Values offered first, in this order, also where no run has them. */
  readonly known?: readonly string[];
}

/** A field that is compared as a number: `field>10`. */
export interface NumberField {
  readonly kind: 'number';
  readonly name: string;
  /** Null = not recorded: matches no comparison. */
  readonly value: (run: RunSummary) => number | null;
  readonly read: (text: string) => number | null;
  /** Offered while a value is being typed. */
  readonly examples: readonly string[];
}

export type FilterField = WordField | NumberField;

const NS_PER_SECOND = 1e9;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const MULTIPLES: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };

function readNumber(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(k|M)?$/.exec(text);
  return match === null ? null : Number(match[1]) * (MULTIPLES[match[2] ?? ''] ?? 1);
}

/** Seconds where no unit is given: "90", "10m", "1.5h", "300ms". */
function readDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  return match === null ? null : Number(match[1]) * (SECONDS[match[2] ?? 's'] ?? 1) * NS_PER_SECOND;
}

function markValues(run: RunSummary): readonly string[] {
  if (run.mark === null) return ['no'];
  const by = `by:${run.mark.author}`;
  return run.mark.place.kind === 'noDeviation' ? ['none-found', by] : ['yes', by];
}

const present = (value: string | null): readonly string[] => (value === null ? [] : [value]);

const WORD_FIELDS: readonly WordField[] = [
  { kind: 'word', name: 'title', match: 'part', values: (run) => [run.title] },
  { kind: 'word', name: 'tool', match: 'part', values: (run) => run.tools },
  {
    kind: 'word',
    name: 'error',
    match: 'exact',
    known: ['yes', 'no'],
    values: (run) => [run.errorCount > 0 ? 'yes' : 'no'],
  },
  {
    kind: 'word',
    name: 'status',
    match: 'exact',
    known: ['error', 'ok'],
    values: (run) => [run.errorCount > 0 ? 'error' : 'ok'],
  },
  {
    kind: 'word',
    name: 'marked',
    match: 'exact',
    known: ['no', 'yes', 'none-found'],
    values: markValues,
  },
  {
    kind: 'word',
    name: 'evidence',
    match: 'exact',
    known: EVIDENCE_GRADES,
    values: (run) => [run.bestEvidence],
  },
  {
    kind: 'word',
    name: 'format',
    match: 'part',
    values: (run) => [run.format, run.formatTitle],
  },
  { kind: 'word', name: 'client', match: 'part', values: (run) => present(run.client) },
  { kind: 'word', name: 'model', match: 'part', values: (run) => present(run.model) },
  {
    kind: 'word',
    name: 'outcome',
    match: 'part',
    known: ['wrong', 'right', 'stopped', 'not-set'],
    values: (run) =>
      run.outcome === null ? ['not-set'] : [run.outcome.verdict, run.outcome.text].filter(Boolean),
  },
  { kind: 'word', name: 'tag', match: 'exact', values: (run) => run.tags },
];

const NUMBER_FIELDS: readonly NumberField[] = [
  {
    kind: 'number',
    name: 'dur',
    value: runDurationNs,
    read: readDuration,
    examples: ['dur>1m', 'dur>10m', 'dur<10s'],
  },
  {
    kind: 'number',
    name: 'steps',
    value: (run) => run.stepCount,
    read: readNumber,
    examples: ['steps>100', 'steps>1000'],
  },
  {
    kind: 'number',
    name: 'calls',
    value: (run) => run.toolCallCount,
    read: readNumber,
    examples: ['calls>5', 'calls>50'],
  },
  {
    kind: 'number',
    name: 'errs',
    value: (run) => run.errorCount,
    read: readNumber,
    examples: ['errs>0', 'errs>5'],
  },
  {
    kind: 'number',
    name: 'tokens',
    value: runTokens,
    read: readNumber,
    examples: ['tokens>100k', 'tokens>1M'],
  },
  {
    kind: 'number',
    name: 'cost',
    value: runCostUsd,
    read: readNumber,
    examples: ['cost>1', 'cost>0.1'],
  },
  {
    kind: 'number',
    name: 'unread',
    value: (run) => run.unreadCount,
    read: readNumber,
    examples: ['unread>0'],
  },
];

export const FILTER_FIELDS: readonly FilterField[] = [...WORD_FIELDS, ...NUMBER_FIELDS];
