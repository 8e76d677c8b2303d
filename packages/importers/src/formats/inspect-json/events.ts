import type { Elision, Step, Usage } from '@misstep/model';
import { isEmptyPlace, resultText, verdictOfAnswer } from '../../call-verdict.ts';
import { readChatMessage } from '../../chat-message.ts';
import { type ChatRun, partOf, summaryOf } from '../../chat-run.ts';
import type { JsonView } from '../../json-view.ts';
import { objectsIn } from '../../listed-objects.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { SetAside } from '../../record-ledger.ts';
import { splitToolName } from '../../tool-name.ts';
import type { ValueContext } from '../../value-source.ts';

const STATE = new SetAside('a change to the state or the store of the sample');
const BEGINNING = new SetAside('the beginning of the sample, which its first messages tell');
/** Events that only keep books. */
const QUIET: ReadonlyMap<string, SetAside> = new Map([
  ['state', STATE],
  ['store', STATE],
  ['span_end', new SetAside('the end of a span')],
  ['sample_init', BEGINNING],
  ['anchor', new SetAside('a place to link to')],
]);

/** Turns the events of a sample's transcript into steps, below their spans. */
export class InspectEvents {
  readonly #run: ChatRun;
  readonly #context: ValueContext;
  readonly #attachments: ReadonlyMap<string, JsonView>;
  readonly #spans = new Map<string, Step>();
  /** Span ids of steps, to be looked up when all spans are known. */
  readonly #below = new Map<Step, string>();
  /** Spans of type `tool` that wait for the tool event they belong to. */
  readonly #toolSpans: { id: string; name: string; parent: string }[] = [];

  constructor(run: ChatRun, sample: JsonView, context: ValueContext) {
    this.#run = run;
    this.#context = context;
    const held = sample.get('attachments') ?? sample.at('transcript', 'content');
    this.#attachments = held?.entries ?? new Map();
  }

  add(event: JsonView): void {
    const { ledger } = this.#context;
    const type = event.get('event')?.text ?? '';
    if (type === '') {
      ledger.notUnderstood(event.origin, 'no event');
      return;
    }
    const quiet = QUIET.get(type);
    ledger.take(event.origin, quiet ?? null);
    if (type === 'span_begin') this.#begin(event);
    else if (type === 'model') this.#model(event);
    else if (type === 'tool') this.#tool(event);
    else if (quiet === undefined) this.#note(event, type);
  }

  finish(): void {
    for (const [step, id] of this.#below) {
      const span = this.#spans.get(id);
      if (span !== undefined && span !== step) step.parentId = span.id;
    }
  }

  #step(event: JsonView, fields: Parameters<ChatRun['step']>[1]): Step {
    const { clock } = this.#context;
    const start = clock.read(event.get('timestamp'));
    const end = clock.read(event.get('completed'));
    const step = this.#run.step(event.origin, {
      ...fields,
      time: {
        startedAtNs: start?.ns ?? null,
        endedAtNs: start !== null && end !== null && end.ns >= start.ns ? end.ns : null,
        startedAtText: start?.text ?? null,
        endedAtText: end?.text ?? null,
        evidence: 'logged',
      },
    });
    const span = event.get('span_id')?.text;
    if (typeof span === 'string') this.#below.set(step, span);
    return step;
  }

  #begin(event: JsonView): void {
    const id = event.get('id')?.text ?? '';
    const name = event.get('name')?.text ?? '';
    const type = event.get('type')?.text ?? '';
    const parent = event.get('parent_id')?.text ?? '';
    if (type === 'tool') {
      this.#toolSpans.push({ id, name, parent });
      return;
    }
    const kind = type === 'agent' ? 'agent' : 'note';
    const step = this.#step(event, { kind, name: oneLine(name || type, 100) || 'span' });
    if (type === 'agent') {
      step.status = 'unknown';
      step.statusReason = 'The log states no outcome of the agent.';
    }
    this.#below.set(step, parent);
    if (id !== '') this.#spans.set(id, step);
  }

  /** A string that stands among the attachments; the value itself elsewhere. */
  #resolve(view: JsonView | undefined, step: Step): JsonView | undefined {
    const name = /^(?:attachment|tc):\/\/([\w-]+)$/.exec(view?.text ?? '')?.[1];
    const held = name === undefined ? undefined : this.#attachments.get(name);
    if (held === undefined) return view;
    step.moreOrigins.push(held.origin);
    return held;
  }

  #model(event: JsonView): void {
    const output = event.get('output');
    const answer = objectsIn(output?.get('choices'))[0]?.get('message');
    const message = answer === undefined ? null : readChatMessage(answer);
    const error = event.firstOf('error');
    const model = event.get('model')?.text ?? null;
    const calls = message?.calls.map(({ name }) => name) ?? [];
    this.#run.model ??= model;
    const step = this.#step(event, {
      kind: 'model',
      name: 'Model call',
      model,
      usage: usageOf(output?.get('usage')),
      status: error !== undefined ? 'error' : answer === undefined ? 'unanswered' : 'ok',
      statusReason: error === undefined ? null : firstLine(error.text ?? error.written, 200),
    });
    const parts = (message?.parts ?? []).map((part) => ({
      ...part,
      place: this.#resolve(part.place, step) ?? part.place,
    }));
    step.content = parts.map(partOf);
    const said = parts.map(({ place }) => place.text ?? '').join('\n');
    step.summary =
      firstLine(said) || (calls.length > 0 ? oneLine(`calls ${calls.join(', ')}`) : '');
    this.#run.addTools(event.get('tools'));
  }

  #tool(event: JsonView): void {
    const written = event.get('function')?.text ?? '';
    const given = event.get('arguments');
    const { server, tool } = splitToolName(written);
    const step = this.#step(event, {
      kind: 'tool',
      name: oneLine(tool, 200) || '(no name)',
      server,
      tool,
      callId: event.get('id')?.text ?? null,
      arguments: given?.value('logged') ?? null,
      summary: given === undefined ? '' : summaryOf(given),
      // One event holds both ends of the call.
      pairing: { by: 'id', derived: false },
    });
    const result = this.#resolve(event.get('result'), step);
    const error = event.firstOf('error');
    const isPending = event.get('pending')?.isTrue === true || result === undefined;
    const elisions = truncationOf(event, result);
    if (result !== undefined) {
      step.result = result.value('logged', elisions);
      step.emptyResult = elisions.length > 0 ? null : isEmptyPlace(result);
    }
    if (error !== undefined) {
      const type = error.get('type')?.text ?? '';
      const said = error.get('message')?.text ?? resultText(error);
      step.status = type === 'approval' ? 'rejected' : type === 'cancelled' ? 'cancelled' : 'error';
      step.statusReason = firstLine(`${type}: ${said}`, 200);
    } else if (isPending) {
      step.status = 'unanswered';
      step.statusReason = 'The log holds no result.';
    } else {
      Object.assign(step, verdictOfAnswer(result, event.get('failed')?.isTrue === true));
    }
    const at = this.#toolSpans.findIndex(
      ({ name, parent }) => name === written && parent === (event.get('span_id')?.text ?? ''),
    );
    const span = at < 0 ? undefined : this.#toolSpans.splice(at, 1)[0];
    if (span !== undefined) this.#spans.set(span.id, step);
  }

  #note(event: JsonView, type: string): void {
    const message = event.firstOf('message', 'data', 'input', 'action', 'error', 'type');
    const text = firstLine(message?.text ?? message?.get('message')?.text ?? '');
    const kind = type === 'compaction' ? 'context' : 'note';
    this.#step(event, { kind, name: oneLine(type, 100), summary: text });
  }
}

/** `truncated: [from, to]`: bytes before and after. */
function truncationOf(event: JsonView, result: JsonView | undefined): Elision[] {
  const [from, to] = event.get('truncated')?.items ?? [];
  if (from?.count === undefined || from.count === null || result === undefined) return [];
  const left = to?.count ?? null;
  const count = left === null || left > from.count ? null : from.count - left;
  return [{ pointer: '', kind: 'bytes', count, marker: event.get('truncated')?.written ?? '' }];
}

function usageOf(usage: JsonView | undefined): Usage | null {
  const count = (key: string): number | null => usage?.get(key)?.count ?? null;
  const inputTokens = count('input_tokens');
  const outputTokens = count('output_tokens');
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: count('input_tokens_cache_read'),
    cacheWriteTokens: count('input_tokens_cache_write'),
    inputExcludesCache: true,
  };
}
