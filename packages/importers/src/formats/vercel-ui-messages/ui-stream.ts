import { encodeString } from '@misstep/json';
import type { Step } from '@misstep/model';
import { readAs } from '../../chat-message.ts';
import type { ChatRun } from '../../chat-run.ts';
import { assembledView, type JsonView } from '../../json-view.ts';
import { firstLine } from '../../one-line.ts';

const EVENT =
  /^(start|start-step|finish|finish-step|abort|error|message-metadata|data-.*|source-.*|file|(text|reasoning)-(start|delta|end)|tool-(input-(start|delta|available|error)|output-(available|error|denied)|approval-request))$/;

/** True for an event of the AI SDK's UI message stream. */
export function isStreamEvent(item: JsonView): boolean {
  return item.get('role') === undefined && EVENT.test(item.get('type')?.text ?? '');
}

/** Events of one streamed message to steps: texts put together, calls with their results. */
export class UiStream {
  readonly #run: ChatRun;
  readonly #calls = new Map<string, Step>();
  /** Calls whose input has begun to come. */
  readonly #started = new Map<string, { begin: JsonView; input: string }>();
  #began: JsonView | null = null;
  #model: Step | null = null;
  #text = '';
  #thinking = '';

  constructor(run: ChatRun) {
    this.#run = run;
  }

  add(event: JsonView): void {
    const type = event.get('type')?.text ?? '';
    if (type === 'start-step' || (this.#began === null && type !== 'start')) {
      this.#flush();
      this.#began = event;
      this.#model = this.#run.add(readAs('assistant', null, event));
    }
    if (type === 'text-delta') this.#text += event.get('delta')?.text ?? '';
    else if (type === 'reasoning-delta') this.#thinking += event.get('delta')?.text ?? '';
    else if (type === 'tool-input-start') this.#start(event);
    else if (type === 'tool-input-delta') this.#grow(event);
    else if (type === 'tool-input-available' || type === 'tool-input-error') this.#call(event);
    else if (type === 'tool-output-available') this.#answer(event, event.get('output'), null);
    else if (type === 'tool-output-error') this.#answer(event, event.get('errorText'), true);
    else if (type === 'tool-output-denied') this.#answer(event, undefined, null, true);
  }

  finish(): void {
    for (const id of this.#started.keys()) this.#callOfPieces(id);
    this.#flush();
  }

  #flush(): void {
    const { origin } = this.#began ?? {};
    for (const [kind, said] of [
      ['thinking', this.#thinking],
      ['text', this.#text],
    ] as const) {
      const view = origin === undefined ? null : assembledView(encodeString(said), origin);
      if (said === '' || view === null || this.#model === null) continue;
      this.#model.content.push({ kind, value: view.value('logged') });
      if (kind === 'text') this.#model.summary = firstLine(said);
    }
    if (this.#model !== null && this.#model.summary === '' && this.#thinking !== '') {
      this.#model.summary = '(thinking)';
    }
    this.#text = '';
    this.#thinking = '';
  }

  #start(event: JsonView): void {
    const id = event.get('toolCallId')?.text;
    if (typeof id === 'string') this.#started.set(id, { begin: event, input: '' });
  }

  #grow(event: JsonView): void {
    const started = this.#started.get(event.get('toolCallId')?.text ?? '');
    if (started !== undefined) started.input += event.get('inputTextDelta')?.text ?? '';
  }

  /** A call of which the source tells only the pieces of its input. */
  #callOfPieces(id: string): void {
    const started = this.#started.get(id);
    if (started === undefined || this.#calls.has(id)) return;
    const { begin, input } = started;
    const view = input === '' ? null : assembledView(encodeString(input), begin.origin);
    const name = begin.get('toolName')?.text ?? '';
    const call = { id, name, server: null, arguments: view ?? undefined, place: begin };
    this.#calls.set(id, this.#run.addCall(call, begin.origin));
  }

  #call(event: JsonView): void {
    const id = event.get('toolCallId')?.text ?? null;
    const known = id === null ? undefined : this.#calls.get(id);
    if (known !== undefined) return;
    const step = this.#run.addCall(
      {
        id,
        name: event.get('toolName')?.text ?? '',
        server: null,
        arguments: event.firstOf('input', 'rawInput'),
        place: event,
      },
      event.origin,
    );
    if (id !== null) this.#calls.set(id, step);
  }

  #answer(
    event: JsonView,
    content: JsonView | undefined,
    isError: boolean | null,
    refused = false,
  ): void {
    // A preliminary result is followed by the one that counts.
    if (event.get('preliminary')?.isTrue === true) return;
    const callId = event.get('toolCallId')?.text ?? null;
    if (callId !== null) this.#callOfPieces(callId);
    this.#run.addResult(
      { callId, name: null, content, isError, refused, place: event },
      event.origin,
    );
  }
}
