import type { ImportState } from '@misstep/contract';

/** What an import's sources come to. */
export interface ImportSummary {
  readonly runs: readonly { readonly id: string; readonly title: string }[];
  /** Steps of those runs. */
  readonly steps: number;
  readonly notUnderstood: number;
  readonly malformed: number;
  /** Known, and left out with a reason; no loss. */
  readonly setAsideRecords: number;
  readonly totalRecords: number;
  /** Sources whose format nobody recognised. */
  readonly unrecognised: number;
  /** True where every source had been imported before. */
  readonly nothingNew: boolean;
  readonly issueCount: number;
}

/** Adds up what became of each source. Runs that several sources gave count once. */
export function summarizeImport(state: ImportState): ImportSummary {
  const runs = new Map<string, { id: string; title: string; steps: number }>();
  let notUnderstood = 0;
  let malformed = 0;
  let setAsideRecords = 0;
  let totalRecords = 0;
  let issueCount = 0;
  for (const source of state.sources) {
    for (const run of source.runs) runs.set(run.id, run);
    notUnderstood += source.records.notUnderstood;
    malformed += source.records.malformed;
    setAsideRecords += source.records.setAside ?? 0;
    totalRecords += source.records.total;
    issueCount += source.issues.length;
  }
  return {
    runs: [...runs.values()].map(({ id, title }) => ({ id, title })),
    steps: [...runs.values()].reduce((sum, run) => sum + run.steps, 0),
    notUnderstood,
    malformed,
    setAsideRecords,
    totalRecords,
    unrecognised: state.sources.filter((source) => source.format === null).length,
    nothingNew: state.sources.length > 0 && state.sources.every((source) => source.alreadyImported),
    issueCount,
  };
}
