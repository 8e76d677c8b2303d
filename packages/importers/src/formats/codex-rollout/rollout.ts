import type { ContentPart, Step, Usage } from '@misstep/model';
import { feeRequests } from '../../chat-usage.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import type { IssueList } from '../../record-ledger.ts';
import type { RunSource } from '../../run-sources.ts';
import { addOrigin, type Moment, type RunWriter, textPart } from '../../run-writer.ts';
import { type Channel, Echoes } from './echoes.ts';

/** What a model call gave so far. */
interface Output {
  readonly step: Step;
  text: string | null;
  readonly tools: string[];
}

/** One rollout while it is read: a session, or a sub-agent's. */
export class Rollout {
  readonly writer: RunWriter;
  readonly echoes = new Echoes();
  readonly issues: IssueList;
  /** Id of a started agent to the call that started it. */
  readonly agents = new Map<string, Step>();
  /** Where it stands in the run: `next` is a fork, which goes on from one before. */
  readonly source: RunSource;
  /** Of a fork: the step that its own records begin with. */
  opening: Step | null = null;
  sessionId: string | null = null;
  version: string | null = null;
  originator: string | null = null;
  /** The model call that outputs belong to; null after anything that isn't output. */
  #output: Output | null = null;
  #lastOutput: Output | null = null;
  #lastModelStep: Step | null = null;
  #before: Moment | null = null;
  #total: string | null = null;
  #fees = 0;

  constructor(writer: RunWriter, issues: IssueList, source: RunSource) {
    this.writer = writer;
    this.source = source;
    this.issues = issues;
  }

  /** Called behind every record, to know when the next model call began. */
  passed(at: Moment | null): void {
    if (at !== null) this.#before = at;
  }

  /** What comes next is no output of the model call so far. */
  endOutput(): void {
    this.#output = null;
  }

  /** The model call that this output belongs to. */
  modelCall(record: JsonPlace, at: Moment | null): Step {
    const origin = record.origin();
    if (this.#output === null) {
      const step = this.writer.step(origin, at, {
        kind: 'model',
        name: 'Model call',
        model: this.writer.model,
      });
      if (at !== null) this.writer.deriveTime(step, this.#startOf(at), at);
      this.finish();
      this.#output = { step, text: null, tools: [] };
      this.#lastOutput = this.#output;
      this.#lastModelStep = step;
      return step;
    }
    const { step } = this.#output;
    addOrigin(step, origin);
    if (at !== null && (step.time.endedAtNs === null || at.ns >= step.time.endedAtNs)) {
      this.writer.endAt(step, at);
    }
    return step;
  }

  #startOf(at: Moment): Moment {
    const before = this.#before;
    return before !== null && before.clock === at.clock && before.ns <= at.ns ? before : at;
  }

  addCallName(name: string): void {
    this.#output?.tools.push(name);
  }

  /** Text of the model, unless the other channel brought it already. */
  addModelText(
    record: JsonPlace,
    at: Moment | null,
    channel: Channel,
    part: { kind: 'text' | 'thinking'; place: JsonPlace },
  ): void {
    const text = part.place.text() ?? '';
    const known = this.echoes.take(channel, part.kind, text);
    if (known !== null) {
      addOrigin(known, record.origin());
      return;
    }
    const step = this.modelCall(record, at);
    step.content.push(textPart(part.place, part.kind));
    if (part.kind === 'text' && this.#output !== null && text.trim() !== '') {
      this.#output.text ??= firstLine(text);
    }
    this.echoes.add(channel, part.kind, text, step);
  }

  /** A prompt of the person, unless the other channel brought it already. */
  addPrompt(
    record: JsonPlace,
    at: Moment | null,
    channel: Channel,
    content: ContentPart[],
    text: string,
  ): void {
    this.endOutput();
    const known = this.echoes.take(channel, 'prompt', text);
    if (known !== null) {
      addOrigin(known, record.origin());
      return;
    }
    const step = this.writer.userTurn(record.origin(), at, content, text);
    this.echoes.add(channel, 'prompt', text, step);
  }

  /** A call that costs more than the tokens that are counted next. */
  addFee(): void {
    this.#fees += 1;
  }

  /** Usage is repeated as long as nothing was spent: the same total counts once. False where it says nothing new. */
  addTokenCount(record: JsonPlace, at: Moment | null, info: JsonPlace): boolean {
    const last = info.get('last_token_usage');
    const spent = last.isThere ? last : info.get('total_token_usage');
    if (!spent.isThere || !this.seeTotal(info)) return false;
    const usage = usageOf(spent);
    if (usage === null) return false;
    let step = this.#lastModelStep;
    if (step === null || step.usage !== null) {
      this.endOutput();
      step = this.modelCall(record, at);
      step.summary = '(no output recorded)';
    }
    step.usage = { ...usage, ...feeRequests(this.#fees) };
    this.#fees = 0;
    addOrigin(step, record.origin());
    return true;
  }

  /** False where the tokens spent so far are those of the count before. */
  seeTotal(info: JsonPlace): boolean {
    const total = info.get('total_token_usage');
    const key = (total.isThere ? total : info.get('last_token_usage')).written();
    if (key === this.#total) return false;
    this.#total = key;
    return true;
  }

  /** Gives the last model call its summary: now it is known what it says. */
  finish(): void {
    if (this.#lastOutput === null) return;
    const { step, text, tools } = this.#lastOutput;
    const calls = tools.length === 0 ? '' : `calls ${tools.join(', ')}`;
    const shown = firstLine(text ?? calls);
    if (shown !== '') step.summary = shown;
    else if (step.content.length > 0) step.summary = '(thinking)';
  }
}

/** Input holds what came from the cache. */
export function usageOf(usage: JsonPlace): Usage | null {
  const inputTokens = usage.get('input_tokens').count();
  const outputTokens = usage.get('output_tokens').count();
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: usage.get('cached_input_tokens').count(),
    cacheWriteTokens: null,
    inputExcludesCache: false,
  };
}
