import type { EntryList } from '../document-entries.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { readTopValues } from '../json-documents.ts';
import type { JsonView } from '../json-view.ts';
import { isFlatSpan } from '../otlp/flat-span.ts';
import { groupOfTraces, readTraceSources } from '../trace-sources.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** OpenTelemetry traces: OTLP JSON documents or lines, and what console exporters print. */
export const otlpJson: Importer = {
  id: 'otlp-json',
  title: 'OpenTelemetry trace (OTLP JSON)',
  evidence: 'logged',
  revision: 9,
  sniff,
  group: ({ text }) => groupOfTraces(traceIdsIn(text), startIn(text)),
  read,
};

/** Spans also name traces that they only point at. */
const LINKS = /"links"\s*:\s*\[[^\]]*\]/g;
const TRACE_ID = /"trace_?id"\s*:\s*"(?:0x)?([0-9a-f]{32}|[\w+/-]{22}==)"/gi;
const START = /"start_?time_?unix_?nano"\s*:\s*"?(\d{1,19})\b/i;

/** The traces that a head names, as the reader writes their ids. */
function* traceIdsIn(text: string): Generator<string> {
  for (const [, id = ''] of text.replaceAll(LINKS, '').matchAll(TRACE_ID)) {
    const isHex = /^[0-9a-f]+$/i.test(id);
    if (!/^0+$/.test(id)) yield isHex ? id.toLowerCase() : id;
  }
}

function startIn(text: string): bigint | null {
  const written = START.exec(text)?.[1];
  return written === undefined ? null : BigInt(written);
}

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
  return readTraceSources(input, async (source, { reader, ledger, issues }) => {
    for await (const { place } of readTopValues(source, ledger, issues, takesEntries)) {
      reader.readValue(place);
    }
  });
}
