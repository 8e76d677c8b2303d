import type { Origin } from '@misstep/model';
import type { JsonView } from './json-view.ts';
import { rereading, type SourceRecords } from './source-records.ts';
import { firstPlaceOf, knownPlaceOf, type SpanTime, type TraceSpan } from './trace-span.ts';

/**
 * A span while the others come: what puts spans in order and below one another is at hand, all else
 * is read again when it is asked for.
 */
export interface KeptSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly service: string | null;
  readonly start: SpanTime | null;
  /** Where it stands, as in the whole span. */
  readonly origin: Origin;
  readonly firstOffset: number;
  readonly knownOffset: number;
  readonly isOnlyLogged: boolean;
  whole(): Promise<TraceSpan>;
}

/** A span that `again` reads from its record, and that `recall` gives the record of. */
export function keepSpan(
  span: TraceSpan,
  records: SourceRecords,
  again: (record: JsonView) => TraceSpan | null,
  recall = records.recall(span.record),
): KeptSpan {
  return keepWhole(span, records, rereading(recall, again));
}

/** What is at hand of a span from now on; `whole` gives the same span again. */
export function keepWhole(
  span: TraceSpan,
  records: SourceRecords,
  whole: () => Promise<TraceSpan>,
): KeptSpan {
  return {
    traceId: records.share(span.traceId),
    spanId: records.share(span.spanId),
    parentId: span.parentId === null ? null : records.share(span.parentId),
    name: records.share(span.name),
    service: span.service === null ? null : records.share(span.service),
    start: ownTime(span.start, records),
    origin: ownOrigin(span.record.origin, records),
    firstOffset: firstPlaceOf(span).offset,
    knownOffset: knownPlaceOf(span).offset,
    isOnlyLogged: span.isOnlyLogged === true,
    whole,
  };
}

/** The span with some of what is known of it changed; `change` says the same of the whole. */
export function changeKept(
  span: KeptSpan,
  changes: Partial<Omit<KeptSpan, 'whole'>>,
  change: (whole: TraceSpan) => TraceSpan | Promise<TraceSpan>,
): KeptSpan {
  return { ...span, ...changes, whole: async () => change(await span.whole()) };
}

/** Ids that more than one of the spans has. */
export function repeatedIds(spans: readonly KeptSpan[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { spanId } of spans) {
    if (seen.has(spanId)) repeated.add(spanId);
    else seen.add(spanId);
  }
  return repeated;
}

/** The time with a text of its own. */
export function ownTime(time: SpanTime | null, records: SourceRecords): SpanTime | null {
  if (time === null) return null;
  return { ns: time.ns, text: time.text === null ? null : records.share(time.text) };
}

export function ownOrigin(
  { sha256, offset, length, pointer }: Origin,
  records: SourceRecords,
): Origin {
  return { sha256, offset, length, pointer: records.share(pointer) };
}
