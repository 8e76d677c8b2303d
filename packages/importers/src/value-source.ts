import { RunKeys } from './chat-draft.ts';
import type { EntryList } from './document-entries.ts';
import type { ImportInput, ImportResult, RunDraft } from './importer.ts';
import { readTopValues } from './json-documents.ts';
import type { JsonView } from './json-view.ts';
import { EMPTY_DOCUMENT, IssueList, RecordLedger, type RecordSpan } from './record-ledger.ts';
import { SourceRecords } from './source-records.ts';
import { SpanClock } from './span-clock.ts';
import { refuseUtf16 } from './unreadable-source.ts';

/** What a reader of one source works with. */
export interface ValueContext {
  readonly ledger: RecordLedger;
  readonly issues: IssueList;
  readonly clock: SpanClock;
  /** The source's records, for what is read again. */
  readonly records: SourceRecords;
  readonly sourceName: string;
  /** Names of the runs of this source. */
  readonly keys: RunKeys;
}

/**
 * Reads a source of JSON values, each by `readValue`, which accounts for its records. `finish` makes
 * the runs that need all of them. `takesEntries`: of which lists `readValue` reads a bare entry as it
 * would in its list, so that a document of any size can be read.
 */
export async function readValueSource(
  input: ImportInput,
  readValue: (value: JsonView, context: ValueContext) => readonly RunDraft[],
  finish: (context: ValueContext) => readonly RunDraft[] | Promise<readonly RunDraft[]> = () => [],
  takesEntries?: (list: EntryList) => boolean,
): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const ledger = new RecordLedger(input.main.sha256);
  const clock = new SpanClock(issues);
  const context = {
    ledger,
    issues,
    clock,
    records: new SourceRecords(input.main),
    sourceName: input.main.name,
    keys: new RunKeys(),
  };
  const runs: RunDraft[] = [];
  let first: RecordSpan | null = null;
  for await (const { place } of readTopValues(input, ledger, issues, takesEntries)) {
    first ??= place.origin;
    for (const run of readValue(place, context)) runs.push(run);
  }
  for (const run of await finish(context)) runs.push(run);
  // Only now: some account for a record when the next one is known.
  if (first !== null && ledger.total === 0) ledger.setAside(first, EMPTY_DOCUMENT);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}
