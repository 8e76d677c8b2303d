import type { Usage } from '@misstep/model';
import type { StreamBreak } from './broken-stream.ts';
import { isResponseItem, readChatMessage, readContent } from './chat-message.ts';
import type { ChatMessage } from './chat-parts.ts';
import { feeRequests, feesOfItems, readUsage } from './chat-usage.ts';
import type { JsonView } from './json-view.ts';
import { statedUsd } from './stated-cost.ts';
import type { SpanTime } from './trace-span.ts';

/** A request to a model's API and its answer, either of which may be missing. */
export interface ApiExchange {
  /** The conversation as the request repeats it. */
  readonly messages: ChatMessage[];
  /** Entries among the messages that are none. */
  readonly strange: JsonView[];
  readonly system: JsonView | null;
  /** The list of tools that the model was offered. */
  readonly tools: JsonView | null;
  readonly answer: ChatMessage | null;
  /** Answers that were asked for at once; what all of them say is in the one answer. */
  readonly choices: number;
  /** What the API said in place of an answer. */
  readonly error: string | null;
  /** Where an answer that was streamed lacks something. */
  readonly breaks?: StreamBreak | null;
  /** Why there is no answer, where the source shows that one was asked for. */
  readonly unanswered?: string;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly recordedCostUsd: string | null;
  readonly answerId: string | null;
  /** The answer that this exchange goes on from (Responses API); the request repeats nothing then. */
  readonly previousId: string | null;
  readonly answerRecord: JsonView | null;
  readonly requestRecord: JsonView | null;
}

/** When an exchange took place, where the source says so. */
export interface ExchangeTimes {
  readonly startedAt?: SpanTime | null;
  readonly endedAt?: SpanTime | null;
}

/**
 * Reads a request body, an answer, or an object that holds both (`request` and `response`, bodies as
 * objects or as JSON strings). Null where it is neither.
 */
export function readExchange(view: JsonView): ApiExchange | null {
  const response = isAnswer(view)
    ? view
    : answerOf(view.firstOf('response', 'output', 'completion'));
  // Some log what was asked among what came back.
  const isOwn = isRequest(view) || (response === view && isAsked(view, response));
  const request = isOwn ? view : requestOf(view.firstOf('request', 'input', 'body'), response);
  if (request === null && response === null) return null;
  return makeExchange(request, response);
}

/** The same from a request and an answer that stand apart. */
export function makeExchange(request: JsonView | null, response: JsonView | null): ApiExchange {
  const read = readList(request?.firstOf('messages', 'input') ?? null);
  const answers = response === null ? [] : answersOf(response);
  const error = response?.get('error');
  return {
    messages: read.messages,
    strange: read.strange,
    system: request?.firstOf('system', 'instructions') ?? null,
    tools: request?.firstOf('tools', 'functions') ?? response?.firstOf('tools') ?? null,
    answer: mergeItems(answers, true)[0] ?? null,
    choices: response?.get('choices') === undefined ? 1 : answers.length,
    error:
      error === undefined || error.isNull
        ? failureWithoutWords(response)
        : (error.get('message')?.text ?? error.text ?? error.written),
    model: (response?.firstOf('model') ?? request?.firstOf('model'))?.text ?? null,
    usage: usageOf(response),
    // A router of several providers states what it charged.
    recordedCostUsd: statedUsd(response?.at('usage', 'cost')),
    answerId: response?.get('id')?.text ?? null,
    previousId:
      (response?.get('previous_response_id') ?? request?.get('previous_response_id'))?.text ?? null,
    answerRecord: response,
    requestRecord: request,
  };
}

function usageOf(response: JsonView | null): Usage | null {
  const usage = readUsage(response?.firstOf('usage', 'usageMetadata'));
  const fees = feesOfItems(response?.get('output')?.items ?? []);
  if (usage === null || fees === 0) return usage;
  return { ...usage, ...feeRequests((usage.feeRequests ?? 0) + fees) };
}

function failureWithoutWords(response: JsonView | null): string | null {
  const status = response?.get('object')?.text === 'response' ? response.get('status')?.text : null;
  return status === 'failed' || status === 'cancelled' ? `The API says: ${status}` : null;
}

/** The messages of a list; items of the Responses API that make one answer are put together. */
export function readList(list: JsonView | null): { messages: ChatMessage[]; strange: JsonView[] } {
  const messages: ChatMessage[] = [];
  const strange: JsonView[] = [];
  // The Responses API takes a prompt as it is.
  if (list !== null && list.text !== null) messages.push(readContent('user', list, list));
  for (const item of list?.items ?? []) {
    const message = answerAmongMessages(item) ?? readChatMessage(item);
    if (message === null) strange.push(item);
    else messages.push(message);
  }
  return { messages: mergeItems(messages, false), strange };
}

/** A whole answer that a program appended to its messages, with what the API said of it; null for others. */
export function answerAmongMessages(item: JsonView): ChatMessage | null {
  if (!isAnswer(item)) return null;
  const { answer, model, usage, recordedCostUsd, answerId } = makeExchange(null, item);
  if (answer === null) return null;
  return { ...answer, stated: { model, usage, recordedCostUsd, callId: answerId } };
}

function requestOf(view: JsonView | undefined, response: JsonView | null): JsonView | null {
  const body = view?.get('body') ?? view;
  const held = body?.text === null ? body : body?.inner();
  if (held === undefined || held === null) return null;
  return isRequest(held) || isAsked(held, response) ? held : null;
}

/** Input beside an answer of the Responses API is what was asked, also where nothing else tells it. */
export function isAsked(request: JsonView, response: JsonView | null): boolean {
  const input = request.get('input');
  const isInput = input?.isArray === true || typeof input?.text === 'string';
  const isOfResponses =
    response?.get('object')?.text === 'response' || response?.get('output')?.isArray === true;
  return isInput && isOfResponses;
}

function answerOf(view: JsonView | undefined): JsonView | null {
  const body = view?.get('body') ?? view;
  const held = body?.text === null ? body : body?.inner();
  return held !== undefined && held !== null && isAnswer(held) ? held : null;
}

export function isRequest(view: JsonView): boolean {
  if (view.get('messages')?.isArray === true) return true;
  const isResponse =
    view.get('object')?.text === 'response' || view.get('output')?.isArray === true;
  if (isResponse || view.get('model') === undefined) return false;
  const input = view.get('input');
  if (input?.isArray === true) return true;
  // One text is a request too; other APIs (embeddings, speech, moderation) take it without any of these.
  return typeof input?.text === 'string' && OF_RESPONSES.some((key) => view.get(key) !== undefined);
}

const OF_RESPONSES = [
  'stream',
  'instructions',
  'tools',
  'previous_response_id',
  'conversation',
  'max_output_tokens',
  'reasoning',
  'store',
];

const ITEM_TEXT = /^(output_text|refusal)$/;

export function isAnswer(view: JsonView): boolean {
  if (view.get('choices')?.isArray === true || view.get('object')?.text === 'response') return true;
  if (view.get('type')?.text === 'message' && view.get('role')?.text === 'assistant') {
    // An item of the Responses API has the same two, and is one message among others.
    return (
      view.get('content')?.items.some((block) => ITEM_TEXT.test(block.get('type')?.text ?? '')) !==
      true
    );
  }
  return view.get('error')?.isObject === true && view.get('messages') === undefined;
}

function answersOf(response: JsonView): ChatMessage[] {
  const choices = response.get('choices');
  if (choices?.isArray === true) {
    return choices.items.flatMap((choice) => {
      const message = choice.get('message');
      return message === undefined ? [] : (readChatMessage(message) ?? []);
    });
  }
  const output = response.get('output');
  if (output?.isArray === true) {
    // What is not known yet is a part of the answer all the same.
    return output.items.map(
      (item) =>
        readChatMessage(item) ?? {
          ...readContent('assistant', undefined, item),
          parts: [{ kind: 'other' as const, place: item, text: null, redacted: false }],
        },
    );
  }
  const own = readChatMessage(response);
  return own === null ? [] : [own];
}

/** Items of the Responses API have a type of their own, also messages. */
function isItem({ role, place, calls, stated, morePlaces }: ChatMessage): boolean {
  if (role !== 'assistant' || stated !== undefined) return false;
  // Calls in a message of its own are another API's; those of further items were put to it here.
  const isOwn = calls.length === 0 || morePlaces !== undefined;
  const isText = place.get('type')?.text === 'message' && isOwn;
  return isText || isResponseItem(place);
}

/** Consecutive items of one answer as one message; with `all`, whatever messages stand there. */
export function mergeItems(messages: readonly ChatMessage[], all: boolean): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const joins = last !== undefined && (all || (isItem(last) && isItem(message)));
    if (!joins || last === undefined) {
      merged.push(message);
      continue;
    }
    merged[merged.length - 1] = {
      ...last,
      parts: [...last.parts, ...message.parts],
      calls: [...last.calls, ...message.calls],
      results: [...last.results, ...message.results],
      tools: [...last.tools, ...message.tools],
      morePlaces: [...(last.morePlaces ?? []), message.place],
    };
  }
  return merged;
}
