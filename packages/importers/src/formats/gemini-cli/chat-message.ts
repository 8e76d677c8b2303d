import {
  type ContentPart,
  notCaptured,
  type Step,
  type StepStatus,
  type Usage,
} from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import {
  type Answer,
  addOrigin,
  BY_ID,
  isEmptyAt,
  type Moment,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';
import { decimalToNs } from '../../source-time.ts';

/** A message and the record where it first stood: later ones replace it as it grows. */
export interface ChatMessage {
  readonly first: JsonPlace;
  readonly last: JsonPlace;
  /** The record that the last one stands in. */
  readonly record: JsonPlace;
}

/** Turns one message of a chat into steps; returns why it can't, or null. */
export function addChatMessage(
  writer: RunWriter,
  { first, last, record }: ChatMessage,
  before: Moment | null,
): string | null {
  const type = last.get('type').text() ?? '';
  if (type === 'user' && isAnswers(last.get('content')))
    return addAnswers(writer, { first, last, record });
  const at = momentAt(last.get('timestamp'));
  const parts = contentParts(last.get('content')).filter(({ text }) => text !== '');
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  const values = parts.map(({ part }) => part);
  const steps: Step[] = [];
  if (type === 'user' && /^\s*<session_context>/.test(text)) {
    writer.turn = null;
    steps.push(writer.note(first.origin(), at, 'Session context', values, text));
  } else if (type === 'user') steps.push(writer.userTurn(first.origin(), at, values, text));
  else if (type === 'gemini')
    for (const each of addModelMessage(writer, { first, last, record }, { values, text }, before)) {
      steps.push(each);
    }
  else if (type === 'info' || type === 'error' || type === 'warning') {
    const name = type === 'info' ? 'Information' : type === 'error' ? 'Client error' : 'Warning';
    steps.push(writer.note(first.origin(), at, name, values, text));
  } else return `unknown message type ${firstLine(type, 60)}`;
  for (const step of steps) addOrigin(step, record.origin());
  return null;
}

/** Since 2026 answers of tools are written once more, as messages of the user. */
function isAnswers(content: JsonPlace): boolean {
  const parts = content.items();
  return parts.length > 0 && parts.every((part) => part.get('functionResponse').isThere);
}

/** The call has its answer from the message that made it; where it hasn't, this is it. */
function addAnswers(writer: RunWriter, { first, last: message, record }: ChatMessage): null {
  const at = momentAt(message.get('timestamp'));
  for (const part of message.get('content').items()) {
    const answer = part.get('functionResponse');
    const id = answer.get('id').text();
    const step = writer.lastCall(id);
    if (step === null) {
      const content = [{ kind: 'other', value: answer.value() } as const];
      const note = writer.note(first.origin(), at, 'Result without a call', content);
      addOrigin(note, record.origin());
      continue;
    }
    if (writer.takeOpen(id) === null) {
      addOrigin(step, message.origin());
      continue;
    }
    const response = answer.get('response');
    const result = onlyOutput(response);
    writer.answer(step, message.origin(), {
      status: response.get('error').isThere ? 'error' : 'ok',
      reason: response.get('error').isThere ? firstLine(result.text() ?? '', 200) : null,
      result: result.isThere ? result.value() : notCaptured('logged'),
      emptyResult: isEmptyAt(result),
      at,
      pairing: BY_ID,
    });
  }
  return null;
}

function addModelMessage(
  writer: RunWriter,
  { first, last }: ChatMessage,
  { values, text }: { values: ContentPart[]; text: string },
  before: Moment | null,
): Step[] {
  const at = momentAt(last.get('timestamp'));
  const model = last.get('model').text();
  writer.model ??= model;
  const thoughts = last
    .get('thoughts')
    .items()
    .map((thought) => thought.get('description'))
    .filter((description) => description.text() !== null)
    .map((description) => textPart(description, 'thinking'));
  const calls = last.get('toolCalls').items();
  const names = calls.map((call) => call.get('name').text() ?? '?').join(', ');
  const step = writer.step(first.origin(), at, {
    kind: 'model',
    name: 'Model call',
    model,
    callId: last.get('id').text(),
    usage: usageOf(last.get('tokens')),
    content: [...thoughts, ...values],
    summary: firstLine(text) || (names === '' ? '' : `calls ${names}`),
  });
  const isAfter = before !== null && at !== null && before.clock === at.clock && before.ns <= at.ns;
  if (at !== null) writer.deriveTime(step, isAfter ? before : at, at);
  let earliest = at;
  const steps = [step];
  for (const call of calls) {
    const end = momentAt(call.get('timestamp'));
    steps.push(addToolCall(writer, first, call, earliest, end));
    earliest = end ?? earliest;
  }
  return steps;
}

/** Input holds what came from the cache; thoughts are counted apart from the answer. */
function usageOf(tokens: JsonPlace): Usage | null {
  const input = tokens.get('input').count();
  const output = tokens.get('output').count();
  const thoughts = tokens.get('thoughts').count() ?? 0;
  // A message whose numbers never came is written with zeros.
  if ((input === null && output === null) || (input === 0 && output === 0)) return null;
  return {
    inputTokens: input,
    outputTokens: output === null ? null : output + thoughts,
    cacheReadTokens: tokens.get('cached').count(),
    cacheWriteTokens: null,
    inputExcludesCache: false,
  };
}

function addToolCall(
  writer: RunWriter,
  record: JsonPlace,
  call: JsonPlace,
  earliest: Moment | null,
  end: Moment | null,
): Step {
  const written = call.get('name').text() ?? '';
  const shown = /^(.{1,200}) \((.{1,200}) MCP Server\)$/.exec(call.get('displayName').text() ?? '');
  const given = call.get('args');
  const step = writer.call(record.origin(), {
    name: shown?.[1] ?? written,
    server: shown?.[2] ?? null,
    tool: shown?.[1] ?? written,
    callId: call.get('id').text(),
    arguments: given.isThere ? given.value() : null,
    summary: summaryOfArguments(given),
    at: null,
  });
  const start = startOf(call.get('id').text() ?? '', earliest, end);
  if (start !== null) writer.deriveTime(step, start, end);
  const status = call.get('status').text();
  const result = resultOfCall(call.get('result'));
  if (!result.isThere && (status === null || WAITING.has(status))) return step;
  const cuts = cutsInResult(result.view);
  writer.answer(step, null, {
    ...verdictOf(status, result, call.get('resultDisplay')),
    result: result.isThere ? result.value(cuts) : notCaptured('logged'),
    emptyResult: isEmptyAt(result),
    at: start === null ? end : null,
    pairing: BY_ID,
  });
  return step;
}

/** The id holds the millisecond at which the call was made; else it began after what came before. */
function startOf(id: string, earliest: Moment | null, end: Moment | null): Moment | null {
  const digits = /-(\d{13})-[0-9a-f]+$/.exec(id)?.[1];
  const ns = digits === undefined ? null : decimalToNs(digits, 'ms');
  if (digits !== undefined && ns !== null && end !== null && ns <= end.ns) {
    return { clock: 'zoned', ns, text: digits };
  }
  return earliest !== null && (end === null || earliest.ns <= end.ns) ? earliest : null;
}

const WAITING: ReadonlySet<string> = new Set([
  'awaiting_approval',
  'executing',
  'scheduled',
  'validating',
]);

/** One response is shown by its `output` or `error` where that is all of it. */
function resultOfCall(result: JsonPlace): JsonPlace {
  const items = result.items();
  const response = items[0]?.get('functionResponse').get('response');
  return items.length === 1 && response?.isThere ? onlyOutput(response) : result;
}

export function onlyOutput(response: JsonPlace): JsonPlace {
  const [key, ...others] = response.entries().keys();
  const isOnly = others.length === 0 && (key === 'output' || key === 'error');
  return isOnly && key !== undefined ? response.get(key) : response;
}

function verdictOf(
  status: string | null,
  result: JsonPlace,
  display: JsonPlace,
): Pick<Answer, 'status' | 'reason'> {
  const said = result.text() ?? result.get('error').text() ?? display.text() ?? '';
  const reason = firstLine(said, 200);
  const known: StepStatus | undefined = STATUSES.get(status ?? '');
  if (known === undefined)
    return { status: 'unknown', reason: `Recorded as "${firstLine(status ?? '', 60)}".` };
  if (known !== 'ok') return { status: known, reason: reason || `Recorded as "${status}".` };
  return result.isThere
    ? { status: 'ok', reason: null }
    : { status: 'unknown', reason: 'Recorded as "success", but without its result.' };
}

const STATUSES: ReadonlyMap<string, StepStatus> = new Map([
  ['success', 'ok'],
  ['error', 'error'],
  ['cancelled', 'cancelled'],
]);

/** Content is a string, a part or parts. */
export function contentParts(content: JsonPlace): { part: ContentPart; text: string | null }[] {
  if (content.kind === 'string') return [{ part: textPart(content), text: content.text() }];
  const places = content.kind === 'array' ? content.items() : content.isThere ? [content] : [];
  return places.map((place) => {
    if (place.kind === 'string') return { part: textPart(place), text: place.text() };
    const named = place.get('text');
    const text = named.text();
    const isThought = place.get('thought').isTrue();
    if (text !== null) {
      return {
        part: textPart(named, isThought ? 'thinking' : 'text'),
        text: isThought ? null : text,
      };
    }
    const mime = place.get('inlineData').get('mimeType').text() ?? '';
    const kind = mime.startsWith('image/') ? 'image' : 'other';
    return { part: { kind, value: place.value() }, text: null };
  });
}
