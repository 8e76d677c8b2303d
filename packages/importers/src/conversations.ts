import type { RunClock, Step } from '@misstep/model';
import { AgentLinks, spoken } from './agent-links.ts';
import { type ApiExchange, type ExchangeTimes, mergeItems } from './api-exchange.ts';
import { markBrokenStream } from './broken-stream.ts';
import type { ChatMessage } from './chat-parts.ts';
import { ChatRun, partOf } from './chat-run.ts';
import type { RunDraft } from './importer.ts';
import type { JsonView } from './json-view.ts';
import { firstLine } from './one-line.ts';
import { orderSteps } from './order-steps.ts';
import { counted, type IssueList } from './record-ledger.ts';
import { callBefore, SaidMessages, type SaidPlace } from './said-messages.ts';
import { StepIds } from './step-ids.ts';
import { addFailure, beganBy, endedBy, tellRecorded } from './told-answer.ts';
import { ToolTable } from './tool-table.ts';

interface Conversation {
  readonly run: ChatRun;
  /** No request held more messages than one, and none offered a tool. */
  isAside: boolean;
  readonly said: SaidMessages;
  readonly key: string;
  system: string | null;
  title: string | null;
  hasTimes: boolean;
  /** When the last of its requests was made. */
  latestNs: bigint;
}

/** A conversation, and where in it the next message stands. */
interface Found {
  readonly conversation: Conversation;
  readonly place: SaidPlace;
}

/**
 * Exchanges with a model's API, put together to conversations: every request repeats what was said
 * before, so one that goes on from all that a conversation holds belongs to it. What repeats is
 * counted once. Side calls and sub-agents begin conversations of their own.
 */
export class Conversations {
  readonly #issues: IssueList;
  readonly #groupsAside: boolean;
  readonly #ids = new StepIds();
  readonly #all: Conversation[] = [];
  readonly #agents = new AgentLinks<Conversation>();
  /** Where what goes on from an answer stands, by the answer's id. */
  readonly #byAnswer = new Map<string, Found>();
  #lastWithTools: Conversation | null = null;
  #listed: Conversation | null = null;
  /** The last message of that list, which others may yet join. */
  #last: ChatMessage | null = null;

  /** `groupsAside`: what a client asks with no history and no tools is one run, if there is another. */
  constructor(issues: IssueList, { groupsAside = false } = {}) {
    this.#issues = issues;
    this.#groupsAside = groupsAside;
  }

  /**
   * `began` is where the answer began to be recorded, where that isn't the answer itself. Gives how
   * many of the messages, from the first, were known already.
   */
  add(exchange: ApiExchange, times: ExchangeTimes = {}, began: JsonView | null = null): number {
    const prints = exchange.messages.map(fingerprint);
    const found = this.#byAnswer.get(exchange.previousId ?? '') ?? this.#find(prints, exchange);
    const summarised = found === null ? this.#summarised(exchange) : null;
    const conversation = found?.conversation ?? summarised ?? this.#begin(exchange, began);
    const { run, said } = conversation;
    this.#addSystem(conversation, exchange.system);
    const place =
      found?.place ?? (summarised === null ? said.end() : this.#goOn(summarised, exchange, prints));
    const { branch, known } = place;
    if (exchange.tools !== null) this.#lastWithTools = conversation;
    if (exchange.tools !== null || exchange.messages.length > 1) conversation.isAside = false;
    const { startedAt = null, endedAt = null } = times;
    if (startedAt !== null || endedAt !== null) conversation.hasTimes = true;
    const isEarlier = (startedAt?.ns ?? conversation.latestNs) < conversation.latestNs;
    if (startedAt?.ns != null && !isEarlier) conversation.latestNs = startedAt.ns;
    for (const [index, message] of exchange.messages.entries()) {
      // The message was there when the request was made, at the latest.
      if (index < known) {
        if (isEarlier) {
          beganBy(branch[index]?.step, startedAt);
          for (const { callId } of message.results)
            endedBy(callBefore(branch, index, callId), startedAt);
        }
        continue;
      }
      const before = run.steps.length;
      const step = run.add(message, { startedAt, timeEvidence: 'derived', ...message.stated });
      const added = run.steps.slice(before);
      const print = prints[index] ?? '';
      branch.push({ print, step, calls: added.filter(isCall), isRecorded: false });
      this.#agents.note(conversation, message, added);
      if (message.role === 'user') conversation.title ??= titleOf(message);
    }
    run.addTools(exchange.tools);
    const { answer, error } = exchange;
    const origin = exchange.answerRecord?.origin;
    if (exchange.answerId !== null) {
      this.#byAnswer.set(exchange.answerId, { conversation, place: { branch, known: 0 } });
    }
    if (answer !== null) {
      this.#addAnswer(answer, { conversation, place }, exchange, times, began);
    } else if (error !== null && origin !== undefined) {
      addFailure(run, 'error', error, origin, times);
    } else if (exchange.breaks && origin !== undefined) {
      const step = addFailure(run, 'unknown', '', origin, times);
      step.model = exchange.model;
      markBrokenStream({ kind: exchange.breaks, model: step, steps: [step] }, this.#issues);
    } else if (exchange.unanswered !== undefined && exchange.requestRecord !== null) {
      const { origin: asked } = exchange.requestRecord;
      addFailure(run, 'unanswered', exchange.unanswered, asked, times);
    }
    return known;
  }

  #addAnswer(
    answer: ChatMessage,
    { conversation, place: { branch, known } }: Found,
    exchange: ApiExchange,
    times: ExchangeTimes,
    began: JsonView | null,
  ): void {
    const { run, said } = conversation;
    const { answerRecord, answerId, breaks = null, error } = exchange;
    const print = fingerprint(answer);
    const record = answerRecord ?? answer.place;
    // A question that was asked before, or a request that is recorded behind one that goes on from it.
    const told = known === exchange.messages.length ? branch[known] : undefined;
    const before = run.steps.length;
    let step = told?.print === print && !told.isRecorded ? told.step : null;
    const isTold = step !== null;
    if (told !== undefined && step !== null) {
      told.isRecorded = true;
      tellRecorded(step, told.calls, answer, exchange, times, record.origin);
    } else {
      this.#noteChoices(exchange);
      const { morePlaces: _merged, ...whole } = answer;
      step = run.add(whole, {
        startedAt: times.startedAt ?? null,
        endedAt: times.endedAt ?? null,
        model: exchange.model,
        usage: exchange.usage,
        recordedCostUsd: exchange.recordedCostUsd,
        record: began ?? record,
        moreRecords: began === null || record.isInner ? [] : [record],
        callId: answerId,
      });
      const to = told === undefined ? branch : said.fork(branch, known);
      const calls = run.steps.slice(before).filter(isCall);
      to.push({ print, step, calls, isRecorded: true });
      if (answerId !== null) {
        this.#byAnswer.set(answerId, { conversation, place: { branch: to, known: 0 } });
      }
    }
    const steps = isTold && step !== null ? [step] : run.steps.slice(before);
    if (!isTold) this.#agents.note(conversation, answer, steps);
    if (step !== null && error !== null) {
      step.status = 'error';
      step.statusReason = firstLine(error, 200);
    } else if (breaks !== null) {
      markBrokenStream({ kind: breaks, model: step, steps }, this.#issues);
    }
  }

  #noteChoices({ choices, answerRecord }: ApiExchange): void {
    if (choices <= 1 || answerRecord === null) return;
    this.#issues.count(
      'SEVERAL_CHOICES',
      (count) =>
        `${counted(count, 'answer')} of several choices; what all of them say stands in one model call.`,
      answerRecord.origin.sha256,
      answerRecord.origin.offset,
    );
  }

  /** True where messages that stand by themselves have come. */
  get isListing(): boolean {
    return this.#last !== null || this.#listed !== null;
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
    this.#listed ??= this.#make(null, null);
    this.#listed.run.add(message, message.stated);
    if (message.role === 'user') this.#listed.title ??= titleOf(message);
  }

  runs(client: string | null, sourceName: string, clock: RunClock = 'zoned'): RunDraft[] {
    if (this.#last !== null) this.#addToList(this.#last);
    this.#last = null;
    const all = this.#listed === null ? this.#all : [...this.#all, this.#listed];
    const ofNoCall = all.filter((each) => !this.#agents.isStarted(each));
    const aside = this.#groupsAside ? ofNoCall.filter(({ isAside }) => isAside) : [];
    if (aside.length < 2 || aside.length === all.length) {
      return this.#drafts(all, client, sourceName, clock);
    }
    const title = `Side calls of ${client ?? 'the client'}: ${counted(aside.length, 'conversation')}`;
    const [first] = this.#drafts(aside, client, sourceName, clock);
    const steps = orderSteps(aside.map(({ run }) => underTheirTurn(run.steps)));
    const others = this.#drafts(
      all.filter(({ isAside }) => !isAside),
      client,
      sourceName,
      clock,
    );
    return first === undefined ? others : [...others, { ...first, title, steps }];
  }

  #drafts(
    all: readonly Conversation[],
    client: string | null,
    sourceName: string,
    clock: RunClock,
  ): RunDraft[] {
    return all.flatMap((conversation) => {
      if (this.#agents.isStarted(conversation)) return [];
      const { run, key, title } = conversation;
      const family = this.#agents.family(conversation);
      const streams = [[...run.steps]];
      for (const each of family.slice(1)) {
        this.#agents.attach(each, underTheirTurn(each.run.steps), streams, each.hasTimes);
      }
      const steps = orderSteps(streams);
      if (steps.length === 0) return [];
      const tools = new ToolTable();
      for (const each of family) for (const tool of each.run.tools) tools.add(tool);
      return [
        {
          key,
          title: firstLine(title ?? sourceName, 200) || 'Conversation',
          client,
          model: run.model,
          naturalId: null,
          clock: family.some(({ hasTimes }) => hasTimes) ? clock : ('none' as const),
          steps,
          frames: [],
          tools: tools.list(),
        },
      ];
    });
  }

  #begin(exchange: ApiExchange, began: JsonView | null): Conversation {
    const conversation = this.#make(exchange, began);
    this.#all.push(conversation);
    const opening = exchange.messages.find(({ role }) => role !== 'system');
    // A client asks aside of what an agent is told, without tools.
    const mayBeAgent = opening !== undefined && exchange.tools !== null;
    if (mayBeAgent && this.#agents.begin(conversation, opening)) {
      const { origin } = opening.place;
      this.#issues.count(
        'SUBAGENT_LINK_INFERRED',
        (count) =>
          `${counted(count, 'sub-agent')} put below the call that holds the prompt ${count === 1 ? 'it opens' : 'they open'} with; no id says so.`,
        origin.sha256,
        origin.offset,
      );
    }
    return conversation;
  }

  #make(exchange: ApiExchange | null, began: JsonView | null): Conversation {
    // A stream's whole answer stands at its end, which is not there yet while it grows.
    const at = (exchange?.messages[0]?.place ?? began ?? exchange?.answerRecord)?.origin;
    return {
      run: new ChatRun(this.#issues, this.#ids),
      isAside: exchange !== null,
      said: new SaidMessages(),
      key: at === undefined ? '0' : String(at.offset),
      system: null,
      title: null,
      hasTimes: false,
      latestNs: 0n,
    };
  }

  /** The conversation that the request goes on from, or asks again. */
  #find(prints: readonly string[], exchange: ApiExchange): Found | null {
    let best: Found | null = null;
    for (const conversation of this.#all) {
      const place = conversation.said.find(prints);
      if (place === null) continue;
      // One message may be asked of a model for other ends: a title of it, a word while one waits.
      if (place.known === 1 && !isAskedAlike(conversation, exchange)) continue;
      if (best === null || place.branch.length > best.place.branch.length) {
        best = { conversation, place };
      }
    }
    return best;
  }

  /**
   * A conversation that grew too long goes on from its own summary: the one in which tools were offered
   * last, where the request offers some as well.
   */
  #summarised({ messages, tools }: ApiExchange): Conversation | null {
    const [first] = messages;
    const opens =
      first?.role === 'user' && first.parts.some(({ text }) => SUMMARY.test(text ?? ''));
    return opens && tools !== null ? this.#lastWithTools : null;
  }

  #goOn(
    conversation: Conversation,
    { messages }: ApiExchange,
    prints: readonly string[],
  ): SaidPlace {
    const [first] = messages;
    const place = conversation.said.restart();
    if (first === undefined) return place;
    const { origin } = first.place;
    conversation.run.parent = null;
    const step = conversation.run.step(origin, {
      kind: 'context',
      name: 'Context summary',
      content: first.parts.map(partOf),
      summary: 'Continued from an earlier conversation',
    });
    this.#issues.count(
      'CONTINUATION_INFERRED',
      (count) =>
        `${counted(count, 'conversation')} that ${count === 1 ? 'goes' : 'go'} on from a summary, put to the one before; no id says so.`,
      origin.sha256,
      origin.offset,
    );
    place.branch.push({ print: prints[0] ?? '', step, calls: [], isRecorded: false });
    return { ...place, known: 1 };
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

function isAskedAlike({ system, run }: Conversation, exchange: ApiExchange): boolean {
  const isSame = (system ?? '') === (exchange.system?.written ?? '');
  return isSame && run.tools.length > 0 === (exchange.tools?.items.length ?? 0) > 0;
}

/** What the model was told stands below what was asked, so that each conversation stays together. */
function underTheirTurn(steps: readonly Step[]): Step[] {
  const turn = steps.find(({ kind }) => kind === 'user');
  if (turn === undefined) return [...steps];
  const rest = steps.filter((step) => step !== turn);
  // In place: a step may be one of many whose contents lie elsewhere.
  for (const step of rest) step.parentId ??= turn.id;
  return [turn, ...rest];
}

/** How Claude Code opens what it goes on with once a conversation has been summarised. */
const SUMMARY = /^\s*This session is being continued from a previous conversation/;

const isCall = ({ kind }: Step): boolean => kind === 'tool';

function titleOf(message: ChatMessage): string | null {
  for (const { text } of message.parts) {
    const said = spoken(text);
    if (said !== '') return firstLine(said, 200);
  }
  return null;
}

/** What a message says, whatever form it has: clients rewrite texts to blocks and mark caching. */
function fingerprint({ role, parts, calls, results }: ChatMessage): string {
  const said = parts.flatMap(({ kind, text }) =>
    kind === 'thinking' ? [] : [text === null ? kind : spoken(text)],
  );
  return JSON.stringify([
    role,
    said.filter((text) => text !== ''),
    calls.map(({ id, name }) => [id, name]),
    results.map(({ callId, name }) => [callId, name]),
  ]);
}
