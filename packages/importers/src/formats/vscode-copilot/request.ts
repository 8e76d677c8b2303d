import type { ContentPart, Step } from '@misstep/model';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { type Moment, momentAt, type RunWriter, textPart } from '../../run-writer.ts';
import { decimalToNs } from '../../source-time.ts';
import { roundCallsOf } from './round-calls.ts';
import { addInvocation, addUnshownCall } from './tool-invocation.ts';

/** Parts of a response that only the screen needs. */
const QUIET_KINDS: ReadonlySet<string> = new Set([
  'codeblockUri',
  'command',
  'confirmation',
  'elicitation',
  'mcpServersStarting',
  'multiDiffData',
  'prepareToolInvocation',
  'progressMessage',
  'progressTaskSerialized',
  'undoStop',
]);

/** Turns one request into steps; `record` is what their origins lead to. Says why it can't, or null. */
export function addRequest(
  writer: RunWriter,
  request: JsonPlace,
  record: JsonPlace,
): string | null {
  const message = request.get('message');
  const prompt = message.kind === 'string' ? message : message.get('text');
  if (prompt.text() === null) return 'a request without a message';
  const at = momentAt(request.get('timestamp'));
  const result = request.get('result');
  const metadata = result.get('metadata');
  // What the person put beside the words: files, selections, images.
  const beside = request.get('variableData').get('variables').items();
  const content: ContentPart[] = [
    textPart(prompt),
    ...beside.map((each) => ({ kind: kindOf(each), value: each.value() })),
  ];
  const turn = writer.userTurn(record.origin(), at, content, prompt.text() ?? '');
  if (at !== null) endTurn(turn, at, result.get('timings').get('totalElapsed'));
  const model = metadata.get('resolvedModel').text() ?? request.get('modelId').text();
  writer.model ??= model;
  const response = new Response(writer, record, model);
  const calls = roundCallsOf(metadata);
  const answer = request.get('response');
  // Before answers had parts they were one text, then texts.
  for (const part of answer.kind === 'string' ? [answer] : answer.items()) {
    const kind = part.get('kind').text();
    if (kind === 'toolInvocationSerialized' || kind === 'toolInvocation') {
      if (response.isShownAgain(part)) continue;
      addInvocation(writer, record, part, calls);
      response.endText();
    } else if (kind === null || !QUIET_KINDS.has(kind)) response.addPart(part, kind);
  }
  for (const call of calls) if (!call.taken) addUnshownCall(writer, record, call);
  response.finish(metadata);
  if (request.get('isCanceled').isTrue()) {
    writer.endWaiting('interrupted', 'The request was cancelled.');
    writer.note(record.origin(), null, 'Cancelled', [], 'The request was cancelled.');
  }
  const error = result.get('errorDetails').get('message');
  if (error.text() !== null) {
    writer.note(record.origin(), null, 'Client error', [textPart(error)], error.text() ?? '');
  }
  return null;
}

function kindOf(attached: JsonPlace): ContentPart['kind'] {
  const kind = attached.get('kind').text() ?? '';
  if (kind === 'image') return 'image';
  return kind === 'file' || attached.get('isFile').isTrue() ? 'document' : 'other';
}

/** Only whole requests are timed. */
function endTurn(turn: Step, at: Moment, elapsed: JsonPlace): void {
  const durationNs = decimalToNs(elapsed.written() ?? '', 'ms');
  if (durationNs === null || durationNs < 0n || turn.time.startedAtNs === null) return;
  turn.time.endedAtNs = at.ns + durationNs;
  turn.time.evidence = 'derived';
}

class Response {
  readonly #writer: RunWriter;
  readonly #record: JsonPlace;
  readonly #model: string | null;
  /** The model call that text belongs to; a call of a tool ends it. */
  #current: { step: Step; text: string } | null = null;
  #last: Step | null = null;
  #hiddenBefore = false;

  constructor(writer: RunWriter, record: JsonPlace, model: string | null) {
    this.#writer = writer;
    this.#record = record;
    this.#model = model;
  }

  /** A hidden call is followed by what it calls itself, which is the same call on the screen. */
  isShownAgain(part: JsonPlace): boolean {
    const isInner = /_internal$/.test(part.get('toolId').text() ?? '');
    const again = this.#hiddenBefore && isInner;
    this.#hiddenBefore = part.get('presentation').text() === 'hidden';
    return again;
  }

  /** What the model says next is another of its calls. */
  endText(): void {
    this.#current = null;
  }

  addPart(part: JsonPlace, kind: string | null): void {
    if (this.#current === null) {
      const step = this.#writer.step(this.#record.origin(), null, {
        kind: 'model',
        name: 'Model call',
        model: this.#model,
      });
      this.#current = { step, text: '' };
      this.#last = step;
    }
    const { step } = this.#current;
    const value = part.kind === 'string' ? part : part.get('value');
    const text = value.text();
    if (kind === 'thinking' && value.isThere) {
      step.content.push({ kind: 'thinking', value: value.value() });
    } else if ((kind === null || kind === 'markdownContent') && text !== null) {
      step.content.push(textPart(value));
      this.#current.text += text;
    } else {
      step.content.push({ kind: 'other', value: part.value() });
      this.#current.text += kind === 'inlineReference' ? (part.get('name').text() ?? '') : '';
    }
    step.summary = firstLine(this.#current.text) || '(no text)';
  }

  /** Tokens are recorded of the request's last model call alone. */
  finish(metadata: JsonPlace): void {
    const inputTokens = metadata.get('promptTokens').count();
    const outputTokens = metadata.get('outputTokens').count();
    if (this.#last === null || (inputTokens === null && outputTokens === null)) return;
    this.#last.usage = {
      inputTokens,
      outputTokens,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      inputExcludesCache: false,
    };
  }
}
