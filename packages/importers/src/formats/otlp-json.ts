import type { EntryList } from '../document-entries.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { readTopValues } from '../json-documents.ts';
import type { JsonView } from '../json-view.ts';
import { isFlatSpan } from '../otlp/flat-span.ts';
import { OtlpReader } from '../otlp/otlp-reader.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { SourceRecords } from '../source-records.ts';
import { runsOfTraces } from '../trace-runs.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** OpenTelemetry traces: OTLP JSON documents or lines, and what console exporters print. */
export const otlpJson: Importer = {
  id: 'otlp-json',
  title: 'OpenTelemetry trace (OTLP JSON)',
  evidence: 'logged',
  revision: 8,
  sniff,
  read,
};

const ENVELOPE = /^(resource(Spans|Logs|Metrics)|resource_(spans|logs|metrics))$/;

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    if ([...object.entries.keys()].some((key) => ENVELOPE.test(key))) return 0.97;
    const wrapped = object.firstOf('result', 'trace', 'data');
    const inside = wrapped === undefined ? firstObjects(object.get('batches')) : [wrapped];
    const isWrapper = (place: JsonView): boolean =>
      place.firstOf('resourceSpans', 'scopeSpans') !== undefined;
    if (inside.some(isWrapper)) return 0.95;
    if (isFlatSpan(object)) return 0.9;
    // A document that files lists of spans under names of its own.
    const lists = [...object.entries.values()].filter((value) => value.isArray);
    const scoreOf = (item: JsonView): number => (isFlatSpan(item) ? 0.8 : 0);
    return scoreOfMost(firstObjects(lists[0]), scoreOf);
  });
}

/** Requests, spans of a console exporter, or what a request holds of each resource. */
function takesEntries({ pointer, beside }: EntryList): boolean {
  return (
    pointer === '' ||
    (/^\/(resourceSpans|resource_spans|batches)$/.test(pointer) && beside.length === 0)
  );
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const ledger = new RecordLedger(input.main.sha256);
  const reader = new OtlpReader(ledger, new SourceRecords(input.main));
  for await (const { place } of readTopValues(input, ledger, issues, takesEntries)) {
    reader.readValue(place);
  }
  const runs = await runsOfTraces(await reader.finish(issues), issues, ledger);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}
