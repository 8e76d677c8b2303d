import { type ContentPart, notCaptured, type Usage } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { contentPart } from '../../message-steps.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, REPEATED, type RecordFate } from '../../record-ledger.ts';
import {
  type Answer,
  addOrigin,
  BY_ID,
  isEmptyAt,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** Turns one item of a session's history into steps. */
export function addHistoryItem(writer: RunWriter, item: JsonPlace): RecordFate {
  const message = item.get('message');
  const role = message.get('role').text();
  const { length } = writer.steps;
  if (role === 'tool') return addToolMessage(writer, item, message);
  if (role === 'user') addUser(writer, item, message);
  else if (role === 'assistant' || role === 'thinking') addAssistant(writer, item, message);
  else if (role === 'system') addNote(writer, item, message);
  else return `unknown role ${firstLine(role ?? '', 60)}`;
  if (item.get('conversationSummary').text() !== null) {
    const summary = item.get('conversationSummary');
    writer.step(item.origin(), null, {
      kind: 'context',
      name: 'Context summary',
      content: [textPart(summary)],
      summary: firstLine(summary.text() ?? ''),
    });
  }
  return writer.steps.length > length ? null : NO_CONTENT;
}

/** Text, or a list of parts; empty text is none. */
function contentOf(content: JsonPlace): { parts: ContentPart[]; text: string } {
  const parts: ContentPart[] = [];
  const texts: string[] = [];
  for (const block of content.kind === 'array' ? content.items() : [content]) {
    if (!block.isThere || block.text() === '') continue;
    const isImage = block.get('type').text() === 'imageUrl';
    const { part, text } = contentPart(block);
    parts.push(isImage ? { ...part, kind: 'image' } : part);
    if (text !== null) texts.push(text);
  }
  return { parts, text: texts.join('\n') };
}

function addUser(writer: RunWriter, item: JsonPlace, message: JsonPlace): void {
  const { parts, text } = contentOf(message.get('content'));
  for (const context of item.get('contextItems').items()) {
    parts.push({ kind: 'document', value: context.value() });
  }
  if (parts.length > 0) writer.userTurn(item.origin(), null, parts, text);
}

function addNote(writer: RunWriter, item: JsonPlace, message: JsonPlace): void {
  const { parts, text } = contentOf(message.get('content'));
  if (parts.length > 0) writer.note(item.origin(), null, 'System prompt', parts, text);
}

function addAssistant(writer: RunWriter, item: JsonPlace, message: JsonPlace): void {
  const isThought = message.get('role').text() === 'thinking';
  const { parts, text } = contentOf(message.get('content'));
  const reasoning = item.get('reasoning');
  const thought = reasoning.get('text');
  const calls = message.get('toolCalls').items();
  const hasThought = (thought.text() ?? '') !== '';
  if (parts.length + calls.length === 0 && !hasThought) return;
  const logged = item.get('promptLogs').items()[0]?.get('modelTitle').text();
  const model = logged ?? message.get('usage').get('model').text() ?? writer.model;
  writer.model ??= model;
  const step = writer.step(item.origin(), momentAt(reasoning.get('startAt')), {
    kind: 'model',
    name: 'Model call',
    model,
    usage: usageOf(message.get('usage')),
  });
  if (hasThought) step.content.push(textPart(thought, 'thinking'));
  step.content.push(
    ...parts.map((part) => (isThought ? { ...part, kind: 'thinking' as const } : part)),
  );
  const names = calls.map((call) => call.get('function').get('name').text() ?? '').join(', ');
  const shown = isThought ? '' : firstLine(text);
  step.summary = shown || (names === '' ? '(thinking)' : firstLine(`calls ${names}`));
  const states = new Map(
    item
      .get('toolCallStates')
      .items()
      .map((state) => [state.get('toolCallId').text() ?? '', state]),
  );
  // Older versions keep the one call that they allow in a field of its own.
  const single = item.get('toolCallState');
  if (single.isThere) states.set(single.get('toolCallId').text() ?? '', single);
  for (const call of calls) addCall(writer, item, call, states.get(call.get('id').text() ?? ''));
}

function addCall(
  writer: RunWriter,
  item: JsonPlace,
  call: JsonPlace,
  state: JsonPlace | undefined,
): void {
  const given = call.get('function').get('arguments');
  const step = writer.call(item.origin(), {
    name: call.get('function').get('name').text() ?? '',
    callId: call.get('id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at: null,
  });
  if (state === undefined) return;
  const output = state.get('output');
  const verdict = verdictOf(state, output);
  if (verdict === null) {
    const status = firstLine(state.get('status').text() ?? 'nothing', 60);
    step.statusReason = `Recorded as "${status}": it never ended.`;
    return;
  }
  writer.answer(step, null, {
    ...verdict,
    result: output.isThere ? output.value(cutsInResult(output.view)) : notCaptured('logged'),
    emptyResult: output.isThere ? isEmptyOutput(output) : null,
    at: null,
    pairing: BY_ID,
  });
}

/** Context items hold their text under `content`. */
function isEmptyOutput(output: JsonPlace): boolean {
  return output.items().every((each) => isEmptyAt(each.get('content')) ?? true);
}

function verdictOf(state: JsonPlace, output: JsonPlace): Pick<Answer, 'status' | 'reason'> | null {
  const said = firstLine(output.items()[0]?.get('content').text() ?? '', 200);
  switch (state.get('status').text()) {
    case 'done':
      return output.isThere
        ? { status: 'ok', reason: null }
        : { status: 'unknown', reason: 'Recorded as done, but without its output.' };
    case 'errored':
      if (/^Tool \S{1,200} not found$/.test(said)) return { status: 'neverReached', reason: said };
      return { status: 'error', reason: said || 'The call failed.' };
    case 'canceled':
      return { status: 'cancelled', reason: 'The person refused or stopped the call.' };
    default:
      return null;
  }
}

/** What a call gave, once more as the message that the model was sent. */
function addToolMessage(writer: RunWriter, item: JsonPlace, message: JsonPlace): RecordFate {
  const id = message.get('toolCallId').text();
  const content = message.get('content');
  const step = writer.takeOpen(id);
  if (step === null) {
    const answered = writer.lastCall(id);
    if (answered === null) return 'a result whose call is not in the session';
    addOrigin(answered, item.origin());
    return REPEATED;
  }
  writer.answer(step, item.origin(), {
    status: 'ok',
    result: content.isThere ? content.value(cutsInResult(content.view)) : notCaptured('logged'),
    emptyResult: isEmptyAt(content),
    at: null,
    pairing: BY_ID,
  });
  return null;
}

/** The editor writes names of its own, the command line those of the model's API. */
function usageOf(usage: JsonPlace): Usage | null {
  const countOf = (place: JsonPlace, ...keys: readonly string[]): number | null =>
    keys.map((key) => place.get(key).count()).find((count) => count !== null) ?? null;
  const inputTokens = countOf(usage, 'promptTokens', 'prompt_tokens');
  const outputTokens = countOf(usage, 'completionTokens', 'completion_tokens');
  if (inputTokens === null && outputTokens === null) return null;
  const own = usage.get('promptTokensDetails');
  const details = own.isThere ? own : usage.get('prompt_tokens_details');
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: countOf(details, 'cachedTokens', 'cached_tokens'),
    cacheWriteTokens: null,
    inputExcludesCache: false,
  };
}
