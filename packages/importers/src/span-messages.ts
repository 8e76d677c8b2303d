import { readChatMessage } from './chat-message.ts';
import type { ChatMessage } from './chat-parts.ts';
import type { JsonView } from './json-view.ts';
import { attribute, structuredAttribute, unflattened } from './span-attributes.ts';
import type { TraceSpan } from './trace-span.ts';

interface MessageKeys {
  readonly structured: readonly string[];
  readonly flattened: readonly string[];
  readonly output: boolean;
}

export const INPUTS: MessageKeys = {
  structured: [
    'gen_ai.input.messages',
    'ai.prompt.messages',
    'ai.prompt',
    'gen_ai.prompt',
    'input.value',
    'traceloop.entity.input',
  ],
  flattened: ['llm.input_messages', 'gen_ai.prompt'],
  output: false,
};
export const OUTPUTS: MessageKeys = {
  structured: [
    'gen_ai.output.messages',
    'gen_ai.completion',
    'output.value',
    'traceloop.entity.output',
  ],
  flattened: ['llm.output_messages', 'gen_ai.completion'],
  output: true,
};

/** The messages that a span was given or gave, by whichever convention holds some. */
export function messagesOf(span: TraceSpan, keys: MessageKeys): ChatMessage[] {
  const { attributes, record, stated } = span;
  const own = keys.output ? stated?.output : stated?.input;
  const stating = own === undefined ? [] : readMessages(own.unwrapped());
  if (stating.length > 0) return stating;
  for (const prefix of keys.flattened) {
    const list = unflattened(attributes, prefix, record.origin);
    const messages = list === null ? [] : readMessages(list);
    if (messages.length > 0) return messages;
  }
  for (const key of keys.structured) {
    const found = structuredAttribute(attributes, key);
    const messages = found === null ? [] : readMessages(found);
    if (messages.length > 0) return messages;
  }
  const events = span.messages.filter(({ output }) => output === keys.output);
  if (events.length > 0) return events.flatMap(({ place }) => readChatMessage(place) ?? []);
  return keys.output ? vercelOutput(span) : [];
}

/** Messages of a list, or of the object that holds them under a usual key. */
export function readMessages(place: JsonView): ChatMessage[] {
  let list = place;
  if (!list.isArray) {
    const single = readChatMessage(place);
    const choices = place.get('choices')?.items.flatMap((each) => each.get('message') ?? []) ?? [];
    if (choices.length > 0) return choices.flatMap((each) => readChatMessage(each) ?? []);
    list = place.firstOf('messages', 'input', 'output', 'generations') ?? place;
    if (!list.isArray) return single === null ? [] : [single];
  }
  // LangChain nests a list per prompt.
  const flat = list.items.flatMap((item) => (item.isArray ? item.items : [item]));
  return flat.flatMap(
    (item) => readChatMessage(item) ?? readChatMessage(item.get('message') ?? item) ?? [],
  );
}

/** The AI SDK keeps text and calls of an answer in attributes of their own. */
function vercelOutput({ attributes }: TraceSpan): ChatMessage[] {
  const text = attribute(attributes, 'ai.response.text', 'ai.response.object');
  const calls = structuredAttribute(attributes, 'ai.response.toolCalls');
  if (text === null && calls === null) return [];
  const place = text ?? calls;
  if (place === null) return [];
  return [
    {
      role: 'assistant',
      speaker: null,
      parts: text === null ? [] : [{ kind: 'text', place: text, text: text.text, redacted: false }],
      calls: (calls?.items ?? []).map((call) => ({
        id: call.get('toolCallId')?.text ?? null,
        name: call.get('toolName')?.text ?? '',
        server: null,
        arguments: call.firstOf('input', 'args'),
        place: call,
      })),
      results: [],
      tools: [],
      place,
    },
  ];
}
