import type { ImportRow, ImportSummary, SourceFate } from '@misstep/contract';
import { addRecordCounts, type SourceHash } from '@misstep/model';
import { type SourceOutcome, sentError } from './outcome.ts';

export function fateOf({ error, runs, alreadyImported }: SourceOutcome): SourceFate {
  if (error !== null) return 'failed';
  if (runs.length === 0) return 'setAside';
  return alreadyImported ? 'known' : 'imported';
}

/** Who looks at a result looks for these first. */
const ORDER: readonly SourceFate[] = ['failed', 'setAside', 'imported', 'known'];

/** Null where what is packed in it has several. */
export function formatOf(outcome: SourceOutcome): string | null {
  const formats = new Set(leavesOf([outcome]).flatMap(({ format }) => format ?? []));
  return formats.size === 1 ? ([...formats][0] ?? null) : null;
}

/** Given files, or what is packed in them. */
export function leavesOf(outcomes: readonly SourceOutcome[]): SourceOutcome[] {
  return outcomes.flatMap((outcome) => outcome.parts ?? [outcome]);
}

export function summaryOf(outcomes: readonly SourceOutcome[]): ImportSummary {
  const leaves = leavesOf(outcomes);
  const fates = { imported: 0, known: 0, setAside: 0, failed: 0 };
  for (const leaf of leaves) fates[fateOf(leaf)] += 1;
  const runs = new Map(outcomes.flatMap((each) => each.runs).map((run) => [run.id, run]));
  const [first] = runs.values();
  const [only] = leaves;
  return {
    fates,
    runCount: runs.size,
    run: first === undefined ? null : { id: first.id, title: first.title },
    steps: [...runs.values()].reduce((sum, run) => sum + run.steps, 0),
    records: addRecordCounts(outcomes.map(({ records }) => records)),
    remarkCount: outcomes.reduce((sum, { issues }) => sum + issues.length, 0),
    onlySource: leaves.length === 1 ? (only?.source?.sha256 ?? null) : null,
  };
}

/** The lines of an import's result in the order in which they are told. */
export function listRows(
  outcomes: readonly SourceOutcome[],
  query: {
    readonly offset: number;
    readonly limit: number;
    readonly fate?: SourceFate | undefined;
  },
): { total: number; rows: ImportRow[] } {
  const lines = outcomes.flatMap((outcome): Line[] => [
    { outcome, container: null },
    ...(outcome.parts ?? []).map((part) => ({ outcome: part, container: outcome.path })),
  ]);
  const shown =
    query.fate === undefined
      ? inOrder(outcomes, lines)
      : lines.filter(
          ({ outcome }) => outcome.parts === undefined && fateOf(outcome) === query.fate,
        );
  const page = shown.slice(query.offset, query.offset + query.limit);
  return { total: shown.length, rows: page.map(rowOf) };
}

interface Line {
  readonly outcome: SourceOutcome;
  readonly container: string | null;
}

/** By what became of them; what is packed together stays together. */
function inOrder(outcomes: readonly SourceOutcome[], lines: readonly Line[]): Line[] {
  const rankOf = (outcome: SourceOutcome) =>
    Math.min(...leavesOf([outcome]).map((leaf) => ORDER.indexOf(fateOf(leaf))), ORDER.length);
  const ranks = new Map(outcomes.map((outcome) => [outcome.path, rankOf(outcome)]));
  const rank = ({ outcome, container }: Line) => ranks.get(container ?? outcome.path) ?? 0;
  const within = ({ outcome, container }: Line) =>
    container === null ? -1 : ORDER.indexOf(fateOf(outcome));
  const places = new Map(outcomes.map(({ path }, index) => [path, index]));
  const place = ({ outcome, container }: Line) => places.get(container ?? outcome.path) ?? 0;
  return [...lines].sort(
    (a, b) => rank(a) - rank(b) || place(a) - place(b) || within(a) - within(b),
  );
}

function rowOf({ outcome, container }: Line): ImportRow {
  const { parts, scores: _scores, error, ...told } = outcome;
  return {
    ...told,
    format: formatOf(outcome),
    fate: fateOf(outcome),
    partCount: parts?.length ?? null,
    container,
    ...sentError(error),
  };
}

/** What imports of this start remember of a source whose bytes they may have let go. */
export function recallSource(
  outcomes: readonly SourceOutcome[],
  sha256: SourceHash,
): SourceOutcome | null {
  return leavesOf(outcomes).find(({ source }) => source?.sha256 === sha256) ?? null;
}

/** Sources that were taken in whole and gave no run: only a person can say what they are. */
export function unreadSources(outcomes: readonly SourceOutcome[]): ReadonlySet<SourceHash> {
  return new Set(
    leavesOf(outcomes).flatMap(({ source, runs }) =>
      source === null || runs.length > 0 ? [] : [source.sha256],
    ),
  );
}

/** One sentence for why nothing was read; null = something was. */
export function whyUnread({ error, issues, runs }: SourceOutcome): string | null {
  if (error !== null) return `${error.message} ${error.hint}`.trim();
  const said = issues.find(({ code }) => WHY_CODES.has(code));
  return runs.length === 0 || said?.code === 'LONGER_COPY_KNOWN' ? (said?.message ?? null) : null;
}

const WHY_CODES = new Set(['LEFT_ASIDE', 'NO_RUN', 'LONGER_COPY_KNOWN']);
