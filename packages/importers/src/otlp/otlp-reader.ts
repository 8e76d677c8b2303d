import type { JsonView } from '../json-view.ts';
import { type KeptSpan, keepSpan } from '../kept-span.ts';
import { type IdRule, OddIds } from '../odd-ids.ts';
import {
  counted,
  EMPTY_DOCUMENT,
  type IssueList,
  type RecordLedger,
  SetAside,
} from '../record-ledger.ts';
import type { SourceRecords } from '../source-records.ts';
import { decimalToNs } from '../source-time.ts';
import { textAttribute } from '../span-attributes.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { readAttributes } from './any-value.ts';
import { isFlatSpan, readFlatSpan } from './flat-span.ts';
import { type LoggedEvent, LoggedSpans, readLoggedEvent } from './logged-spans.ts';
import { foldRevised } from './revised-spans.ts';
import { messagesOfEvents, type SpanEvent, spanEvents, withContentEvents } from './span-message.ts';

const METRICS = new SetAside('metrics, which are no part of a run');
const STRAY_LOG = new SetAside('a log record of a model that names no span');
const OTHER_LOG = new SetAside('a log record that holds no message of a model');

/** Hex, or the base64 of plain protobuf printers. */
const ID_RULE: IdRule = {
  trace: /^(?:[0-9a-f]{32}|[\w+/-]{22}==)$/i,
  span: /^(?:[0-9a-f]{16}|[\w+/-]{11}=)$/i,
  words: '32 and 16 hexadecimal digits',
};

/** Why a span without trace or span id is not understood. */
export const NO_IDS = 'a span without ids';
const WRONG_ID = 'a span whose id is not 8 bytes';

/** As OTLP says: 8 bytes, and not all of them zero. */
export function isSpanId(id: string): boolean {
  return /^(?!0{16})[0-9a-f]{16}$/.test(id);
}

/** Reads OTLP values of a source into spans; every span, log record and metric is accounted for. */
export class OtlpReader {
  readonly #ledger: RecordLedger;
  readonly records: SourceRecords;
  readonly #spans: KeptSpan[] = [];
  readonly #logged: LoggedSpans;
  readonly #loggedTraces = new Set<string>();
  readonly #oddIds = new OddIds(ID_RULE);
  readonly #onlyTraceId: string | null;
  readonly #dropped: { attributes: number; events: number; spans: number; offset: number | null } =
    {
      attributes: 0,
      events: 0,
      spans: 0,
      offset: null,
    };
  #lastReader: {
    readonly service: string | null;
    readonly read: ReturnType<typeof spanReader>;
  } | null = null;
  /** Spans of other traces than the one that is asked for; they are no records of this reading. */
  skippedSpans = 0;
  skippedLogs = 0;

  /** `onlyTraceId`: lower-case hex; null = every trace. `logged`: what several sources say together. */
  constructor(
    ledger: RecordLedger,
    records: SourceRecords,
    onlyTraceId: string | null = null,
    logged = new LoggedSpans(),
  ) {
    this.#ledger = ledger;
    this.records = records;
    this.#logged = logged;
    this.#onlyTraceId = onlyTraceId;
  }

  /** Every span as it was told, repetitions included. */
  get spans(): readonly KeptSpan[] {
    return this.#spans;
  }

  /** The trace of each log record that says something of a span. */
  get loggedTraceIds(): readonly string[] {
    return this.#logged.traceIds;
  }

  /** The traces that log records of this source say something of. */
  get loggedTraces(): ReadonlySet<string> {
    return this.#loggedTraces;
  }

  /** Records that were met, those of other traces included. */
  get seen(): number {
    return this.#ledger.total + this.skippedSpans + this.skippedLogs;
  }

  readValue(value: JsonView): void {
    const before = this.seen;
    const queue: { place: JsonView; depth: number }[] = [{ place: value, depth: 0 }];
    let hasEnvelope = false;
    // Wrappers of queries (`result`, `trace`, `data`, `batches`) and lists; two deep at most.
    for (let at = 0; at < queue.length; at += 1) {
      const next = queue[at];
      if (next === undefined) break;
      const { place, depth } = next;
      if (isFlatSpan(place)) {
        this.#addFlat(place);
        continue;
      }
      const isEnvelope = this.#readEnvelope(place);
      hasEnvelope ||= isEnvelope;
      if (isEnvelope || depth > 2) continue;
      const inside = place.isArray
        ? place.items
        : [...place.entries.values()].filter((each) => each.isArray || each.isObject);
      for (const each of inside) {
        if (each.isObject || each.isArray) queue.push({ place: each, depth: depth + 1 });
      }
    }
    if (this.seen > before) return;
    // A request without spans is one all the same: nothing had ended since the last.
    if (hasEnvelope) this.#ledger.setAside(value.origin, EMPTY_DOCUMENT);
    else this.#ledger.notUnderstood(value.origin, 'no spans, logs or metrics in it');
  }

  /** All spans, with what log records say of them. */
  async finish(issues: IssueList): Promise<readonly KeptSpan[]> {
    this.tell(issues);
    return this.#logged.joinTo(await foldRevised(this.#spans, issues), issues);
  }

  /** What is to be said of this source. */
  tell(issues: IssueList): void {
    this.#tellDropped(issues);
    this.#oddIds.tell(issues, this.#ledger.sha256);
  }

  /** A limit of the exporter's: what it cut off is nowhere, only counted. */
  #tellDropped(issues: IssueList): void {
    const { attributes, events, spans, offset } = this.#dropped;
    if (spans === 0) return;
    issues.add(
      'DROPPED_BY_EXPORTER',
      `${counted(attributes, 'attribute')} and ${counted(events, 'event')} of ${counted(spans, 'span')} were dropped before they were sent; what they held was not recorded.`,
      this.#ledger.sha256,
      offset,
    );
  }

  #countDropped(span: JsonView): void {
    const attributes =
      span.firstOf('droppedAttributesCount', 'dropped_attributes_count')?.count ?? 0;
    const events = span.firstOf('droppedEventsCount', 'dropped_events_count')?.count ?? 0;
    if (attributes + events === 0) return;
    this.#dropped.attributes += attributes;
    this.#dropped.events += events;
    this.#dropped.spans += 1;
    this.#dropped.offset ??= span.origin.offset;
  }

  #readEnvelope(place: JsonView): boolean {
    // What a request holds of one resource, by itself.
    if (
      place.firstOf('scopeSpans', 'scope_spans', 'instrumentationLibrarySpans')?.isArray === true
    ) {
      this.#readResourceSpans(place);
      return true;
    }
    let found = false;
    for (const resource of place.firstOf('resourceSpans', 'resource_spans', 'batches')?.items ??
      []) {
      found = true;
      this.#readResourceSpans(resource);
    }
    for (const resource of place.firstOf('resourceLogs', 'resource_logs')?.items ?? []) {
      found = true;
      const described = resource.get('resource');
      const service = described === undefined ? null : serviceOf(described);
      for (const scope of resource.firstOf('scopeLogs', 'scope_logs')?.items ?? []) {
        for (const log of scope.firstOf('logRecords', 'log_records')?.items ?? []) {
          this.readLog(log, service);
        }
      }
    }
    for (const resource of place.firstOf('resourceMetrics', 'resource_metrics')?.items ?? []) {
      found = true;
      this.#ledger.setAside(resource.origin, METRICS);
    }
    return found || place.firstOf('resourceSpans', 'resourceLogs', 'resourceMetrics') !== undefined;
  }

  #readResourceSpans(resource: JsonView): void {
    const described = resource.get('resource');
    const service = described === undefined ? null : serviceOf(described);
    const scopes =
      resource.firstOf('scopeSpans', 'scope_spans', 'instrumentationLibrarySpans')?.items ?? [];
    for (const scope of scopes) {
      for (const span of scope.get('spans')?.items ?? []) this.readSpan(span, service);
    }
  }

  /**
   * One span of OTLP; `service` is that of the resource which it was sent under. `recall` gives the
   * record again where its bytes are no JSON.
   */
  readSpan(span: JsonView, service: string | null, recall = this.records.recallOf(span)): void {
    const traceId = readId(span.firstOf('traceId', 'trace_id'));
    const spanId = readId(span.firstOf('spanId', 'span_id'));
    if (this.#isOther(traceId)) {
      this.skippedSpans += 1;
      return;
    }
    if (traceId === null || spanId === null || !isId(spanId)) {
      this.#ledger.notUnderstood(span.origin, NO_IDS);
      return;
    }
    // What was received must be as OTLP says; files come from others as well.
    if (this.#onlyTraceId !== null && !isSpanId(spanId)) {
      this.#ledger.notUnderstood(span.origin, WRONG_ID);
      return;
    }
    this.#ledger.understood();
    this.#countDropped(span);
    const parent = span.firstOf('parentSpanId', 'parent_span_id')?.text ?? '';
    this.#oddIds.see({ trace: traceId, span: spanId, parent }, span.origin.offset);
    const again = this.#readerOf(service);
    this.#spans.push(keepSpan(again(span), this.records, again, recall));
  }

  /** Few services send many spans. */
  #readerOf(service: string | null): ReturnType<typeof spanReader> {
    if (this.#lastReader?.service === service) return this.#lastReader.read;
    const own = service === null ? null : this.records.share(service);
    const read = spanReader(own);
    this.#lastReader = { service: own, read };
    return read;
  }

  #isOther(traceId: string | null): boolean {
    return this.#onlyTraceId !== null && traceId !== this.#onlyTraceId;
  }

  /** One log record of OTLP. */
  readLog(log: JsonView, service: string | null, recall = this.records.recallOf(log)): void {
    const traceId = readId(log.firstOf('traceId', 'trace_id'));
    if (this.#isOther(traceId)) {
      this.skippedLogs += 1;
      return;
    }
    const event = readLoggedEvent(log, service, readId);
    if (event === null) this.#ledger.setAside(log.origin, OTHER_LOG);
    else if (!isId(event.traceId) || !isId(event.spanId)) {
      this.#ledger.setAside(log.origin, STRAY_LOG);
    } else {
      this.#ledger.understood();
      this.#loggedTraces.add(this.records.share(event.traceId));
      this.#logged.add(
        event,
        this.records,
        recall,
        logReader(service === null ? null : this.records.share(service)),
      );
    }
  }

  #addFlat(place: JsonView): void {
    const span = readFlatSpan(place);
    if (span !== null && this.#isOther(span.traceId)) this.skippedSpans += 1;
    else if (span === null) this.#ledger.notUnderstood(place.origin, NO_IDS);
    else {
      this.#ledger.understood();
      const { traceId: trace, spanId, parentId } = span;
      this.#oddIds.see({ trace, span: spanId, parent: parentId ?? '' }, place.origin.offset);
      this.#spans.push(keepSpan(span, this.records, readFlatSpan));
    }
  }
}

/** Made apart, so that what reads a span again holds on to nothing but the service. */
function spanReader(service: string | null) {
  return (span: JsonView): TraceSpan => {
    const { status, message } = readStatus(span.get('status'));
    const told = spanEvents(span.get('events'));
    return {
      traceId: readId(span.firstOf('traceId', 'trace_id')) ?? '',
      spanId: readId(span.firstOf('spanId', 'span_id')) ?? '',
      parentId: readId(span.firstOf('parentSpanId', 'parent_span_id')),
      name: span.get('name')?.text ?? '',
      record: span,
      start: readNanos(span.firstOf('startTimeUnixNano', 'start_time_unix_nano')),
      end: readNanos(span.firstOf('endTimeUnixNano', 'end_time_unix_nano')),
      status,
      statusMessage: message ?? exceptionOf(told),
      attributes: withContentEvents(readAttributes(span.get('attributes')), told),
      messages: messagesOfEvents(told),
      kindHint: null,
      service,
    };
  };
}

function logReader(service: string | null): (record: JsonView) => LoggedEvent | null {
  return (record) => readLoggedEvent(record, service, readId);
}

/** Ids of nothing but zeros are OpenTelemetry's word for none. */
function isId(id: string): boolean {
  return /[^0]/.test(id);
}

/** The name of the service that a resource describes. */
export function serviceOf(resource: JsonView): string | null {
  return textAttribute(readAttributes(resource.get('attributes')), 'service.name');
}

/** Ids are hex in either case; plain protobuf printers write base64, whose case matters. */
function readId(place: JsonView | undefined): string | null {
  const text = place?.text ?? '';
  if (text === '' || /^0+$/.test(text)) return text === '' ? null : text;
  return /^[0-9a-fA-F]+$/.test(text) ? text.toLowerCase() : text;
}

function readNanos(place: JsonView | undefined): SpanTime | null {
  const text = place?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 'ns');
  return text === null || ns === null || ns <= 0n ? null : { ns, text };
}

function readStatus(status: JsonView | undefined): {
  status: TraceSpan['status'];
  message: string | null;
} {
  const code = status?.get('code');
  const word = code?.text ?? code?.number ?? '0';
  const message = status?.get('message')?.text || null;
  if (word === '2' || word === 'STATUS_CODE_ERROR') return { status: 'error', message };
  const isOk = word === '1' || word === 'STATUS_CODE_OK';
  return { status: isOk ? 'ok' : 'unset', message };
}

function exceptionOf(events: readonly SpanEvent[]): string | null {
  const exception = events.find(({ name }) => name === 'exception');
  return exception === undefined
    ? null
    : textAttribute(exception.attributes, 'exception.message', 'exception.type');
}
