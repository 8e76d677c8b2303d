import { NO_RECORDS, type Run } from '@misstep/model';
import type { Store, StoredRunDetail } from '@misstep/store';
import { importedRun, type SourceOutcome, shownIssues } from './outcome.ts';
import type { RecognisedSource } from './recognise-source.ts';
import { type EndTexts, endTextsOf } from './step-summary.ts';

/** What an outcome says of the source itself. */
export function headOfOutcome({ path, source, importer, score, scores }: RecognisedSource) {
  return {
    path,
    source: { sha256: source.sha256, sizeBytes: source.sizeBytes },
    format: importer.id,
    formatScore: score,
    // The same list for many: nobody changes it.
    scores: scores as SourceOutcome['scores'],
  };
}

const longerCopyKnown = {
  code: 'LONGER_COPY_KNOWN',
  message:
    'An earlier copy of a recording that is here as it grew later. That one stands for it, so the records of this copy were not counted.',
  offset: null,
};

/** The outcome of a source whose runs are here already. */
export async function knownOutcome(
  store: Store,
  member: RecognisedSource,
  runIds: readonly Run['id'][],
): Promise<SourceOutcome> {
  const runs: SourceOutcome['runs'] = [];
  let records: SourceOutcome['records'] | null = null;
  let issues: SourceOutcome['issues'] = [];
  for (const runId of runIds) {
    const stored = await store.getRun(runId);
    runs.push(importedRun(stored.run, await textsOf(store, stored)));
    const source = stored.sources.find(({ sha256 }) => sha256 === member.source.sha256);
    records ??= source?.records ?? null;
    if (issues.length === 0) issues = shownIssues(stored.issues, member.source.sha256);
  }
  return {
    ...headOfOutcome(member),
    alreadyImported: true,
    runs,
    records: records ?? NO_RECORDS,
    issues: records === null ? [...issues, longerCopyKnown] : issues,
    error: null,
  };
}

/** A long run's steps are not all read again for the two texts. */
const MOST_READ_STEPS = 5000;

async function textsOf(store: Store, { run, startedAtText }: StoredRunDetail): Promise<EndTexts> {
  if (run.stepCount > MOST_READ_STEPS) return { first: startedAtText, last: null };
  return endTextsOf(run, await store.listSteps(run.id));
}
