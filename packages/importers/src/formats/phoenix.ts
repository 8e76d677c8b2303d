import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { type KeptSpan, keepSpan } from '../kept-span.ts';
import { messagesOfEvents, spanEvents, withContentEvents } from '../otlp/span-message.ts';
import { textAttribute } from '../span-attributes.ts';
import type { SpanClock } from '../span-clock.ts';
import { runsOfTraces } from '../trace-runs.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { readValueSource } from '../value-source.ts';

/** Spans as Phoenix exports them, with OpenInference attributes. */
export const phoenix: Importer = {
  id: 'phoenix',
  title: 'Phoenix spans',
  evidence: 'logged',
  revision: 8,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    if (isSpan(object)) return 0.97;
    const lists = [...object.entries.values()].filter((value) => value.isArray);
    const scoreOf = (item: JsonView): number => (isSpan(item) ? 0.95 : 0);
    return Math.max(0, ...lists.map((list) => scoreOfMost(firstObjects(list), scoreOf)));
  });
}

function isSpan(item: JsonView): boolean {
  const ids = item.at('context', 'span_id') ?? item.get('context.span_id') ?? item.get('span_id');
  return ids !== undefined && item.firstOf('span_kind', 'status_code') !== undefined;
}

/** Lists of spans stand in `data`, under names of their own, or a span holds its children. */
const MAX_NESTING = 200;

function read(input: ImportInput): Promise<ImportResult> {
  const spans: KeptSpan[] = [];
  return readValueSource(
    input,
    (place, { ledger, clock, records }) => {
      const queue: { item: JsonView; depth: number }[] = [{ item: place, depth: 0 }];
      const before = ledger.total;
      const again = readingAgain(clock);
      for (let at = 0; at < queue.length; at += 1) {
        const next = queue[at];
        if (next === undefined) break;
        const { item, depth } = next;
        const below = (items: readonly JsonView[]): void => {
          if (depth < MAX_NESTING)
            for (const each of items) queue.push({ item: each, depth: depth + 1 });
        };
        if (item.isArray) below(item.items);
        else if (isSpan(item)) {
          const span = readSpan(item, clock);
          if (span === null) ledger.notUnderstood(item.origin, 'a span without ids');
          else {
            ledger.understood();
            spans.push(keepSpan(span, records, again));
          }
          below(item.get('child_spans')?.items ?? []);
        } else if (depth === 0) below([...item.entries.values()].filter((value) => value.isArray));
        else ledger.notUnderstood(item.origin, 'no span');
      }
      if (ledger.total === before) {
        const isEntry = place.pointer !== '';
        ledger.notUnderstood(place.origin, isEntry ? 'no span' : 'no spans in it');
      }
      return [];
    },
    ({ issues, ledger, clock }) => runsOfTraces(spans, issues, ledger, () => ({}), clock.clock),
    ({ pointer, beside }) => pointer.split('/').length <= 2 && beside.length === 0,
  );
}

/** Apart from the reading, so that it holds on to nothing but the clock. */
function readingAgain(clock: SpanClock): (record: JsonView) => TraceSpan | null {
  return (record) => readSpan(record, clock.repeat());
}

function readSpan(item: JsonView, clock: SpanClock): TraceSpan | null {
  const id = (key: string): string | null =>
    (item.at('context', key) ?? item.get(`context.${key}`) ?? item.get(key))?.text ?? null;
  const traceId = id('trace_id');
  const spanId = id('span_id');
  if (traceId === null || spanId === null) return null;
  const code = item.get('status_code')?.text ?? '';
  const events = spanEvents(item.get('events'));
  const attributes = withContentEvents(attributesOf(item), events);
  const start = clock.read(item.firstOf('start_time', 'timestamp'));
  const hint = item.get('span_kind')?.text ?? null;
  return {
    traceId,
    spanId,
    parentId: item.firstOf('parent_id', 'parent_span_id')?.text || null,
    name: item.firstOf('name', 'span_name')?.text ?? '',
    record: item,
    start,
    end: clock.read(item.get('end_time')) ?? afterDuration(start, item.get('duration')),
    status: /error/i.test(code) ? 'error' : /ok/i.test(code) ? 'ok' : 'unset',
    statusMessage: item.get('status_message')?.text || exceptionOf(item),
    attributes,
    messages: messagesOfEvents(events),
    kindHint: hint,
    service: item.get('service_name')?.text ?? null,
  };
}

const DURATION = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})(?:\.(\d{1,9}))?S)?$/;

/** Trees of spans hold durations as ISO 8601 writes them (`PT3.6S`); there is no text of an end. */
function afterDuration(start: SpanTime | null, duration: JsonView | undefined): SpanTime | null {
  const match = DURATION.exec(duration?.text ?? '');
  if (start === null || match === null) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  return { ns: start.ns + whole * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')), text: null };
}

const MAX_DEPTH = 16;

/** Attributes are flat, nested, or columns of a table (`attributes.llm.model_name`). */
function attributesOf(item: JsonView): Map<string, JsonView> {
  const flat = new Map<string, JsonView>();
  const given = item.firstOf('attributes', 'span_attributes');
  const queue = [...(given?.entries ?? [])].map(([key, view]) => ({ key, view, depth: 0 }));
  for (const [key, view] of item.entries) {
    if (key.startsWith('attributes.')) queue.push({ key: key.slice(11), view, depth: 0 });
  }
  for (let at = 0; at < queue.length && queue.length < 100_000; at += 1) {
    const next = queue[at];
    if (next === undefined) break;
    const { key, view, depth } = next;
    flat.set(key, view);
    const nests = !key.includes('.') || depth > 0;
    if (!nests || depth >= MAX_DEPTH) continue;
    const below = view.isObject
      ? [...view.entries]
      : view.items.map((each, index) => [String(index), each] as const);
    for (const [part, inner] of below) {
      queue.push({ key: `${key}.${part}`, view: inner, depth: depth + 1 });
    }
  }
  return flat;
}

function exceptionOf(item: JsonView): string | null {
  for (const event of item.get('events')?.items ?? []) {
    const attributes = event.get('attributes')?.entries ?? new Map<string, JsonView>();
    const message = textAttribute(attributes, 'exception.message', 'exception.type');
    if (message !== null) return message;
  }
  return null;
}
