import type { Origin, SourceHash } from '@misstep/model';
import type { JsonView } from './json-view.ts';
import { ownText } from './own-text.ts';
import { type Recall, rereading, type SourceRecords } from './source-records.ts';
import type { SpanTime, TraceSpan } from './trace-span.ts';

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
  /** Where it was told first, and where something of it was: counted over all sources (SourcePlaces). */
  readonly firstAt: number;
  readonly knownAt: number;
  readonly isOnlyLogged: boolean;
  whole(): Promise<TraceSpan>;
}

/** How a format reads a span from its record. One for many spans: each holds on to it. */
export type SpanReading = (record: JsonView) => TraceSpan | null;

/** A span that `again` reads from its record, which `recall` gives. */
export function keepSpan(
  span: TraceSpan,
  records: SourceRecords,
  again: SpanReading,
  recall: Recall = records.recallOf(span.record),
): KeptSpan {
  return new RecordedSpan(span, records, recall, again);
}

/** What is at hand of a span from now on; `whole` gives the same span again. */
export function keepWhole(
  span: TraceSpan,
  records: SourceRecords,
  whole: () => Promise<TraceSpan>,
): KeptSpan {
  return { ...handOf(new RecordedSpan(span, records, records.recall, () => null)), whole };
}

/** The span with some of what is known of it changed; `change` says the same of the whole. */
export function changeKept(
  span: KeptSpan,
  changes: Partial<Omit<KeptSpan, 'whole'>>,
  change: (whole: TraceSpan) => TraceSpan | Promise<TraceSpan>,
): KeptSpan {
  return { ...handOf(span), ...changes, whole: async () => change(await span.whole()) };
}

function handOf(span: KeptSpan): Omit<KeptSpan, 'whole'> {
  const { traceId, spanId, parentId, name, service, start, origin } = span;
  const { firstAt, knownAt, isOnlyLogged } = span;
  const places = { origin, firstAt, knownAt, isOnlyLogged };
  return { traceId, spanId, parentId, name, service, start, ...places };
}

/** There may be a million of them: what can be worked out is not kept. */
class RecordedSpan implements KeptSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly service: string | null;
  readonly #startNs: bigint | null;
  /** '' where it is nothing but the nanoseconds. */
  readonly #startText: string | null;
  readonly #sha256: SourceHash;
  readonly #offset: number;
  readonly #length: number;
  readonly #pointer: string;
  readonly #base: number;
  readonly #recall: Recall;
  readonly #again: SpanReading;

  constructor(span: TraceSpan, records: SourceRecords, recall: Recall, again: SpanReading) {
    const { sha256, offset, length, pointer } = span.record.origin;
    this.traceId = records.share(span.traceId);
    this.spanId = records.share(span.spanId);
    this.parentId = span.parentId === null ? null : records.share(span.parentId);
    this.name = records.share(span.name);
    this.service = span.service === null ? null : records.share(span.service);
    const { ns = null, text = null } = span.start ?? {};
    this.#startNs = ns;
    this.#startText = text === null ? null : text === String(ns) ? '' : ownText(text);
    this.#sha256 = sha256;
    this.#offset = offset;
    this.#length = length;
    this.#pointer = records.share(pointer);
    this.#base = records.base;
    this.#recall = recall;
    this.#again = again;
  }

  get start(): SpanTime | null {
    const [ns, text] = [this.#startNs, this.#startText];
    return ns === null ? null : { ns, text: text === '' ? String(ns) : text };
  }

  get origin(): Origin {
    const [sha256, offset] = [this.#sha256, this.#offset];
    return { sha256, offset, length: this.#length, pointer: this.#pointer };
  }

  get firstAt(): number {
    return this.#base + this.#offset;
  }

  get knownAt(): number {
    return this.#base + this.#offset;
  }

  get isOnlyLogged(): boolean {
    return false;
  }

  whole(): Promise<TraceSpan> {
    return rereading(this.#recall, this.origin, this.#again);
  }
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
