import { type ContentPart, notCaptured, type Origin, type Step, type Usage } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { anthropicUsage } from '../../message-steps.ts';
import { firstLine } from '../../one-line.ts';
import {
  BY_ID,
  isEmptyAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** Tokens of requests, by the id of the user's message that they answered. */
export type UsageOfMessage = (messageId: string) => Usage | null;

/** Turns one message of a thread into steps: of the current form, or of the one before. */
export function addThreadMessage(
  writer: RunWriter,
  record: Origin,
  message: JsonPlace,
  usageOf: UsageOfMessage,
): void {
  const user = message.get('User');
  const agent = message.get('Agent');
  if (user.isThere) addUser(writer, record, user);
  else if (agent.isThere) addAgent(writer, record, agent, usageOf);
  else if (message.get('role').isThere) addOldMessage(writer, record, message);
  else if (message.text() === 'Resume') {
    writer.step(record, null, { kind: 'note', name: 'Resumed', summary: '' });
  } else if (message.isThere) {
    writer.note(record, null, 'Message', [{ kind: 'other', value: message.value() }]);
  }
}

function addUser(writer: RunWriter, record: Origin, user: JsonPlace): void {
  const parts: ContentPart[] = [];
  const texts: string[] = [];
  for (const block of user.get('content').items()) {
    const text = block.get('Text');
    if (text.text() !== null) {
      parts.push(textPart(text));
      texts.push(text.text() ?? '');
    } else {
      const kind = block.get('Image').isThere ? 'image' : 'document';
      parts.push({ kind, value: block.value() });
    }
  }
  const turn = writer.userTurn(record, null, parts, texts.join('\n'));
  turn.callId = user.get('id').text();
}

function addAgent(
  writer: RunWriter,
  record: Origin,
  agent: JsonPlace,
  usageOf: UsageOfMessage,
): void {
  const step = writer.step(record, null, {
    kind: 'model',
    name: 'Model call',
    model: writer.model,
    usage: usageOf(writer.turn?.callId ?? ''),
  });
  const called: string[] = [];
  const results = agent.get('tool_results');
  for (const block of agent.get('content').items()) {
    const text = block.get('Text');
    const thought = block.get('Thinking').get('text');
    const call = block.get('ToolUse');
    if (text.text() !== null) {
      step.content.push(textPart(text));
      step.summary ||= firstLine(text.text() ?? '');
    } else if (thought.text() !== null) step.content.push(textPart(thought, 'thinking'));
    else if (call.isThere) {
      called.push(call.get('name').text() ?? '');
      addCall(writer, record, call, results);
    } else {
      const isHidden = block.get('RedactedThinking').isThere;
      const value = block.value();
      step.content.push(
        isHidden
          ? { kind: 'thinking', value: { ...value, state: 'redacted' } }
          : { kind: 'other', value },
      );
    }
  }
  step.summary ||= called.length > 0 ? firstLine(`calls ${called.join(', ')}`) : '(thinking)';
}

function addCall(writer: RunWriter, record: Origin, call: JsonPlace, results: JsonPlace): void {
  const id = call.get('id').text();
  const given = call.get('input').isThere ? call.get('input') : call.get('raw_input');
  const step = openCall(writer, record, call, given);
  const result = results.get(id ?? '');
  if (result.isThere) answer(writer, step, result);
  else if (call.get('is_input_complete').isFalse()) {
    step.status = 'interrupted';
    step.statusReason = 'The model did not finish the arguments.';
  }
}

function openCall(writer: RunWriter, record: Origin, call: JsonPlace, given: JsonPlace): Step {
  return writer.call(record, {
    name: call.get('name').text() ?? '',
    callId: call.get('id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at: null,
  });
}

function answer(writer: RunWriter, step: Step, result: JsonPlace): void {
  const content = result.get('content');
  const failed = result.get('is_error').isTrue();
  const text = content.text() ?? content.get('Text').text() ?? '';
  writer.answer(step, null, {
    status: failed ? 'error' : 'ok',
    reason: failed ? firstLine(text, 200) || 'The call failed.' : null,
    result: content.isThere
      ? bare(content).value(cutsInResult(bare(content).view))
      : notCaptured('logged'),
    emptyResult: isEmptyAt(bare(content)),
    at: null,
    pairing: BY_ID,
  });
}

/** `{"Text": "..."}` is that text. */
function bare(content: JsonPlace): JsonPlace {
  return content.get('Text').text() === null ? content : content.get('Text');
}

/** Before the `User` and `Agent` forms: results stand in the user's message that follows. */
function addOldMessage(writer: RunWriter, record: Origin, message: JsonPlace): void {
  for (const result of message.get('tool_results').items()) {
    const step = writer.takeOpen(result.get('tool_use_id').text());
    if (step !== null) answer(writer, step, result);
  }
  const parts: ContentPart[] = [];
  const texts: string[] = [];
  for (const segment of message.get('segments').items()) {
    const text = segment.get('text');
    if (text.text() === null) {
      const kind = /thinking/i.test(segment.get('type').text() ?? '') ? 'thinking' : 'other';
      parts.push({ kind, value: segment.value() });
      continue;
    }
    const isThought = segment.get('type').text() === 'thinking';
    parts.push(textPart(text, isThought ? 'thinking' : 'text'));
    if (!isThought) texts.push(text.text() ?? '');
  }
  const text = texts.join('\n').trim();
  const calls = message.get('tool_uses').items();
  const role = message.get('role').text() ?? '';
  if (role === 'user') {
    if (parts.length > 0) writer.userTurn(record, null, parts, text);
    return;
  }
  if (parts.length + calls.length === 0) return;
  const names = calls.map((call) => call.get('name').text() ?? '').join(', ');
  const isModel = role === 'assistant';
  const step = writer.step(record, null, {
    kind: isModel ? 'model' : 'note',
    name: isModel ? 'Model call' : role || 'Message',
    model: isModel ? writer.model : null,
    summary: firstLine(text) || (names === '' ? '' : firstLine(`calls ${names}`)),
  });
  step.content.push(...parts);
  for (const call of calls) openCall(writer, record, call, call.get('input'));
}

/** Counted by request; the keys are ids of the user's messages. */
export function usagesOf(thread: JsonPlace): UsageOfMessage {
  const byMessage = thread.get('request_token_usage');
  const told = new Set<string>();
  return (messageId) => {
    if (messageId === '' || byMessage.kind !== 'object' || told.has(messageId)) return null;
    told.add(messageId);
    return anthropicUsage(byMessage.get(messageId));
  };
}
