import type { JsonView } from '../json-view.ts';
import { decimalToNs, readTime } from '../source-time.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { messagesOfEvents, spanEvents, withContentEvents } from './span-message.ts';

/**
 * A span as console exporters and test dumps print it: ids in `context` or `spanContext`,
 * attributes as a plain object.
 */
export function isFlatSpan(place: JsonView): boolean {
  const context = place.firstOf('context', 'spanContext');
  return (
    place.get('name')?.text !== undefined &&
    context?.firstOf('trace_id', 'traceId') !== undefined &&
    place.get('span_kind') === undefined
  );
}

export function readFlatSpan(place: JsonView): TraceSpan | null {
  const context = place.firstOf('context', 'spanContext');
  const traceId = idOf(context?.firstOf('trace_id', 'traceId'));
  const spanId = idOf(context?.firstOf('span_id', 'spanId'));
  if (traceId === null || spanId === null) return null;
  const code = place.at('status', 'status_code') ?? place.at('status', 'code');
  const word = code?.text ?? code?.number ?? '';
  const events = spanEvents(place.get('events'));
  const exception = events.find(({ name }) => name === 'exception');
  return {
    traceId,
    spanId,
    parentId: idOf(
      place.firstOf('parent_id', 'parentSpanId') ?? place.at('parentSpanContext', 'spanId'),
    ),
    name: place.get('name')?.text ?? '',
    record: place,
    start: timeOf(place.firstOf('start_time', 'startTime')),
    end: timeOf(place.firstOf('end_time', 'endTime')),
    status:
      word === 'ERROR' || word === '2' ? 'error' : word === 'OK' || word === '1' ? 'ok' : 'unset',
    statusMessage:
      (place.at('status', 'description') ?? place.at('status', 'message'))?.text ??
      exception?.attributes.get('exception.message')?.text ??
      null,
    attributes: withContentEvents(place.get('attributes')?.entries ?? new Map(), events),
    messages: messagesOfEvents(events),
    kindHint: null,
    service: place.at('resource', 'attributes', 'service.name')?.text ?? null,
  };
}

function idOf(place: JsonView | undefined): string | null {
  const text = place?.text?.replace(/^0x/, '') ?? '';
  return text === '' ? null : text.toLowerCase();
}

/** ISO text, or `[seconds, nanoseconds]`. */
function timeOf(place: JsonView | undefined): SpanTime | null {
  if (place === undefined) return null;
  if (place.text !== null) {
    const time = readTime(place.text);
    return time?.clock === 'zoned' ? { ns: time.ns, text: time.text } : null;
  }
  const [seconds, nanoseconds] = place.items;
  const whole = decimalToNs(seconds?.number ?? '', 's');
  const rest = decimalToNs(nanoseconds?.number ?? '', 'ns');
  return whole === null || rest === null ? null : { ns: whole + rest, text: place.written };
}
