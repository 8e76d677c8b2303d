import { type ContentPart, notCaptured, type Step, type Usage } from '@misstep/model';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import {
  type Answer,
  BY_ID,
  cutAt,
  isEmptyAt,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** Turns a message with its parts into steps. */
export function addExportedMessage(writer: RunWriter, message: JsonPlace): RecordFate {
  const info = message.get('info');
  const role = info.get('role').text();
  const parts = message.get('parts').items();
  if (role === 'user') return addUserMessage(writer, message, info, parts);
  if (role !== 'assistant') return `unknown role ${firstLine(role ?? '', 60)}`;
  const { length } = writer.steps;
  new AssistantMessage(writer, message, info).add(parts);
  return writer.steps.length > length ? null : NO_CONTENT;
}

function addUserMessage(
  writer: RunWriter,
  message: JsonPlace,
  info: JsonPlace,
  parts: readonly JsonPlace[],
): RecordFate {
  const { length } = writer.steps;
  const at = momentAt(info.get('time').get('created'));
  const content: ContentPart[] = [];
  const added: ContentPart[] = [];
  let text = '';
  for (const part of parts) {
    const own = part.get('text');
    if (own.text() !== null && part.get('synthetic').isTrue()) added.push(textPart(own));
    else if (own.text() !== null) {
      content.push(textPart(own));
      text += `${own.text() ?? ''}\n`;
    } else if (part.get('type').text() === 'compaction') {
      writer.step(message.origin(), at, {
        kind: 'context',
        name: 'Context compacted',
        summary: 'What was said before was cut for the model',
      });
    } else content.push({ kind: 'other', value: part.value() });
  }
  if (content.length > 0) writer.userTurn(message.origin(), at, content, text);
  if (added.length > 0) writer.note(message.origin(), at, 'Added by the client', added);
  return writer.steps.length > length ? null : NO_CONTENT;
}

class AssistantMessage {
  readonly #writer: RunWriter;
  readonly #message: JsonPlace;
  readonly #info: JsonPlace;
  readonly #steps: Step[] = [];
  #current: { step: Step; text: string; tools: string[] } | null = null;

  constructor(writer: RunWriter, message: JsonPlace, info: JsonPlace) {
    this.#writer = writer;
    this.#message = message;
    this.#info = info;
  }

  add(parts: readonly JsonPlace[]): void {
    let isCounted = false;
    for (const part of parts) {
      const type = part.get('type').text() ?? '';
      if (type === 'step-start') this.#endStep();
      else if (type === 'step-finish') {
        this.#modelStep().usage = usageOf(part.get('tokens'));
        isCounted = true;
        this.#endStep();
      } else if (type === 'text' || type === 'reasoning') this.#addText(part, type);
      else if (type === 'tool') this.#addTool(part);
      else if (type === 'compaction') this.#addContext();
      else if (type === 'file')
        this.#modelStep().content.push({ kind: 'other', value: part.value() });
    }
    this.#endStep();
    const last = this.#steps.at(-1);
    // The message repeats what its steps say, so it counts only where they say nothing.
    if (!isCounted && last !== undefined) last.usage = usageOf(this.#info.get('tokens'));
    const first = this.#steps[0];
    const end = momentAt(this.#info.get('time').get('completed'));
    if (first !== undefined && this.#steps.length === 1 && end !== null)
      this.#writer.endAt(first, end);
    this.#addError();
  }

  #modelStep(): Step {
    if (this.#current !== null) return this.#current.step;
    const modelId =
      this.#info.get('modelID').text() ?? this.#info.get('model').get('modelID').text();
    this.#writer.model ??= modelId;
    const at = momentAt(this.#info.get('time').get('created'));
    const isFirst = this.#steps.length === 0;
    const step = this.#writer.step(this.#message.origin(), isFirst ? at : null, {
      kind: 'model',
      name: 'Model call',
      model: modelId,
      callId: this.#info.get('id').text(),
    });
    this.#steps.push(step);
    this.#current = { step, text: '', tools: [] };
    return step;
  }

  #endStep(): void {
    if (this.#current === null) return;
    const { step, text, tools } = this.#current;
    const calls = tools.length === 0 ? '' : `calls ${tools.join(', ')}`;
    step.summary = firstLine(text || calls) || (step.content.length > 0 ? '(thinking)' : '');
    this.#current = null;
  }

  #addText(part: JsonPlace, type: string): void {
    const text = part.get('text');
    if (text.text() === null) return;
    this.#modelStep().content.push(textPart(text, type === 'text' ? 'text' : 'thinking'));
    if (type === 'text' && this.#current !== null)
      this.#current.text ||= (text.text() ?? '').trim();
  }

  #addTool(part: JsonPlace): void {
    this.#modelStep();
    const name = part.get('tool').text() ?? '';
    this.#current?.tools.push(name);
    const state = part.get('state');
    const given = state.get('input');
    const time = state.get('time');
    const step = this.#writer.call(this.#message.origin(), {
      name,
      callId: part.get('callID').text(),
      kind: name === 'task' ? 'agent' : 'tool',
      arguments: given.isThere ? given.value() : notCaptured('logged'),
      summary: summaryOfArguments(given) || firstLine(state.get('title').text() ?? ''),
      at: momentAt(time.get('start')),
    });
    const status = state.get('status').text();
    if (status !== 'completed' && status !== 'error') {
      step.statusReason = `Recorded as "${firstLine(status ?? 'nothing', 60)}": it never ended.`;
      return;
    }
    const result = status === 'error' ? state.get('error') : state.get('output');
    const isCut = state.get('metadata').get('truncated').isTrue();
    const cuts = isCut ? [cutAt('', 'tail', null, 'metadata.truncated')] : [];
    this.#writer.answer(step, null, {
      ...verdictOf(name, status, state),
      result: result.isThere ? result.value(cuts) : notCaptured('logged'),
      emptyResult: isEmptyAt(result),
      at: momentAt(time.get('end')),
      pairing: BY_ID,
    });
  }

  #addContext(): void {
    this.#endStep();
    const at = momentAt(this.#info.get('time').get('created'));
    const summary = 'What was said before was cut for the model';
    const name = 'Context compacted';
    this.#writer.step(this.#message.origin(), at, { kind: 'context', name, summary });
  }

  #addError(): void {
    const error = this.#info.get('error');
    if (!error.isThere) return;
    const said = error.get('data').get('message').text() ?? error.get('name').text() ?? '';
    const content = [{ kind: 'other', value: error.value() } as const];
    this.#writer.note(this.#message.origin(), null, 'Client error', content, said);
  }
}

/** Calls of unknown tools are recorded as tool `invalid`, completed; a shell's exit code stands apart. */
function verdictOf(
  name: string,
  status: string,
  state: JsonPlace,
): Pick<Answer, 'status' | 'reason'> {
  if (name === 'invalid') {
    const said = state.get('input').get('error').text() ?? 'The client could not make this call.';
    return { status: 'neverReached', reason: firstLine(said, 200) };
  }
  if (status === 'error') {
    const said = state.get('error').text() ?? 'The call failed.';
    const reason = firstLine(said, 200);
    if (/rejected permission|user dismissed|user rejected/i.test(said))
      return { status: 'rejected', reason };
    return { status: /^Tool execution aborted/i.test(said) ? 'interrupted' : 'error', reason };
  }
  const exit = state.get('metadata').get('exit');
  if (exit.kind === 'number' && Number(exit.written()) !== 0) {
    return { status: 'error', reason: `Exit code ${exit.written()}` };
  }
  return state.get('output').isThere
    ? { status: 'ok', reason: null }
    : { status: 'unknown', reason: 'Recorded as completed, but without its output.' };
}

function usageOf(tokens: JsonPlace): Usage | null {
  const inputTokens = tokens.get('input').count();
  const outputTokens = tokens.get('output').count();
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: tokens.get('cache').get('read').count(),
    cacheWriteTokens: tokens.get('cache').get('write').count(),
    inputExcludesCache: true,
  };
}
