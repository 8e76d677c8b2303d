import { encodeString } from '@misstep/json';
import { assembledView, type JsonView } from '../json-view.ts';
import { type Attributes, attribute } from '../span-attributes.ts';
import { readAttributes } from './any-value.ts';

/** A chat message that stands in a span event or a log record. */
export interface SpanMessage {
  readonly output: boolean;
  readonly place: JsonView;
  /** The event or log record itself. */
  readonly record: JsonView;
}

const EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/**
 * The message of `gen_ai.*.message` and `gen_ai.choice` (GenAI conventions before 1.37). The role
 * is in the name; body or attributes hold content and calls. Null for every other event.
 */
export function messageOfEvent(
  name: string,
  attributes: Attributes,
  body: JsonView | null,
  record: JsonView,
): SpanMessage | null {
  const role = EVENT.exec(name)?.[1];
  const isChoice = name === 'gen_ai.choice';
  if (role === undefined && !isChoice) return null;
  // Where events have no bodies, an attribute holds one as a string.
  const held = body ?? objectIn(attribute(attributes, 'gen_ai.event.content'));
  const answer = isChoice
    ? (held?.get('message') ?? objectIn(attribute(attributes, 'message')))
    : null;
  const inner = answer ?? held;
  const members: string[] = [`"role":${encodeString(role ?? 'assistant')}`];
  const field = (key: string): JsonView | null => {
    return inner?.get(key) ?? held?.get(key) ?? attribute(attributes, key, `gen_ai.event.${key}`);
  };
  for (const key of ['content', 'name']) {
    const place = field(key);
    if (place !== null) members.push(`${encodeString(key)}:${place.written}`);
  }
  const calls = field('tool_calls');
  if (calls !== null) members.push(`"tool_calls":${calls.unwrapped().written}`);
  const id = field('tool_call_id') ?? (role === 'tool' ? field('id') : null);
  if (id !== null) members.push(`"tool_call_id":${id.written}`);
  const place = assembledView(`{${members.join(',')}}`, record.origin);
  return place === null ? null : { output: isChoice, place, record };
}

/** Events whose attributes say what was asked and answered, in place of the span's own. */
const CONTENT_EVENT =
  /^gen_ai\.(?:content\.(?:prompt|completion)|client\.inference\.operation\.details)$/;

function objectIn(place: JsonView | null): JsonView | null {
  const inner = place?.unwrapped() ?? null;
  return inner?.isObject === true ? inner : null;
}

/** An event of a span, whatever format it stands in. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
  readonly record: JsonView;
}

/** Events as OTLP lists them, or with their attributes as a plain object. */
export function spanEvents(list: JsonView | undefined): SpanEvent[] {
  return (list?.items ?? []).map((record) => {
    const given = record.get('attributes');
    const attributes =
      given?.isArray === true
        ? readAttributes(given)
        : (given?.entries ?? new Map<string, JsonView>());
    return { name: record.get('name')?.text ?? '', attributes, record };
  });
}

/** The messages that events are. */
export function messagesOfEvents(events: readonly SpanEvent[]): SpanMessage[] {
  return events.flatMap(
    ({ name, attributes, record }) => messageOfEvent(name, attributes, null, record) ?? [],
  );
}

/** The attributes of a span with those of its events that hold its content; the span's own go first. */
export function withContentEvents(own: Attributes, events: readonly SpanEvent[]): Attributes {
  const telling = events.filter(({ name }) => CONTENT_EVENT.test(name));
  if (telling.length === 0) return own;
  const merged = new Map(own);
  for (const { attributes } of telling) {
    for (const [key, place] of attributes) if (!merged.has(key)) merged.set(key, place);
  }
  return merged;
}
