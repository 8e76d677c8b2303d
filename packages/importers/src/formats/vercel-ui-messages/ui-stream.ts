import { encodeString } from '@misstep/json';
import type { Step } from '@misstep/model';
import { markBrokenStream } from '../../broken-stream.ts';
import { readAs } from '../../chat-message.ts';
import { type ChatRun, summaryOf } from '../../chat-run.ts';
import { assembledView, type JsonView } from '../../json-view.ts';
import { firstLine } from '../../one-line.ts';
import { type RecordFate, SetAside } from '../../record-ledger.ts';

const EVENT =
  /^(start|start-step|finish|finish-step|abort|error|message-metadata|data-.*|source-.*|file|(text|reasoning)-(start|delta|end)|tool-(input-(start|delta|available|error)|output-(available|error|denied)|approval-request))$/;

/** True for an event of the AI SDK's UI message stream. */
export function isStreamEvent(item: JsonView): boolean {
  return item.get('role') === undefined && EVENT.test(item.get('type')?.text ?? '');
}

const ENDS = /^(?:finish|abort|error)$/;
const GOES_ON = /^(?:start|text|reasoning|tool)/;
const NOTICE = new SetAside('a notice of the stream that something begins or ends');
const BESIDE = new SetAside('sources, files and data of the application beside the text');
const PRELIMINARY = new SetAside('a preliminary result, which a later one replaces');

/** Events of one streamed message to steps: texts put together, calls with their results. */
export class UiStream {
  readonly #run: ChatRun;
  readonly #calls = new Map<string, Step>();
  /** Pieces of the input of calls, as far as they came. */
  readonly #pieces = new Map<Step, { begin: JsonView; input: string }>();
  #began: JsonView | null = null;
  #model: Step | null = null;
  #text = '';
  #thinking = '';
  /** The end of the message was told. */
  #isEnded = true;

  constructor(run: ChatRun) {
    this.#run = run;
  }

  add(event: JsonView): RecordFate {
    const type = event.get('type')?.text ?? '';
    if (type === 'start') this.end();
    if (ENDS.test(type)) this.#isEnded = true;
    else if (GOES_ON.test(type)) this.#isEnded = false;
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
    else if (type === 'tool-output-available') {
      // A preliminary result is followed by the one that counts.
      if (event.get('preliminary')?.isTrue === true) return PRELIMINARY;
      this.#answer(event, event.get('output'), null);
    } else if (type === 'tool-output-error') this.#answer(event, event.get('errorText'), true);
    else if (type === 'tool-output-denied') this.#answer(event, undefined, null, true);
    else if (type === 'error' || type === 'abort') this.#note(event, type);
    else if (type !== 'start-step') {
      return /^(data|source|file|message)/.test(type) ? BESIDE : NOTICE;
    }
    return null;
  }

  #note(event: JsonView, type: string): void {
    const said = event.firstOf('errorText', 'reason');
    this.#run.step(event.origin, {
      kind: 'note',
      name: type === 'error' ? 'Stream error' : 'Stream aborted',
      content: said === undefined ? [] : [{ kind: 'text', value: said.value('logged') }],
      summary: firstLine(said?.text ?? ''),
    });
  }

  /** Another message begins, or none will. */
  end(): void {
    this.#settlePieces();
    this.#flush();
    if (!this.#isEnded) {
      const steps = [...this.#pieces.keys()];
      markBrokenStream({ kind: 'end', model: this.#model, steps }, this.#run.issues);
    }
    this.#pieces.clear();
    this.#isEnded = true;
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

  /** The call stands where its input begins to come, so that a longer source keeps its place. */
  #start(event: JsonView): void {
    const step = this.#add(event, undefined);
    this.#pieces.set(step, { begin: event, input: '' });
  }

  #grow(event: JsonView): void {
    const step = this.#calls.get(event.get('toolCallId')?.text ?? '');
    const pieces = step === undefined ? undefined : this.#pieces.get(step);
    if (pieces !== undefined) pieces.input += event.get('inputTextDelta')?.text ?? '';
  }

  #call(event: JsonView): void {
    const input = event.firstOf('input', 'rawInput');
    const known = this.#calls.get(event.get('toolCallId')?.text ?? '');
    if (known === undefined) {
      this.#add(event, input);
    } else if (this.#pieces.delete(known)) {
      known.arguments = input?.value('logged') ?? null;
      known.summary = input === undefined ? '' : summaryOf(input);
      known.moreOrigins.push(event.origin);
    }
  }

  #add(event: JsonView, input: JsonView | undefined): Step {
    const id = event.get('toolCallId')?.text ?? null;
    const name = event.get('toolName')?.text ?? '';
    const call = { id, name, server: null, arguments: input, place: event };
    const step = this.#run.addCall(call, event.origin);
    if (id !== null) this.#calls.set(id, step);
    return step;
  }

  /** Calls of which the source tells only the pieces of their input. */
  #settlePieces(): void {
    for (const [step, { begin, input }] of this.#pieces) {
      const view = input === '' ? null : assembledView(encodeString(input), begin.origin);
      if (view === null) continue;
      step.arguments = view.value('logged');
      step.summary = summaryOf(view);
    }
  }

  #answer(
    event: JsonView,
    content: JsonView | undefined,
    isError: boolean | null,
    refused = false,
  ): void {
    const callId = event.get('toolCallId')?.text ?? null;
    this.#run.addResult(
      { callId, name: null, content, isError, refused, place: event },
      event.origin,
    );
  }
}
