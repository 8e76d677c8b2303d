import type { Origin, StepKind, Usage } from '@misstep/model';
import type { JsonView } from './json-view.ts';

/** A moment in nanoseconds since 1970; the text it was read from, null where it was worked out. */
export interface SpanTime {
  readonly ns: bigint;
  readonly text: string | null;
}

/** One span of any tracing format. */
export interface TraceSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  /** A second id to look for the parent under, where halves of a call share an id (Zipkin). */
  readonly name: string;
  /** The whole span in the source. */
  readonly record: JsonView;
  /** Where the span was told first, if `record` is a later telling: its step is known by that place. */
  readonly firstRecord?: Origin;
  /** True where log records tell of the span, and the span itself is not there (yet). */
  readonly isOnlyLogged?: boolean;
  /** Further records of the same span (a later patch). */
  readonly moreRecords?: readonly Origin[];
  readonly start: SpanTime | null;
  readonly end: SpanTime | null;
  readonly status: 'ok' | 'error' | 'unset';
  readonly statusMessage: string | null;
  /** Attributes by their exact keys; `__proto__` and the like are keys as any other. */
  readonly attributes: ReadonlyMap<string, JsonView>;
  /** Messages that stand in events or log records: role and body (before GenAI 1.37). */
  readonly messages: readonly { readonly output: boolean; readonly place: JsonView }[];
  /** The kind of span where the format states it outside the attributes (OpenInference words). */
  readonly kindHint: string | null;
  /** Name of the service or process that sent it. */
  readonly service: string | null;
  /** What the format says in fields of its own; it goes before the attributes. */
  readonly stated?: StatedFacts;
}

/** Where a span was told first. */
export function firstPlaceOf({ firstRecord, record }: TraceSpan): Origin {
  return firstRecord ?? record.origin;
}

/** Undefined = the format has no such field, or it is empty. */
export interface StatedFacts {
  readonly kind?: StepKind;
  /** What the row of a model call is called, where it is something more than the call. */
  readonly rowName?: string;
  readonly input?: JsonView | undefined;
  readonly output?: JsonView | undefined;
  /** The record says that its input, or output, is kept apart from it. */
  readonly elsewhere?: { readonly input: boolean; readonly output: boolean };
  readonly model?: string | undefined;
  readonly usage?: Usage | null;
  /** USD of the call, as the source writes them. */
  readonly recordedCostUsd?: string | null;
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
  readonly callId?: string | undefined;
  /** Lists of the tools that a model was offered. */
  readonly tools?: readonly JsonView[];
}
