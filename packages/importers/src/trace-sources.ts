import type { SourceHash } from '@misstep/model';
import type { ImportInput, ImportResult, SourceGroup } from './importer.ts';
import { LoggedSpans } from './otlp/logged-spans.ts';
import { OtlpReader } from './otlp/otlp-reader.ts';
import { foldRevised } from './otlp/revised-spans.ts';
import { IssueList, lateLedgerOf, RecordLedger } from './record-ledger.ts';
import { recordNumber } from './record-number.ts';
import { sourcesInOrder } from './run-sources.ts';
import { placesOf } from './source-places.ts';
import { type Chunk, SourceRecords } from './source-records.ts';
import { runsOfTraces } from './trace-runs.ts';

/** More traces at the head of a source are found once it is read. */
const MOST_LINKS = 200;

/** Sources that hold spans of one trace (a file a service, files that a collector rotated) are read together. */
export function groupOfTraces(ids: Iterable<string>, beganAtNs: bigint | null): SourceGroup | null {
  const traces = [...new Set(ids)].slice(0, MOST_LINKS);
  const [first] = traces;
  if (first === undefined) return null;
  return {
    key: `trace-${first}`,
    role: 'main',
    part: null,
    links: traces.map((id) => `trace ${id}`),
    numbers: traces.map(numberOfTrace),
    beganAtMs: beganAtNs === null ? null : Number(beganAtNs / 1_000_000n),
  };
}

const numberOfTrace = (id: string): number => recordNumber(`trace ${id}`);

/** One source of OTLP while it is read. */
export interface OtlpReading {
  readonly reader: OtlpReader;
  readonly ledger: RecordLedger;
  readonly issues: IssueList;
}

/** Reads all sources of an input, and joins what they say of one trace, whichever holds it. */
export async function readTraceSources(
  input: ImportInput,
  readOne: (input: ImportInput, reading: OtlpReading) => Promise<void>,
): Promise<ImportResult> {
  const issues = new IssueList();
  const ordered = sourcesInOrder(input);
  const places = placesOf(ordered);
  const logged = new LoggedSpans();
  const chunks: Chunk[] = [];
  const readings = new Map<SourceHash, OtlpReading>();
  let readBefore = 0;
  let recordsBefore = 0;
  for (const { reader: source } of ordered) {
    const ledger = new RecordLedger(source.sha256);
    const records = new SourceRecords(source, places.baseOf(source.sha256), chunks);
    const reader = new OtlpReader(ledger, records, null, logged);
    const reading = { reader, ledger, issues };
    readings.set(source.sha256, reading);
    const [bytes, count] = [readBefore, recordsBefore];
    await readOne(
      {
        ...input,
        main: source,
        companions: [],
        onProgress: (at) =>
          input.onProgress?.({
            ...at,
            readBytes: bytes + at.readBytes,
            records: count + at.records,
          }),
      },
      reading,
    );
    reader.tell(issues);
    readBefore += source.sizeBytes;
    recordsBefore += ledger.total;
  }
  const all = [...readings.values()].flatMap(({ reader }) => reader.spans);
  const spans = await logged.joinTo(await foldRevised(all, issues), issues);
  const late = lateLedgerOf(new Map([...readings].map(([sha256, { ledger }]) => [sha256, ledger])));
  const runs = await runsOfTraces(spans, issues, late, undefined, undefined, places);
  return {
    runs,
    sources: ordered.flatMap(({ reader: { sha256 } }) => {
      const reading = readings.get(sha256);
      return reading === undefined ? [] : [accountOf(reading)];
    }),
    issues: issues.list(),
  };
}

/** With the traces that it says something of, so that a source that comes later finds it. */
function accountOf({ ledger, reader }: OtlpReading): ImportResult['sources'][number] {
  const traces = new Set(reader.spans.map(({ traceId }) => traceId));
  for (const id of reader.loggedTraces) traces.add(id);
  return { ...ledger.account(), numbers: Float64Array.from(traces, numberOfTrace) };
}
