import { type ContentPart, notCaptured, type Origin } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import {
  BY_ID,
  isEmptyAt,
  type Moment,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** A message of the older OpenCode and of Crush: one row with a list of `{type, data}`. */
export interface GoMessage {
  readonly record: Origin;
  readonly id: string | null;
  readonly role: string;
  readonly model: string | null;
  readonly at: Moment | null;
  readonly end: Moment | null;
  readonly parts: JsonPlace;
}

export function addGoMessage(writer: RunWriter, message: GoMessage): RecordFate {
  const { role } = message;
  const { length } = writer.steps;
  if (role === 'user') addUser(writer, message);
  else if (role === 'assistant') addAssistant(writer, message);
  else if (role === 'tool') return addResults(writer, message);
  else return `unknown role ${firstLine(role, 60)}`;
  return writer.steps.length > length ? null : NO_CONTENT;
}

function addUser(writer: RunWriter, { record, at, parts }: GoMessage): void {
  const content: ContentPart[] = [];
  const texts: string[] = [];
  for (const part of parts.items()) {
    const text = part.get('data').get('text');
    if (text.text() === null) content.push(otherPart(part));
    else {
      content.push(textPart(text));
      texts.push(text.text() ?? '');
    }
  }
  if (content.length > 0) writer.userTurn(record, at, content, texts.join('\n'));
}

function otherPart(part: JsonPlace): ContentPart {
  const isImage = /^(?:image_url|binary)$/.test(part.get('type').text() ?? '');
  return { kind: isImage ? 'image' : 'other', value: part.value() };
}

function addAssistant(writer: RunWriter, message: GoMessage): void {
  const { record, at, end, model, id, parts } = message;
  const items = parts.items().filter((part) => part.get('type').text() !== 'finish');
  if (items.length === 0) return;
  writer.model ??= model;
  const step = writer.step(record, at, { kind: 'model', name: 'Model call', model, callId: id });
  if (end !== null) writer.endAt(step, end);
  const called: string[] = [];
  for (const part of items) {
    const data = part.get('data');
    const type = part.get('type').text();
    if (type === 'tool_call') {
      called.push(addCall(writer, record, data, end ?? at));
    } else if (type === 'reasoning') {
      const text = data.get('thinking');
      if ((text.text() ?? '') !== '') step.content.push(textPart(text, 'thinking'));
    } else if (type === 'text' && data.get('text').text() !== null) {
      step.content.push(textPart(data.get('text')));
      step.summary ||= firstLine(data.get('text').text() ?? '');
    } else step.content.push(otherPart(part));
  }
  step.summary ||= called.length > 0 ? firstLine(`calls ${called.join(', ')}`) : '';
}

function addCall(writer: RunWriter, record: Origin, data: JsonPlace, at: Moment | null): string {
  const name = data.get('name').text() ?? '';
  const given = data.get('input');
  writer.call(record, {
    name,
    kind: name === 'agent' ? 'agent' : 'tool',
    callId: data.get('id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at,
  });
  return name;
}

function addResults(writer: RunWriter, { record, at, parts }: GoMessage): RecordFate {
  let taken = 0;
  for (const part of parts.items()) {
    const data = part.get('data');
    if (part.get('type').text() !== 'tool_result') continue;
    const step = writer.takeOpen(data.get('tool_call_id').text());
    if (step === null) continue;
    taken += 1;
    const content = data.get('content');
    const failed = data.get('is_error').isTrue();
    const said = firstLine(content.text() ?? '', 200);
    writer.answer(step, record, {
      status: failed ? 'error' : 'ok',
      reason: failed ? said || 'The call failed.' : null,
      result: content.isThere ? content.value(cutsInResult(content.view)) : notCaptured('logged'),
      emptyResult: isEmptyAt(content),
      at,
      pairing: BY_ID,
    });
  }
  return taken > 0 ? null : 'a result whose call is not in the session';
}
