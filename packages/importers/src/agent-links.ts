import type { Step } from '@misstep/model';
import type { ChatMessage } from './chat-parts.ts';
import { addTo } from './multi-map.ts';
import { oneLine } from './one-line.ts';
import { ownText } from './own-text.ts';

/** What clients put into a user's message and take out again. */
const REMINDER = /<system-reminder>.*?<\/system-reminder>/gs;

/** What a message says without what its client put in. */
export function spoken(text: string | null): string {
  return (text ?? '').replace(REMINDER, '').trim();
}

interface AgentCall<Owner> {
  readonly owner: Owner;
  readonly step: Step;
  readonly agent: string | null;
}

/**
 * Conversations that a call of another one started: no id says so, but the call's prompt is, word for
 * word, what the conversation opens with. A call comes before what it starts, and starts one.
 */
export class AgentLinks<Owner> {
  /** Calls that started nothing yet, by their prompts; the earliest first. */
  readonly #open = new Map<string, AgentCall<Owner>[]>();
  readonly #parents = new Map<Owner, AgentCall<Owner>>();
  /** What the calls of a conversation started, each with how many were started before it. */
  readonly #started = new Map<Owner, { readonly each: Owner; readonly place: number }[]>();

  /** `steps` are those that the message gave. */
  note(owner: Owner, { calls }: ChatMessage, steps: readonly Step[]): void {
    const tools = steps.filter(({ kind }) => kind === 'tool');
    for (const [index, call] of calls.entries()) {
      const given = call.arguments?.inner() ?? call.arguments;
      const prompt = spoken(given?.get('prompt')?.text ?? null);
      const step = tools[index];
      if (prompt === '' || step?.callId !== call.id || tools.length !== calls.length) continue;
      const agent = given?.get('subagent_type')?.text ?? null;
      addTo(this.#open, ownText(prompt), { owner, step, agent });
    }
  }

  /** A conversation that begins with this message; true where a call started it. */
  begin(conversation: Owner, opening: ChatMessage | undefined): boolean {
    if (opening?.role !== 'user') return false;
    for (const { text } of opening.parts) {
      const call = this.#open.get(spoken(text))?.shift();
      if (call === undefined) continue;
      addTo(this.#started, call.owner, { each: conversation, place: this.#parents.size });
      this.#parents.set(conversation, call);
      return true;
    }
    return false;
  }

  isStarted(conversation: Owner): boolean {
    return this.#parents.has(conversation);
  }

  /** The conversation itself and all that its calls started, as far down as that goes, in the order in which they began. */
  family(conversation: Owner): Owner[] {
    const below = [...(this.#started.get(conversation) ?? [])];
    for (const { each } of below) below.push(...(this.#started.get(each) ?? []));
    return [conversation, ...below.sort((a, b) => a.place - b.place).map(({ each }) => each)];
  }

  /**
   * Puts what the conversation says below the call that started it. Without times its place among the
   * steps of `streams` is behind the call; else it is a stream of its own.
   */
  attach(conversation: Owner, steps: Step[], streams: Step[][], hasTimes: boolean): void {
    const call = this.#parents.get(conversation);
    if (call === undefined) return;
    const { step, agent } = call;
    step.kind = 'agent';
    if (agent !== null) step.name = oneLine(agent, 200) || step.name;
    // In place: a step may be one of many whose contents lie elsewhere.
    for (const each of steps) each.parentId ??= step.id;
    const stream = hasTimes ? undefined : streams.find((each) => each.includes(step));
    if (stream === undefined) streams.push(steps);
    else stream.splice(stream.indexOf(step) + 1, 0, ...steps);
  }
}
