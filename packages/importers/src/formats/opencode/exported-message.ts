import { type ContentPart, notCaptured, type Origin, type Step, type Usage } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import {
  type Answer,
  addOrigin,
  BY_ID,
  cutAt,
  isEmptyAt,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';
import { statedUsd } from '../../stated-cost.ts';

/** A part of a message, and its own record where it isn't in the message's. */
export interface MessagePart {
  readonly place: JsonPlace;
  readonly record: Origin | null;
}

/** A message as the export and the database hold it. */
export interface StoredMessage {
  readonly record: Origin;
  readonly id: string | null;
  readonly info: JsonPlace;
  readonly parts: readonly MessagePart[];
  /** Told of each call that started a session of a sub-agent. */
  readonly onTask?: (step: Step, sessionId: string) => void;
}

/** Turns a message of an export into steps. */
export function addExportedMessage(writer: RunWriter, message: JsonPlace): RecordFate {
  const info = message.get('info');
  return addStoredMessage(writer, {
    record: message.origin(),
    id: info.get('id').text(),
    info,
    parts: message
      .get('parts')
      .items()
      .map((place) => ({ place, record: null })),
  });
}

/** Turns a message with its parts into steps. */
export function addStoredMessage(writer: RunWriter, message: StoredMessage): RecordFate {
  const role = message.info.get('role').text();
  const { length } = writer.steps;
  if (role === 'user') addUserMessage(writer, message);
  else if (role === 'assistant') new AssistantMessage(writer, message).add();
  else return `unknown role ${firstLine(role ?? '', 60)}`;
  return writer.steps.length > length ? null : NO_CONTENT;
}

function addUserMessage(writer: RunWriter, { record, info, parts }: StoredMessage): void {
  const { length } = writer.steps;
  const at = momentAt(info.get('time').get('created'));
  const content: ContentPart[] = [];
  const added: ContentPart[] = [];
  let text = '';
  for (const { place: part } of parts) {
    const own = part.get('text');
    if (own.text() !== null && part.get('synthetic').isTrue()) added.push(textPart(own));
    else if (own.text() !== null) {
      content.push(textPart(own));
      text += `${own.text() ?? ''}\n`;
    } else if (part.get('type').text() === 'compaction') {
      writer.step(record, at, {
        kind: 'context',
        name: 'Context compacted',
        summary: 'What was said before was cut for the model',
      });
    } else content.push({ kind: 'other', value: part.value() });
  }
  if (content.length > 0) writer.userTurn(record, at, content, text);
  if (added.length > 0) writer.note(record, at, 'Added by the client', added);
  // Several steps may come of them, and any of them may hold a part.
  for (const step of writer.steps.slice(length)) {
    for (const part of parts) if (part.record !== null) addOrigin(step, part.record);
  }
}

class AssistantMessage {
  readonly #writer: RunWriter;
  readonly #message: StoredMessage;
  readonly #info: JsonPlace;
  readonly #steps: Step[] = [];
  #current: { step: Step; text: string; tools: string[] } | null = null;

  constructor(writer: RunWriter, message: StoredMessage) {
    this.#writer = writer;
    this.#message = message;
    this.#info = message.info;
  }

  add(): void {
    let isCounted = false;
    for (const { place: part, record } of this.#message.parts) {
      const type = part.get('type').text() ?? '';
      if (type === 'step-start') this.#endStep();
      else if (type === 'step-finish') {
        const step = this.#modelStep();
        step.usage = usageOf(part.get('tokens'));
        step.recordedCostUsd = statedUsd(part.get('cost').view);
        isCounted = true;
        this.#endStep();
      } else if (type === 'text' || type === 'reasoning') this.#addText(part, type);
      else if (type === 'tool') this.#addTool(part, record);
      else if (type === 'compaction') this.#addContext();
      else if (type === 'file')
        this.#modelStep().content.push({ kind: 'other', value: part.value() });
      const step = this.#current?.step;
      if (record !== null && step !== undefined && type !== 'tool') addOrigin(step, record);
    }
    this.#endStep();
    const last = this.#steps.at(-1);
    // The message repeats what its steps say, so it counts only where they say nothing.
    if (!isCounted && last !== undefined) {
      last.usage = usageOf(this.#info.get('tokens'));
      last.recordedCostUsd = statedUsd(this.#info.get('cost').view);
    }
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
    const step = this.#writer.step(this.#message.record, isFirst ? at : null, {
      kind: 'model',
      name: 'Model call',
      model: modelId,
      callId: this.#message.id,
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

  #addTool(part: JsonPlace, record: Origin | null): void {
    this.#modelStep();
    const name = part.get('tool').text() ?? '';
    this.#current?.tools.push(name);
    const state = part.get('state');
    const given = state.get('input');
    const time = state.get('time');
    const step = this.#writer.call(this.#message.record, {
      name,
      callId: part.get('callID').text(),
      kind: name === 'task' ? 'agent' : 'tool',
      arguments: given.isThere ? given.value() : notCaptured('logged'),
      summary: summaryOfArguments(given) || firstLine(state.get('title').text() ?? ''),
      at: momentAt(time.get('start')),
    });
    if (record !== null) addOrigin(step, record);
    const child = state.get('metadata').get('sessionId').text();
    if (child !== null) this.#message.onTask?.(step, child);
    const status = state.get('status').text();
    if (status !== 'completed' && status !== 'error') {
      step.statusReason = `Recorded as "${firstLine(status ?? 'nothing', 60)}": it never ended.`;
      return;
    }
    const result = status === 'error' ? state.get('error') : state.get('output');
    const isCut = state.get('metadata').get('truncated').isTrue();
    const said = cutsInResult(result.view);
    const cuts =
      isCut && said.length === 0 ? [cutAt('', 'tail', null, 'metadata.truncated')] : said;
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
    this.#writer.step(this.#message.record, at, { kind: 'context', name, summary });
  }

  #addError(): void {
    const error = this.#info.get('error');
    if (!error.isThere) return;
    const said = error.get('data').get('message').text() ?? error.get('name').text() ?? '';
    const content = [{ kind: 'other', value: error.value() } as const];
    this.#writer.note(this.#message.record, null, 'Client error', content, said);
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
