import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { type KeptSpan, keepSpan } from '../kept-span.ts';
import { type IdRule, OddIds, type WrittenIds } from '../odd-ids.ts';
import { messagesOfEvents, type SpanEvent, withContentEvents } from '../otlp/span-message.ts';
import type { SourceRecords } from '../source-records.ts';
import { decimalToNs } from '../source-time.ts';
import { textAttribute } from '../span-attributes.ts';
import { runsOfTraces } from '../trace-runs.ts';
import { groupOfTraces } from '../trace-sources.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { readValueSources } from '../value-source.ts';

/** Traces as Jaeger's UI and HTTP API give them. */
export const jaegerJson: Importer = {
  id: 'jaeger-json',
  title: 'Jaeger trace',
  evidence: 'logged',
  revision: 9,
  sniff,
  group: ({ text }) => {
    const ids = text.replaceAll(REFERENCES, '').matchAll(TRACE_ID);
    return groupOfTraces(
      [...ids].map(([, id = '']) => idOf(id)),
      null,
    );
  },
  read,
};

/** Spans also name traces that they only point at. */
const REFERENCES = /"references"\s*:\s*\[[^\]]*\]/g;
const TRACE_ID = /"traceID"\s*:\s*"([0-9a-f]{1,32})"/gi;

/** Leading zeros may be dropped. */
const ID_RULE: IdRule = {
  trace: /^[0-9a-f]{1,32}$/i,
  span: /^[0-9a-f]{1,16}$/i,
  words: 'at most 32 and 16 hexadecimal digits',
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    const traces = firstObjects(object.get('data'));
    return scoreOfMost(traces.length > 0 ? traces : [object], (trace) => {
      const spans = scoreOfMost(firstObjects(trace.get('spans')), (span) =>
        span.get('traceID') !== undefined && span.get('operationName') !== undefined ? 0.97 : 0,
      );
      if (spans > 0) return spans;
      return trace.get('traceID') !== undefined && trace.get('spans') !== undefined ? 0.9 : 0;
    });
  });
}

function read(input: ImportInput): Promise<ImportResult> {
  const spans: KeptSpan[] = [];
  const oddIds = new OddIds(ID_RULE);
  return readValueSources(
    input,
    (place, { ledger, records }) => {
      const list = place.get('data') ?? place;
      const traces = list.isArray ? list.items : [list];
      for (const trace of traces) {
        const found = trace.get('spans');
        if (found?.isArray !== true) {
          ledger.notUnderstood(trace.origin, 'no trace with spans');
          continue;
        }
        const processes = trace.get('processes')?.entries ?? new Map<string, JsonView>();
        for (const span of found.items) {
          const again = spanReader(serviceOf(span, processes), records);
          const made = again(span);
          if (made === null) ledger.notUnderstood(span.origin, 'a span without ids');
          else {
            ledger.understood();
            oddIds.see(writtenIds(span), span.origin.offset);
            spans.push(keepSpan(made, records, again));
          }
        }
      }
      return [];
    },
    ({ issues, ledger, late, places }) => {
      oddIds.tell(issues, ledger.sha256);
      return runsOfTraces(spans, issues, late, undefined, undefined, places);
    },
    ({ pointer }) => pointer === '' || pointer === '/data',
  );
}

function serviceOf(span: JsonView, processes: ReadonlyMap<string, JsonView>): string | null {
  const process = span.get('process') ?? processes.get(span.get('processID')?.text ?? '');
  return process?.get('serviceName')?.text ?? null;
}

/** Apart from the reading, so that it holds on to nothing but the service. */
function spanReader(
  named: string | null,
  records: SourceRecords,
): (record: JsonView) => TraceSpan | null {
  const service = named === null ? null : records.share(named);
  return (record) => readSpan(record, service);
}

function writtenIds(span: JsonView): WrittenIds {
  const written = (key: string): string => span.get(key)?.text ?? '';
  return { trace: written('traceID'), span: written('spanID'), parent: written('parentSpanID') };
}

function readSpan(span: JsonView, service: string | null): TraceSpan | null {
  const traceId = span.get('traceID')?.text ?? '';
  const spanId = span.get('spanID')?.text ?? '';
  if (traceId === '' || spanId === '') return null;
  const attributes = tagsOf(span.get('tags'));
  const start = microseconds(span.get('startTime'));
  const duration = microseconds(span.get('duration'));
  const { status, message } = statusOf(attributes);
  const events = eventsOf(span);
  return {
    traceId: idOf(traceId),
    spanId: idOf(spanId),
    parentId: parentOf(span, idOf(traceId)),
    name: span.get('operationName')?.text ?? '',
    record: span,
    start,
    // The source holds a duration, no end: there is no text of one.
    end: start === null || duration === null ? null : { ns: start.ns + duration.ns, text: null },
    status,
    statusMessage: message ?? exceptionOf(span),
    attributes: withContentEvents(attributes, events),
    messages: messagesOfEvents(events),
    kindHint: null,
    service,
  };
}

/** An event of OpenTelemetry is a log whose field `event` names it. */
function eventsOf(span: JsonView): SpanEvent[] {
  return (span.get('logs')?.items ?? []).map((record) => {
    const attributes = tagsOf(record.get('fields'));
    return { name: attributes.get('event')?.text ?? '', attributes, record };
  });
}

/** Leading zeros may be dropped: ids have 16 digits, or 32. */
function idOf(text: string): string {
  return text.toLowerCase().padStart(text.length > 16 ? 32 : 16, '0');
}

/** A span of another trace is a link, not a parent. */
function parentOf(span: JsonView, traceId: string): string | null {
  const references = span.get('references')?.items ?? [];
  for (const type of ['CHILD_OF', 'FOLLOWS_FROM']) {
    for (const reference of references) {
      const trace = idOf(reference.get('traceID')?.text ?? '');
      const id = reference.get('spanID')?.text ?? '';
      if (reference.get('refType')?.text === type && trace === traceId && id !== '') {
        return idOf(id);
      }
    }
  }
  const old = span.get('parentSpanID')?.text ?? '';
  return /^0*$/.test(old) ? null : idOf(old);
}

/** Tags may repeat a key: the first stands. */
function tagsOf(list: JsonView | undefined): Map<string, JsonView> {
  const tags = new Map<string, JsonView>();
  for (const tag of list?.items ?? []) {
    const key = tag.get('key')?.text;
    const value = tag.get('value');
    if (key !== undefined && key !== null && value !== undefined && !tags.has(key)) {
      tags.set(key, value);
    }
  }
  return tags;
}

function microseconds(view: JsonView | undefined): SpanTime | null {
  const text = view?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 'us');
  return text === null || ns === null || ns < 0n ? null : { ns, text };
}

function statusOf(tags: ReadonlyMap<string, JsonView>): {
  status: TraceSpan['status'];
  message: string | null;
} {
  const code = textAttribute(tags, 'otel.status_code');
  const message = textAttribute(tags, 'otel.status_description', 'error.message');
  const error = tags.get('error');
  const failed = code === 'ERROR' || error?.isTrue === true || error?.text === 'true';
  if (failed) return { status: 'error', message };
  return { status: code === 'OK' ? 'ok' : 'unset', message: null };
}

function exceptionOf(span: JsonView): string | null {
  for (const log of span.get('logs')?.items ?? []) {
    const fields = tagsOf(log.get('fields'));
    const message = textAttribute(fields, 'exception.message', 'error.object', 'exception.type');
    if (message !== null) return message;
  }
  return null;
}
