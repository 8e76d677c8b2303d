import { type ContentPart, notCaptured, type Origin, type Step } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import {
  type Answer,
  BY_ID,
  isEmptyAt,
  type Moment,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

export interface GooseMessage {
  readonly record: Origin;
  readonly id: string | null;
  readonly role: string;
  readonly at: Moment | null;
  readonly content: JsonPlace;
  readonly metadata: JsonPlace | null;
}

const DECLINED = /^The user has declined to run this tool/;

/** Turns one message into steps. Results of calls stand in messages of the user. */
export function addGooseMessage(writer: RunWriter, message: GooseMessage): RecordFate {
  const { record, role, at, content, metadata } = message;
  if (role !== 'user' && role !== 'assistant') return `unknown role ${firstLine(role, 60)}`;
  const { length } = writer.steps;
  let answered = 0;
  let stray = 0;
  const calls: JsonPlace[] = [];
  const parts: ContentPart[] = [];
  const texts: string[] = [];
  for (const block of content.items()) {
    const type = block.get('type').text() ?? '';
    if (type === 'toolResponse') {
      if (addAnswer(writer, record, block, at)) answered += 1;
      else stray += 1;
    } else if (type === 'toolRequest' || type === 'frontendToolRequest') calls.push(block);
    else {
      parts.push(partOf(block, type));
      if (type === 'text') texts.push(block.get('text').text() ?? '');
    }
  }
  const text = texts.join('\n').trim();
  if (metadata?.get('userVisible').isFalse() === true && parts.length > 0) {
    addContext(writer, record, at, parts, text);
  } else if (role === 'user' && parts.length > 0) writer.userTurn(record, at, parts, text);
  else if (role === 'assistant' && parts.length + calls.length > 0) {
    const names = calls.map((call) => nameOf(call)).join(', ');
    const step = writer.step(record, at, {
      kind: 'model',
      name: 'Model call',
      model: writer.model,
      callId: message.id,
      summary: firstLine(text) || (names === '' ? '(thinking)' : firstLine(`calls ${names}`)),
    });
    step.content.push(...parts);
  }
  for (const call of calls) addCall(writer, record, call, at);
  if (writer.steps.length > length || answered > 0) return null;
  return stray > 0 ? 'a result whose call is not in the session' : NO_CONTENT;
}

function addContext(
  writer: RunWriter,
  record: Origin,
  at: Moment | null,
  content: ContentPart[],
  text: string,
): void {
  const name = 'Context for the model alone';
  writer.step(record, at, { kind: 'context', name, content, summary: firstLine(text) });
}

function partOf(block: JsonPlace, type: string): ContentPart {
  if (type === 'text' && block.get('text').text() !== null) return textPart(block.get('text'));
  if (type === 'thinking' && block.get('thinking').text() !== null) {
    return textPart(block.get('thinking'), 'thinking');
  }
  const value = block.value();
  if (type === 'redactedThinking') {
    return { kind: 'thinking', value: { ...value, state: 'redacted' } };
  }
  return { kind: type === 'image' ? 'image' : 'other', value };
}

function nameOf(call: JsonPlace): string {
  return call.get('toolCall').get('value').get('name').text() ?? '(no name)';
}

/** `extension__tool`, split at the first `__`. */
function splitName(name: string): { server: string | null; tool: string } {
  const at = name.indexOf('__');
  return at > 0 && at + 2 < name.length
    ? { server: name.slice(0, at), tool: name.slice(at + 2) }
    : { server: null, tool: name };
}

function addCall(writer: RunWriter, record: Origin, call: JsonPlace, at: Moment | null): Step {
  const asked = call.get('toolCall');
  const given = asked.get('value').get('arguments');
  const { server, tool } = splitName(nameOf(call));
  const step = writer.call(record, {
    name: tool,
    server,
    tool,
    callId: call.get('id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at,
  });
  if (asked.get('status').text() === 'error') {
    const said = firstLine(asked.get('error').text() ?? asked.get('error').written() ?? '', 200);
    writer.settle(step, 'neverReached', said || 'The client could not read the call.');
  }
  return step;
}

function addAnswer(
  writer: RunWriter,
  record: Origin,
  block: JsonPlace,
  at: Moment | null,
): boolean {
  const id = block.get('id').text();
  const step = writer.takeOpen(id) ?? null;
  const told = block.get('toolResult');
  if (step === null) return false;
  const failed = told.get('status').text() === 'error';
  const value = failed ? told.get('error') : told.get('value');
  const list = value.kind === 'array' ? value : value.get('content');
  const text =
    value.text() ??
    list
      .items()
      .flatMap((each) => each.get('text').text() ?? [])
      .join('\n');
  writer.answer(step, record, {
    ...verdictOf(failed || value.get('isError').isTrue(), text, value),
    result: value.isThere ? value.value(cutsInResult(value.view)) : notCaptured('logged'),
    emptyResult: isEmptyAt(value),
    at,
    pairing: BY_ID,
  });
  return true;
}

function verdictOf(
  failed: boolean,
  text: string,
  value: JsonPlace,
): Pick<Answer, 'status' | 'reason'> {
  const reason = firstLine(text, 200);
  if (DECLINED.test(text)) return { status: 'rejected', reason };
  if (failed) return { status: 'error', reason: reason || 'The call failed.' };
  return value.isThere
    ? { status: 'ok', reason: null }
    : { status: 'unknown', reason: 'Recorded as answered, but without the answer.' };
}
