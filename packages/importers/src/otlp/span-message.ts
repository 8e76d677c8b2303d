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
  const held = body ?? record;
  const inner = isChoice ? (held.get('message') ?? held) : held;
  const members: string[] = [`"role":${encodeString(role ?? 'assistant')}`];
  const field = (key: string): JsonView | null => {
    const stated = body === null ? undefined : (inner.get(key) ?? body.get(key));
    return stated ?? attribute(attributes, key, `gen_ai.event.${key}`);
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

/** The attributes of a span with those of its events that hold its content; the span's own go first. */
export function withContentEvents(own: Attributes, events: readonly JsonView[]): Attributes {
  const telling = events.filter((event) => CONTENT_EVENT.test(event.get('name')?.text ?? ''));
  if (telling.length === 0) return own;
  const merged = new Map(own);
  for (const event of telling) {
    const given = event.get('attributes');
    const held = given?.isArray === true ? readAttributes(given) : (given?.entries ?? new Map());
    for (const [key, place] of held) if (!merged.has(key)) merged.set(key, place);
  }
  return merged;
}
