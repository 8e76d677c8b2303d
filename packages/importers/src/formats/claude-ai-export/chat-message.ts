import { type ContentPart, notCaptured, type Step } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { contentPart } from '../../message-steps.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import {
  BY_ID,
  isEmptyAt,
  type Moment,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** Turns a message into steps; calls and results both stand in the assistant's. */
export function addChatMessage(writer: RunWriter, message: JsonPlace): RecordFate {
  const sender = message.get('sender').text();
  const at = momentAt(message.get('created_at'));
  const blocks = message.get('content').items();
  if (sender === 'human') {
    const content = [...humanParts(message, blocks), ...attachmentsOf(message)];
    const text = message.get('text').text() || blocks[0]?.get('text').text() || '';
    writer.userTurn(message.origin(), at, content, text);
    return null;
  }
  if (sender !== 'assistant') return `unknown sender ${firstLine(sender ?? '', 60)}`;
  if (blocks.length === 0) {
    const text = message.get('text');
    const content = text.text() ? [textPart(text)] : [];
    const summary = firstLine(text.text() ?? '');
    writer.step(message.origin(), at, { kind: 'model', name: 'Model call', content, summary });
    return null;
  }
  return new AssistantMessage(writer, message, at).add(blocks);
}

/** `text` repeats the blocks, or is empty where they say it. */
function humanParts(message: JsonPlace, blocks: readonly JsonPlace[]): ContentPart[] {
  if (blocks.length > 0) return blocks.map((block) => contentPart(block).part);
  const text = message.get('text');
  return text.text() ? [textPart(text)] : [];
}

function attachmentsOf(message: JsonPlace): ContentPart[] {
  const attached = message
    .get('attachments')
    .items()
    .map((attachment): ContentPart => {
      const content = attachment.get('extracted_content');
      const isRead = content.text() !== null;
      return isRead
        ? textPart(content, 'document')
        : { kind: 'document', value: attachment.value() };
    });
  // Of files the export holds the name alone.
  const named = message
    .get('files')
    .items()
    .map((file): ContentPart => ({ kind: 'document', value: file.value() }));
  return [...attached, ...named];
}

const QUIET_BLOCKS: ReadonlySet<string> = new Set(['flag', 'token_budget']);

class AssistantMessage {
  readonly #writer: RunWriter;
  readonly #message: JsonPlace;
  readonly #at: Moment | null;
  #model: Step | null = null;
  /** The call right before, which a result without an id belongs to. */
  #before: Step | null = null;

  constructor(writer: RunWriter, message: JsonPlace, at: Moment | null) {
    this.#writer = writer;
    this.#message = message;
    this.#at = at;
  }

  add(blocks: readonly JsonPlace[]): RecordFate {
    if (blocks.every((block) => QUIET_BLOCKS.has(block.get('type').text() ?? '')))
      return NO_CONTENT;
    let reason: string | null = null;
    for (const block of blocks) {
      const type = block.get('type').text() ?? '';
      if (type === 'tool_use') this.#addCall(block);
      else if (type === 'tool_result') {
        if (!this.#addResult(block)) reason = 'a result whose call is not in the message';
      } else if (!QUIET_BLOCKS.has(type)) this.#addPart(block);
    }
    return reason;
  }

  #modelStep(block: JsonPlace): Step {
    const start = momentAt(block.get('start_timestamp')) ?? this.#at;
    const end = momentAt(block.get('stop_timestamp'));
    if (this.#model === null) {
      this.#model = this.#writer.step(this.#message.origin(), start, {
        kind: 'model',
        name: 'Model call',
      });
    }
    if (end !== null) this.#writer.endAt(this.#model, end);
    return this.#model;
  }

  #addPart(block: JsonPlace): void {
    this.#before = null;
    const { part, text } = contentPart(block);
    const step = this.#modelStep(block);
    step.content.push(part);
    if (part.kind === 'text' && text !== null && text.trim() !== '') step.summary = firstLine(text);
    else if (step.summary === '') step.summary = part.kind === 'thinking' ? '(thinking)' : '';
  }

  #addCall(block: JsonPlace): void {
    const name = block.get('name').text() ?? '';
    const step = this.#modelStep(block);
    if (step.summary === '' || step.summary === '(thinking)')
      step.summary = firstLine(`calls ${name}`);
    this.#model = null;
    const given = block.get('input');
    this.#before = this.#writer.call(this.#message.origin(), {
      name,
      server: block.get('integration_name').text(),
      callId: block.get('id').text(),
      arguments: given.isThere ? given.value() : notCaptured('logged'),
      summary: summaryOfArguments(given),
      // The call is made when it is written.
      at:
        momentAt(block.get('stop_timestamp')) ?? momentAt(block.get('start_timestamp')) ?? this.#at,
    });
  }

  #addResult(block: JsonPlace): boolean {
    this.#model = null;
    const id = block.get('tool_use_id').text();
    const name = block.get('name').text();
    const byId = this.#writer.takeOpen(id);
    const before = this.#before;
    const fits = before !== null && (name === null || name === before.tool);
    const step = byId ?? (fits ? before : null);
    this.#before = null;
    if (step === null) return false;
    const content = block.get('content');
    const isError = block.get('is_error').isTrue();
    const said = content.items()[0]?.get('text').text() ?? content.text() ?? '';
    this.#writer.answer(step, this.#message.origin(), {
      status: isError ? 'error' : 'ok',
      reason: isError ? firstLine(said, 200) || 'The result is an error.' : null,
      result: content.isThere ? content.value(cutsInResult(content.view)) : notCaptured('logged'),
      emptyResult: isEmptyAt(content),
      at: momentAt(block.get('stop_timestamp')) ?? momentAt(block.get('start_timestamp')),
      pairing: byId === null ? { by: 'order', derived: true } : BY_ID,
    });
    return true;
  }
}
