import type { Origin } from '@misstep/model';
import type { JsonView } from '../json-view.ts';
import { changeKept, type KeptSpan } from '../kept-span.ts';
import { counted, type IssueList } from '../record-ledger.ts';
import { type Recall, rereading, type SourceRecords } from '../source-records.ts';
import { decimalToNs } from '../source-time.ts';
import { type Attributes, textAttribute } from '../span-attributes.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { anyValue, readAttributes } from './any-value.ts';
import { messageOfEvent, type SpanMessage } from './span-message.ts';

/** What a log record says of a span. */
export interface LoggedEvent {
  readonly traceId: string;
  readonly spanId: string;
  readonly record: JsonView;
  readonly time: SpanTime | null;
  /** A chat message (GenAI conventions before 1.37); null = the attributes say it. */
  readonly message: SpanMessage | null;
  /** Those of an event that holds what else the span itself would; empty beside a message. */
  readonly attributes: Attributes;
  readonly isOfTool: boolean;
  readonly service: string | null;
}

/** Events whose attributes are those of the span that they name (GenAI conventions since 1.37). */
const DETAILS = /^gen_ai\.(?:client\.inference\.operation\.details|execute_tool\.exception)$/;
const NO_ATTRIBUTES: Attributes = new Map();

/** Reads a log record; null where it says nothing of a model or a tool. Ids as `idOf` reads them. */
export function readLoggedEvent(
  log: JsonView,
  service: string | null,
  idOf: (place: JsonView | undefined) => string | null,
): LoggedEvent | null {
  const attributes = readAttributes(log.get('attributes'));
  const name =
    log.firstOf('eventName', 'event_name')?.text ?? textAttribute(attributes, 'event.name');
  if (name === null) return null;
  const body = log.get('body');
  const held = body === undefined ? null : anyValue(body);
  const message = messageOfEvent(name, attributes, held, log);
  if (message === null && !DETAILS.test(name)) return null;
  return {
    traceId: idOf(log.firstOf('traceId', 'trace_id')) ?? '',
    spanId: idOf(log.firstOf('spanId', 'span_id')) ?? '',
    record: log,
    time:
      timeOf(log.firstOf('timeUnixNano', 'time_unix_nano')) ??
      timeOf(log.firstOf('observedTimeUnixNano', 'observed_time_unix_nano')),
    message,
    attributes: message === null ? attributes : NO_ATTRIBUTES,
    isOfTool: /execute_tool/.test(name),
    service,
  };
}

function timeOf(place: JsonView | undefined): SpanTime | null {
  const text = place?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 'ns');
  return text === null || ns === null || ns <= 0n ? null : { ns, text };
}

/** A log record while the others come: what it holds is read again when it is asked for. */
interface KeptEvent {
  readonly origin: Origin;
  /** Where it stands, counted over all sources. */
  readonly at: number;
  readonly time: SpanTime | null;
  /** Null = its attributes say it, not a message. */
  readonly isOutput: boolean | null;
  readonly isOfTool: boolean;
  readonly service: string | null;
  whole(): Promise<LoggedEvent>;
}

/** Log records by the span that they name. They may come before it, after it, or without it. */
export class LoggedSpans {
  readonly #events = new Map<string, { traceId: string; spanId: string; kept: KeptEvent[] }>();

  /** `again` reads the same event from its record, which is one of `records`. */
  add(
    event: LoggedEvent,
    records: SourceRecords,
    recall: Recall,
    again: (record: JsonView) => LoggedEvent | null,
  ): void {
    const kept = keepEvent(event, records, recall, again);
    const known = this.#events.get(keyOf(event));
    if (known !== undefined) {
      known.kept.push(kept);
      return;
    }
    const traceId = records.share(event.traceId);
    const spanId = records.share(event.spanId);
    this.#events.set(keyOf({ traceId, spanId }), { traceId, spanId, kept: [kept] });
  }

  /** The id of the trace of each log record. */
  get traceIds(): readonly string[] {
    return [...this.#events.values()].flatMap(({ traceId, kept }) => kept.map(() => traceId));
  }

  /** The spans with what log records say of them, and those that only log records tell of. */
  joinTo(spans: readonly KeptSpan[], issues: IssueList): readonly KeptSpan[] {
    if (this.#events.size === 0) return spans;
    const known = new Set(spans.map(keyOf));
    const joined = spans.map((span) => {
      const found = this.#events.get(keyOf(span));
      return found === undefined ? span : withEvents(span, found.kept);
    });
    for (const [key, { traceId, spanId, kept }] of this.#events) {
      if (known.has(key)) continue;
      const span = spanOf(traceId, spanId, kept);
      if (span === null) continue;
      joined.push(span);
      const { sha256, offset } = span.origin;
      issues.count(
        'SPAN_ONLY_LOGGED',
        (count) =>
          `${counted(count, 'span')} known by log records alone: name, parent and end are not in the recording.`,
        sha256,
        offset,
      );
    }
    return joined;
  }
}

function keepEvent(
  { record, time, message, isOfTool, service }: LoggedEvent,
  records: SourceRecords,
  recall: Recall,
  again: (record: JsonView) => LoggedEvent | null,
): KeptEvent {
  const origin = { ...record.origin, pointer: records.share(record.origin.pointer) };
  return {
    origin,
    at: records.base + origin.offset,
    time: time === null ? null : { ns: time.ns, text: time.text && records.share(time.text) },
    isOutput: message?.output ?? null,
    isOfTool,
    service: service === null ? null : records.share(service),
    whole: wholeEvent(recall, origin, again),
  };
}

/** Apart from what is kept, so that it holds on to no record. */
function wholeEvent(
  recall: Recall,
  origin: Origin,
  again: (record: JsonView) => LoggedEvent | null,
): () => Promise<LoggedEvent> {
  return () => rereading(recall, origin, again);
}

function keyOf({ traceId, spanId }: Pick<TraceSpan, 'traceId' | 'spanId'>): string {
  return `${traceId} ${spanId}`;
}

/** Each once: an exporter that sends a batch again, or a copy of the file, tells the same with the same time. */
async function wholeEvents(kept: readonly KeptEvent[]): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  const told = new Set<string>();
  for (const each of kept) {
    const event = await each.whole();
    const { written } = event.record;
    if (!told.has(written)) events.push(event);
    told.add(written);
  }
  return events;
}

function withEvents(span: KeptSpan, kept: readonly KeptEvent[]): KeptSpan {
  const [first] = kept;
  // A step that was there before its span came keeps its id.
  const isEarlier = first !== undefined && first.at < span.firstAt;
  const places = isEarlier ? { knownAt: first.at } : {};
  return changeKept(span, places, async (whole) => {
    const events = await wholeEvents(kept);
    return {
      ...whole,
      attributes: mergedAttributes(whole.attributes, events),
      statusMessage: whole.statusMessage ?? exceptionIn(events),
      messages: [...whole.messages, ...events.flatMap(({ message }) => message ?? [])],
      moreRecords: [...(whole.moreRecords ?? []), ...events.map(({ record }) => record.origin)],
    };
  });
}

function spanOf(traceId: string, spanId: string, kept: readonly KeptEvent[]): KeptSpan | null {
  const [first] = kept;
  if (first === undefined) return null;
  const { origin, service } = first;
  const start = first.time;
  const last = kept.findLast(({ isOutput }) => isOutput ?? true);
  const end = last?.time ?? null;
  const whole = async (): Promise<TraceSpan> => {
    const events = await wholeEvents(kept);
    const record = events[0]?.record;
    if (record === undefined) throw new Error('a span of log records has one');
    return {
      traceId,
      spanId,
      parentId: null,
      name: '',
      record,
      moreRecords: kept.slice(1).map((each) => each.origin),
      start,
      end,
      status: 'unset',
      statusMessage: exceptionIn(events),
      attributes: mergedAttributes(NO_ATTRIBUTES, events),
      messages: events.flatMap(({ message }) => message ?? []),
      kindHint: kept.some(({ isOfTool }) => !isOfTool) ? 'llm' : 'tool',
      service,
      isOnlyLogged: true,
    };
  };
  const { at } = first;
  const ids = { traceId, spanId, parentId: null, name: '', service, start, origin };
  return { ...ids, firstAt: at, knownAt: at, isOnlyLogged: true, whole };
}

/** What the span says of itself goes first. */
function mergedAttributes(own: Attributes, events: readonly LoggedEvent[]): Attributes {
  const merged = new Map(own);
  for (const { attributes } of events) {
    for (const [key, place] of attributes) if (!merged.has(key)) merged.set(key, place);
  }
  return merged;
}

function exceptionIn(events: readonly LoggedEvent[]): string | null {
  for (const { attributes } of events) {
    const told = textAttribute(attributes, 'exception.message', 'exception.type');
    if (told !== null) return told;
  }
  return null;
}
