import type { Step } from '@misstep/model';
import type { Importer, ImportResult } from './importer.ts';
import { endsBeforeStart } from './pooled-step.ts';
import { counted, IssueList } from './record-ledger.ts';

/**
 * The importer, with no step that ends before it starts: by clocks that disagree or records out of
 * order such an end can't be placed. It is told, and kept as the text that it is.
 */
export function withEndsBehindStarts(importer: Importer): Importer {
  return { ...importer, read: async (input) => checked(await importer.read(input)) };
}

function checked(result: ImportResult): ImportResult {
  const issues = new IssueList();
  // Not one list of all: there may be a million steps.
  for (const { steps } of result.runs) for (const step of steps) checkStep(step, issues);
  const told = issues.list();
  return told.length === 0 ? result : { ...result, issues: [...result.issues, ...told] };
}

function checkStep(step: Step, issues: IssueList): void {
  if (!endsBeforeStart(step)) return;
  const { time, origin } = step;
  step.time = {
    ...time,
    endedAtNs: null,
    endedAtText: time.endedAtText ?? String(time.endedAtNs),
  };
  issues.count(
    'END_BEFORE_START',
    (count) =>
      `${counted(count, 'step')} whose recorded end lies before the start (clock skew); the end is kept as text.`,
    origin.sha256,
    origin.offset,
  );
}
