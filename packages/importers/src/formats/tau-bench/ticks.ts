import { notCaptured, type Step } from '@misstep/model';
import { readChatMessage } from '../../chat-message.ts';
import type { ChatRun } from '../../chat-run.ts';
import type { JsonView } from '../../json-view.ts';
import { objectsIn } from '../../listed-objects.ts';
import { firstLine } from '../../one-line.ts';
import { SetAside } from '../../record-ledger.ts';
import type { SpanTime } from '../../trace-span.ts';
import type { ValueContext } from '../../value-source.ts';

const SILENCE = new SetAside('a tick in which nobody spoke and nothing was called');

type Speaker = 'user' | 'agent';

/**
 * A voice run is written by ticks of a fraction of a second, in which both may speak at once. What one
 * says without a pause is one step.
 */
export class Ticks {
  readonly #run: ChatRun;
  readonly #context: ValueContext;
  readonly #speaking: Record<Speaker, { step: Step; said: string } | null> = {
    user: null,
    agent: null,
  };
  #turn: Step | null = null;

  constructor(run: ChatRun, context: ValueContext) {
    this.#run = run;
    this.#context = context;
  }

  add(tick: JsonView): void {
    const at = this.#context.clock.read(tick.get('timestamp'));
    let happened = false;
    for (const speaker of ['user', 'agent'] as const) {
      happened = this.#speak(tick, speaker, at) || happened;
      happened = this.#call(tick, speaker, at) || happened;
    }
    if (happened) this.#context.ledger.understood();
    else this.#context.ledger.setAside(tick.origin, SILENCE);
  }

  #speak(tick: JsonView, speaker: Speaker, at: SpanTime | null): boolean {
    const chunk = tick.get(`${speaker}_chunk`);
    const content = chunk?.get('content');
    const text = content?.text ?? '';
    if (text === '' && chunk?.get('contains_speech')?.isTrue !== true) {
      this.#speaking[speaker] = null;
      return false;
    }
    const open = this.#speaking[speaker] ?? this.#begin(tick, speaker, at);
    const { step } = open;
    if (step.origin.offset !== tick.origin.offset) step.moreOrigins.push(tick.origin);
    if (at !== null && step.time.startedAtNs !== null) {
      step.time.endedAtNs = at.ns;
      step.time.endedAtText = at.text;
    }
    if (text !== '' && content !== undefined) {
      if (open.said === '') step.content = [];
      step.content.push({ kind: 'text', value: content.value('logged') });
      open.said += text;
      step.summary = firstLine(open.said);
    }
    return true;
  }

  #begin(tick: JsonView, speaker: Speaker, at: SpanTime | null): { step: Step; said: string } {
    const isUser = speaker === 'user';
    const step = this.#run.step(tick.origin, {
      kind: isUser ? 'user' : 'model',
      name: isUser ? 'User turn' : 'Model call',
      parentId: isUser ? null : (this.#turn?.id ?? null),
      // Speech of which only the sound was kept.
      content: [{ kind: 'other', value: notCaptured('logged') }],
      summary: '(speech without its words)',
      time: {
        startedAtNs: at?.ns ?? null,
        endedAtNs: null,
        startedAtText: at?.text ?? null,
        endedAtText: null,
        evidence: 'logged',
      },
    });
    if (isUser) this.#turn = step;
    const open = { step, said: '' };
    this.#speaking[speaker] = open;
    return open;
  }

  /** Calls of both: in these simulations the user has tools too. */
  #call(tick: JsonView, speaker: Speaker, at: SpanTime | null): boolean {
    const calls = objectsIn(tick.get(`${speaker}_tool_calls`));
    const results = tick.get(`${speaker}_tool_results`)?.items ?? [];
    for (const place of calls) {
      const step = this.#run.addCall(
        {
          id: place.get('id')?.text || null,
          name: place.get('name')?.text ?? '',
          server: null,
          arguments: place.get('arguments'),
          place,
        },
        tick.origin,
        { startedAt: at },
      );
      step.parentId = this.#turn?.id ?? null;
    }
    for (const place of results) {
      const message = readChatMessage(place);
      if (message !== null) this.#run.add(message, { record: tick, startedAt: at });
    }
    return calls.length + results.length > 0;
  }
}
