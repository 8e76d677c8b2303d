import { RunKeys } from './chat-draft.ts';
import type { EntryList } from './document-entries.ts';
import type { ImportInput, ImportResult, RunDraft } from './importer.ts';
import { readTopValues } from './json-documents.ts';
import type { JsonView } from './json-view.ts';
import {
  EMPTY_DOCUMENT,
  IssueList,
  type LateLedger,
  lateLedgerOf,
  RecordLedger,
  type RecordSpan,
} from './record-ledger.ts';
import { sourcesInOrder } from './run-sources.ts';
import { placesOf, type SourcePlaces } from './source-places.ts';
import { type Chunk, SourceRecords } from './source-records.ts';
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
  /** All sources of the reading, and the ledgers of all. */
  readonly places: SourcePlaces;
  readonly late: LateLedger;
}

type ReadValue = (value: JsonView, context: ValueContext) => readonly RunDraft[];
type Finish = (context: ValueContext) => readonly RunDraft[] | Promise<readonly RunDraft[]>;
type TakesEntries = (list: EntryList) => boolean;

/**
 * Reads a source of JSON values, each by `readValue`, which accounts for its records. `finish` makes
 * the runs that need all of them. `takesEntries`: of which lists `readValue` reads a bare entry as it
 * would in its list, so that a document of any size can be read.
 */
export function readValueSource(
  input: ImportInput,
  readValue: ReadValue,
  finish: Finish = () => [],
  takesEntries?: TakesEntries,
): Promise<ImportResult> {
  return readValueSources({ ...input, companions: [] }, readValue, finish, takesEntries);
}

/**
 * The same of all sources that the importer's `group` put together: `finish` is called once, with the
 * context of the last.
 */
export async function readValueSources(
  input: ImportInput,
  readValue: ReadValue,
  finish: Finish,
  takesEntries?: TakesEntries,
): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const sources = sourcesInOrder(input);
  const places = placesOf(sources);
  const ledgers = new Map(
    sources.map(({ reader: { sha256 } }) => [sha256, new RecordLedger(sha256)]),
  );
  const shared = {
    issues,
    clock: new SpanClock(issues),
    sourceName: input.main.name,
    keys: new RunKeys(),
    places,
    late: lateLedgerOf(ledgers),
  };
  const runs: RunDraft[] = [];
  const firsts = new Map<RecordLedger, RecordSpan>();
  let context: ValueContext | null = null;
  const chunks: Chunk[] = [];
  for (const { reader } of sources) {
    const ledger = ledgers.get(reader.sha256) ?? new RecordLedger(reader.sha256);
    const records = new SourceRecords(reader, places.baseOf(reader.sha256), chunks);
    context = { ...shared, ledger, records };
    const own = { ...input, main: reader };
    for await (const { place } of readTopValues(own, ledger, issues, takesEntries)) {
      if (!firsts.has(ledger)) firsts.set(ledger, place.origin);
      for (const run of readValue(place, context)) runs.push(run);
    }
  }
  for (const run of context === null ? [] : await finish(context)) runs.push(run);
  // Only now: some account for a record when the next one is known.
  for (const [ledger, first] of firsts) {
    if (ledger.total === 0) ledger.setAside(first, EMPTY_DOCUMENT);
  }
  const accounts = [...ledgers.values()].map((ledger) => ledger.account());
  return { runs, sources: accounts, issues: issues.list() };
}
