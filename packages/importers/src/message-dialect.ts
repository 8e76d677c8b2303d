import { isAnswer, isAsked, isRequest } from './api-exchange.ts';
import { headValuesOrEvents } from './event-stream.ts';
import type { SourceHead } from './importer.ts';
import type { JsonView } from './json-view.ts';

export type MessageDialect = 'anthropic' | 'chat' | 'responses';

/** How sure one can be that a source holds messages of a dialect: 0 to 0.85, from its first values. */
export function dialectScore(head: SourceHead, dialect: MessageDialect): number {
  const { votes, seen, voted } = votesOf(head);
  if (seen === 0 || votes[dialect] === 0) return 0;
  const total = votes.anthropic + votes.chat + votes.responses;
  // Plain texts with roles are common to all: one telling entry decides.
  const others = total - votes[dialect];
  if (votes[dialect] < others) return 0;
  const known = voted / seen;
  const isTelling = votes[dialect] >= 1;
  return (isTelling ? 0.85 : 0.55) * (known < 0.5 ? 0.5 : 1);
}

interface Votes {
  readonly votes: Record<MessageDialect, number>;
  readonly seen: number;
  readonly voted: number;
}

/** Every dialect asks for them. */
const counted = new WeakMap<SourceHead, Votes>();

function votesOf(head: SourceHead): Votes {
  const known = counted.get(head);
  if (known !== undefined) return known;
  const votes = { anthropic: 0, chat: 0, responses: 0 };
  let seen = 0;
  let voted = 0;
  for (const value of headValuesOrEvents(head)) {
    for (const item of (value.isArray ? value.items : [value]).slice(0, 60)) {
      seen += 1;
      const found = dialectOf(item);
      if (found === null) continue;
      voted += 1;
      votes[found.dialect] += found.weight;
    }
  }
  const result = { votes, seen, voted };
  counted.set(head, result);
  return result;
}

interface Vote {
  readonly dialect: MessageDialect;
  /** Below 1 for what other dialects may hold as well. */
  readonly weight: number;
}

function dialectOf(item: JsonView): Vote | null {
  const type = item.get('type')?.text ?? '';
  if (/^response\.[a-z_.]+$/.test(type) || item.get('object')?.text === 'response') {
    return { dialect: 'responses', weight: 4 };
  }
  if (item.get('object')?.text === 'chat.completion.chunk') return { dialect: 'chat', weight: 4 };
  if (/^(message_start|content_block_(start|delta)|message_delta)$/.test(type)) {
    return { dialect: 'anthropic', weight: 4 };
  }
  const request = isRequest(item) ? item : item.firstOf('request', 'body');
  const body = request?.get('body') ?? request;
  const list = body?.firstOf('messages', 'input');
  if (list?.isArray === true) return dialectOfList(body, list);
  const response = item.firstOf('response', 'output')?.get('body') ?? item.get('response');
  const isPair = body !== undefined && isAsked(body, response ?? null);
  if (isPair || (request === item && list !== undefined))
    return { dialect: 'responses', weight: 4 };
  if (isAnswer(item)) {
    if (item.get('choices') !== undefined) return { dialect: 'chat', weight: 4 };
    return type === 'message' && item.get('stop_reason') !== undefined
      ? { dialect: 'anthropic', weight: 4 }
      : null;
  }
  return dialectOfMessage(item);
}

function dialectOfList(request: JsonView | undefined, list: JsonView): Vote | null {
  if (request?.get('input') !== undefined) return { dialect: 'responses', weight: 2 };
  const isAnthropic =
    request?.get('system') !== undefined ||
    request?.get('tools')?.items[0]?.get('input_schema') !== undefined;
  if (isAnthropic) return { dialect: 'anthropic', weight: 2 };
  let best: Vote | null = null;
  for (const message of list.items.slice(0, 60)) {
    const vote = dialectOfMessage(message);
    if (vote !== null && (best === null || vote.weight > best.weight)) best = vote;
  }
  return best;
}

const ROLE = /^(system|developer|user|assistant|tool|function)$/;

function dialectOfMessage(item: JsonView): Vote | null {
  const type = item.get('type')?.text ?? '';
  if (
    /^(function_call(_output|_result)?|mcp_call|mcp_list_tools|reasoning|[a-z_]+_call)$/.test(type)
  ) {
    const isItem =
      item.firstOf('call_id', 'callId', 'server_label', 'summary', 'status') !== undefined;
    return isItem ? { dialect: 'responses', weight: 2 } : null;
  }
  const role = item.get('role')?.text ?? '';
  if (!ROLE.test(role) || item.get('parts') !== undefined) return null;
  if (item.firstOf('tool_calls', 'function_call', 'tool_call_id') !== undefined) {
    return { dialect: 'chat', weight: 1 };
  }
  const content = item.get('content');
  if (role === 'tool' || role === 'function') return { dialect: 'chat', weight: 1 };
  for (const block of content?.items ?? []) {
    const kind = block.get('type')?.text ?? '';
    if (
      /^(tool_use|tool_result|thinking|redacted_thinking|server_tool_use|mcp_tool_use)$/.test(kind)
    ) {
      return { dialect: 'anthropic', weight: 1 };
    }
    if (/^(input_text|output_text)$/.test(kind)) return { dialect: 'responses', weight: 1 };
    if (/^tool-(call|result)$/.test(kind)) return null;
  }
  return content === undefined ? null : { dialect: 'chat', weight: 0.1 };
}
