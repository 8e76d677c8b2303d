import type { JsonView } from '../json-view.ts';
import { addTo } from '../multi-map.ts';
import { counted, type IssueList } from '../record-ledger.ts';
import { decimalToNs } from '../source-time.ts';
import { type Attributes, textAttribute } from '../span-attributes.ts';
import { firstPlaceOf, type SpanTime, type TraceSpan } from '../trace-span.ts';
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

/** Log records by the span that they name. They may come before it, after it, or without it. */
export class LoggedSpans {
  readonly #events = new Map<string, LoggedEvent[]>();

  add(event: LoggedEvent): void {
    addTo(this.#events, keyOf(event), event);
  }

  get events(): readonly LoggedEvent[] {
    return [...this.#events.values()].flat();
  }

  /** The spans with what log records say of them, and those that only log records tell of. */
  joinTo(spans: readonly TraceSpan[], issues: IssueList): TraceSpan[] {
    const known = new Set(spans.map(keyOf));
    const joined = spans.map((span) => {
      const events = this.#events.get(keyOf(span));
      return events === undefined ? span : withEvents(span, events);
    });
    for (const [key, events] of this.#events) {
      if (known.has(key)) continue;
      const span = spanOf(events);
      if (span === null) continue;
      joined.push(span);
      const { sha256, offset } = span.record.origin;
      issues.count(
        'SPAN_ONLY_LOGGED',
        (count) =>
          `${counted(count, 'span')} known by log records alone: name, parent and end are not in the file.`,
        sha256,
        offset,
      );
    }
    return joined;
  }
}

function keyOf({ traceId, spanId }: Pick<TraceSpan, 'traceId' | 'spanId'>): string {
  return `${traceId} ${spanId}`;
}

function withEvents(span: TraceSpan, events: readonly LoggedEvent[]): TraceSpan {
  const [first] = events;
  const own = firstPlaceOf(span);
  // A step that was there before its span came keeps its id.
  const isEarlier = first !== undefined && first.record.origin.offset < own.origin.offset;
  return {
    ...span,
    ...(isEarlier ? { knownBy: first.record } : {}),
    attributes: mergedAttributes(span.attributes, events),
    statusMessage: span.statusMessage ?? exceptionIn(events),
    messages: [...span.messages, ...events.flatMap(({ message }) => message ?? [])],
    moreRecords: [...(span.moreRecords ?? []), ...events.map(({ record }) => record)],
  };
}

function spanOf(events: readonly LoggedEvent[]): TraceSpan | null {
  const [first] = events;
  if (first === undefined) return null;
  const last = events.findLast(({ message }) => message?.output ?? true);
  return {
    traceId: first.traceId,
    spanId: first.spanId,
    parentId: null,
    name: '',
    record: first.record,
    moreRecords: events.slice(1).map(({ record }) => record),
    start: first.time,
    end: last?.time ?? null,
    status: 'unset',
    statusMessage: exceptionIn(events),
    attributes: mergedAttributes(NO_ATTRIBUTES, events),
    messages: events.flatMap(({ message }) => message ?? []),
    kindHint: events.some(({ isOfTool }) => !isOfTool) ? 'llm' : 'tool',
    service: first.service,
    isOnlyLogged: true,
  };
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
