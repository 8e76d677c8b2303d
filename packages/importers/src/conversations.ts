import type { Origin, RunClock } from '@misstep/model';
import { type ApiExchange, type ExchangeTimes, mergeItems } from './api-exchange.ts';
import type { ChatMessage } from './chat-parts.ts';
import { ChatRun } from './chat-run.ts';
import type { RunDraft } from './importer.ts';
import type { JsonView } from './json-view.ts';
import { firstLine } from './one-line.ts';
import { orderSteps } from './order-steps.ts';
import { counted, type IssueList } from './record-ledger.ts';
import { StepIds } from './step-ids.ts';

interface Conversation {
  readonly run: ChatRun;
  /** What has been said so far, message by message. */
  readonly said: string[];
  readonly key: string;
  system: string | null;
  title: string | null;
  hasTimes: boolean;
}

/**
 * Exchanges with a model's API, put together to conversations: every request repeats what was said
 * before, so one that goes on from all that a conversation holds belongs to it. What repeats is
 * counted once. Side calls and sub-agents begin conversations of their own.
 */
export class Conversations {
  readonly #issues: IssueList;
  readonly #ids = new StepIds();
  readonly #all: Conversation[] = [];
  #listed: Conversation | null = null;
  /** The last message of that list, which others may yet join. */
  #last: ChatMessage | null = null;

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  /**
   * `began` is where the answer began to be recorded, where that isn't the answer itself. Gives how
   * many of the messages, from the first, were known already.
   */
  add(exchange: ApiExchange, times: ExchangeTimes = {}, began: JsonView | null = null): number {
    const prints = exchange.messages.map(fingerprint);
    const conversation = this.#find(prints) ?? this.#begin(exchange);
    const { run } = conversation;
    this.#addSystem(conversation, exchange.system);
    const known = conversation.said.length;
    const { startedAt = null, endedAt = null } = times;
    if (startedAt !== null || endedAt !== null) conversation.hasTimes = true;
    for (const [index, message] of exchange.messages.entries()) {
      if (index < conversation.said.length) continue;
      conversation.said.push(prints[index] ?? '');
      // The message was there when the request was made, at the latest.
      run.add(message, { startedAt, timeEvidence: 'derived' });
      if (message.role === 'user') conversation.title ??= titleOf(message);
    }
    run.addTools(exchange.tools);
    const { answer, error } = exchange;
    const origin = exchange.answerRecord?.origin;
    if (answer !== null) {
      conversation.said.push(fingerprint(answer));
      const { model, usage, recordedCostUsd } = exchange;
      if (exchange.choices > 1 && origin !== undefined) {
        this.#issues.count(
          'SEVERAL_CHOICES',
          (count) =>
            `${counted(count, 'answer')} of several choices; what all of them say stands in one model call.`,
          origin.sha256,
          origin.offset,
        );
      }
      const extras = { startedAt, endedAt, model, usage, recordedCostUsd };
      const record = exchange.answerRecord ?? answer.place;
      const { morePlaces: _merged, ...whole } = answer;
      const moreRecords = began === null || record.isInner ? [] : [record];
      const step = run.add(whole, {
        ...extras,
        record: began ?? record,
        moreRecords,
        callId: exchange.answerId,
      });
      if (step !== null && error !== null) {
        step.status = 'error';
        step.statusReason = firstLine(error, 200);
      }
    } else if (error !== null && origin !== undefined) {
      addFailure(run, 'error', error, origin, times);
    } else if (exchange.unanswered !== undefined && exchange.requestRecord !== null) {
      const { origin: asked } = exchange.requestRecord;
      addFailure(run, 'unanswered', exchange.unanswered, asked, times);
    }
    return known;
  }

  /** The next message of those that stand by themselves and are one conversation together. */
  addListed(message: ChatMessage): void {
    // What belongs to the answer before it joins that; only then is it known to be whole.
    const [first, second] = mergeItems(
      this.#last === null ? [message] : [this.#last, message],
      false,
    );
    if (first !== undefined && second !== undefined) this.#addToList(first);
    this.#last = second ?? first ?? null;
  }

  #addToList(message: ChatMessage): void {
    this.#listed ??= this.#make(null);
    this.#listed.run.add(message);
    if (message.role === 'user') this.#listed.title ??= titleOf(message);
  }

  runs(client: string | null, sourceName: string, clock: RunClock = 'zoned'): RunDraft[] {
    if (this.#last !== null) this.#addToList(this.#last);
    this.#last = null;
    const all = this.#listed === null ? this.#all : [...this.#all, this.#listed];
    return all.flatMap(({ run, key, title, hasTimes }) => {
      const steps = orderSteps([run.steps]);
      if (steps.length === 0) return [];
      return [
        {
          key,
          title: firstLine(title ?? sourceName, 200) || 'Conversation',
          client,
          model: run.model,
          naturalId: null,
          clock: hasTimes ? clock : ('none' as const),
          steps,
          frames: [],
          tools: run.tools,
        },
      ];
    });
  }

  #begin(exchange: ApiExchange): Conversation {
    const conversation = this.#make(exchange);
    this.#all.push(conversation);
    return conversation;
  }

  #make(exchange: ApiExchange | null): Conversation {
    const at = exchange?.messages[0]?.place.origin ?? exchange?.answerRecord?.origin;
    return {
      run: new ChatRun(this.#issues, this.#ids),
      said: [],
      key: at === undefined ? '0' : String(at.offset),
      system: null,
      title: null,
      hasTimes: false,
    };
  }

  /** The conversation that the request goes on from, or asks again. */
  #find(prints: readonly string[]): Conversation | null {
    let best: Conversation | null = null;
    if (prints.length === 0) return null;
    for (const each of this.#all) {
      const length = Math.min(each.said.length, prints.length);
      if (length === 0) continue;
      let same = 0;
      while (same < length && each.said[same] === prints[same]) same += 1;
      if (same === length && (best === null || each.said.length > best.said.length)) best = each;
    }
    return best;
  }

  #addSystem(conversation: Conversation, system: JsonView | null): void {
    if (system === null || conversation.system !== null) return;
    conversation.system = system.written;
    const blocks = system.isArray ? system.items : [system];
    const content = blocks.map((block) => {
      const text = block.get('text') ?? block;
      return { kind: 'text' as const, value: text.value('logged') };
    });
    const texts = blocks.flatMap((block) => block.get('text')?.text ?? []);
    const first = texts[0] ?? system.text ?? '';
    const before = conversation.run.parent;
    conversation.run.parent = null;
    const summary = firstLine(first);
    conversation.run.step(system.origin, { kind: 'note', name: 'System prompt', content, summary });
    conversation.run.parent = before;
  }
}

function addFailure(
  run: ChatRun,
  status: 'error' | 'unanswered',
  error: string,
  origin: Origin,
  times: ExchangeTimes,
): void {
  const { startedAt = null, endedAt = null } = times;
  run.step(origin, {
    kind: 'model',
    name: 'Model call',
    status,
    statusReason: firstLine(error, 200),
    summary: firstLine(error),
    time: {
      startedAtNs: startedAt?.ns ?? null,
      endedAtNs: endedAt?.ns ?? null,
      startedAtText: startedAt?.text ?? null,
      endedAtText: endedAt?.text ?? null,
      evidence: 'logged',
    },
  });
}

/** What clients put into a user's message and take out again. */
const REMINDER = /<system-reminder>.*?<\/system-reminder>/gs;

function titleOf(message: ChatMessage): string | null {
  for (const { text } of message.parts) {
    const said = (text ?? '').replace(REMINDER, '').trim();
    if (said !== '') return firstLine(said, 200);
  }
  return null;
}

/** What a message says, whatever form it has: clients rewrite texts to blocks and mark caching. */
function fingerprint({ role, parts, calls, results }: ChatMessage): string {
  const said = parts.flatMap(({ kind, text }) =>
    kind === 'thinking' ? [] : [text === null ? kind : text.replace(REMINDER, '').trim()],
  );
  return JSON.stringify([
    role,
    said.filter((text) => text !== ''),
    calls.map(({ id, name }) => [id, name]),
    results.map(({ callId, name }) => [callId, name]),
  ]);
}
