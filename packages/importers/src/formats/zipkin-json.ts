import { firstObjects, headValues, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { changeKept, type KeptSpan, keepSpan, repeatedIds } from '../kept-span.ts';
import { type IdRule, OddIds, type WrittenIds } from '../odd-ids.ts';
import { decimalToNs } from '../source-time.ts';
import { runsOfTraces } from '../trace-runs.ts';
import { groupOfTraces } from '../trace-sources.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { readValueSources } from '../value-source.ts';

/** Spans in Zipkin's v2 JSON: one list, or a list for each trace. */
export const zipkinJson: Importer = {
  id: 'zipkin-json',
  title: 'Zipkin trace',
  evidence: 'logged',
  revision: 9,
  sniff,
  group: ({ text }) =>
    groupOfTraces(
      [...text.matchAll(TRACE_ID)].map(([, id = '']) => traceIdOf(id)),
      null,
    ),
  read,
};

const TRACE_ID = /"traceId"\s*:\s*"([0-9a-f]{1,32})"/gi;

/** Of 64 bits, or of 128 for a trace. */
const ID_RULE: IdRule = {
  trace: /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i,
  span: /^[0-9a-f]{16}$/i,
  words: '16 or 32, and 16 hexadecimal digits',
};

function sniff(head: SourceHead): number {
  const spans = headValues(head).flatMap((value) => {
    const traces = value.isArray ? value.items.filter((item) => item.isArray) : [];
    return traces.length > 0
      ? traces.flatMap(firstObjects)
      : value.isArray
        ? firstObjects(value)
        : [value];
  });
  return scoreOfMost(spans, scoreOf);
}

function scoreOf(span: JsonView): number {
  if (span.get('traceId')?.text === undefined || span.get('id')?.text === undefined) return 0;
  const own = ['localEndpoint', 'remoteEndpoint', 'annotations', 'timestamp', 'duration', 'shared'];
  const telling = own.filter((key) => span.get(key) !== undefined).length;
  const isOther = span.firstOf('spanId', 'projectId', 'startTime', 'type') !== undefined;
  return isOther || telling === 0 ? 0 : telling > 1 ? 0.95 : 0.7;
}

function read(input: ImportInput): Promise<ImportResult> {
  const spans: KeptSpan[] = [];
  const oddIds = new OddIds(ID_RULE);
  const servers = new Set<KeptSpan>();
  return readValueSources(
    input,
    (place, { ledger, records }) => {
      const list = place.isArray ? place.items : [place];
      for (const item of list.flatMap((each) => (each.isArray ? each.items : [each]))) {
        const span = readSpan(item);
        if (span === null) ledger.notUnderstood(item.origin, 'a span without ids');
        else {
          ledger.understood();
          oddIds.see(writtenIds(item), item.origin.offset);
          const kept = keepSpan(span, records, readSpan);
          spans.push(kept);
          if (item.get('kind')?.text === 'SERVER') servers.add(kept);
        }
      }
      return [];
    },
    ({ issues, ledger, late, places }) => {
      oddIds.tell(issues, ledger.sha256);
      const halves = linkHalves(spans, servers);
      return runsOfTraces(halves, issues, late, undefined, undefined, places);
    },
    ({ pointer }) => pointer === '',
  );
}

function writtenIds(span: JsonView): WrittenIds {
  const written = (key: string): string => span.get(key)?.text ?? '';
  return { trace: written('traceId'), span: written('id'), parent: written('parentId') };
}

function readSpan(span: JsonView): TraceSpan | null {
  const traceId = span.get('traceId')?.text ?? '';
  const spanId = span.get('id')?.text ?? '';
  if (traceId === '' || spanId === '') return null;
  const start = microseconds(span.get('timestamp'));
  const duration = microseconds(span.get('duration'));
  const attributes = span.get('tags')?.entries ?? new Map<string, JsonView>();
  const error = attributes.get('error');
  return {
    traceId: traceIdOf(traceId),
    spanId: idOf(spanId),
    parentId: idOf(span.get('parentId')?.text ?? '') || null,
    name: span.get('name')?.text ?? '',
    record: span,
    start,
    end: start === null || duration === null ? null : { ns: start.ns + duration.ns, text: null },
    // The tag alone says it, whatever its value.
    status: error === undefined ? 'unset' : 'error',
    statusMessage: error?.text || null,
    attributes,
    messages: [],
    kindHint: null,
    service: span.at('localEndpoint', 'serviceName')?.text ?? null,
  };
}

const idOf = (text: string): string => text.toLowerCase().replace(/^0+(?=.)/, '');

/** Ids of 64 and of 128 bits are mixed in one trace: the low 64 bits tell. */
const traceIdOf = (text: string): string => idOf(text.slice(-16));

function microseconds(view: JsonView | undefined): SpanTime | null {
  const text = view?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 'us');
  return text === null || ns === null || ns < 0n ? null : { ns, text };
}

/**
 * Client and server halves of one call share an id. The server's half gets an id of its own and
 * stands below the client's; what the server did stands below the server's half.
 */
function linkHalves(
  spans: readonly KeptSpan[],
  servers: ReadonlySet<KeptSpan>,
): readonly KeptSpan[] {
  const repeated = repeatedIds(spans);
  if (repeated.size === 0) return spans;
  const key = (span: KeptSpan, id: string): string => `${span.traceId} ${id}`;
  const counts = new Map<string, number>();
  for (const span of spans) {
    if (!repeated.has(span.spanId)) continue;
    const own = key(span, span.spanId);
    counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  const services = new Map<string, string | null>();
  const halves = spans.map((span): KeptSpan => {
    const isPair = (counts.get(key(span, span.spanId)) ?? 0) > 1;
    if (!isPair || !servers.has(span)) return span;
    services.set(key(span, `${span.spanId} server`), span.service);
    return withIds(span, { spanId: `${span.spanId} server`, parentId: span.spanId });
  });
  return halves.map((span) => {
    if (span.parentId === null || span.spanId.endsWith(' server')) return span;
    const server = `${span.parentId} server`;
    const known = key(span, server);
    return services.has(known) && services.get(known) === span.service
      ? withIds(span, { parentId: server })
      : span;
  });
}

function withIds(span: KeptSpan, ids: Partial<Pick<TraceSpan, 'spanId' | 'parentId'>>): KeptSpan {
  return changeKept(span, ids, (whole) => ({ ...whole, ...ids }));
}
