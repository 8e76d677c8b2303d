import { readFile } from 'node:fs/promises';
import type { Handshake, ListedTool, SentCall, TapRecord } from '@misstep/mcp';
import {
  EraMemory,
  ImpossibleSettingsError,
  knownSecrets,
  McpConnection,
  maskSecrets,
  onOneLine,
  type RawAnswer,
  shortened,
  startClock,
  TapWriter,
} from '@misstep/mcp';
import {
  type Comparison,
  type EvidenceGrade,
  fail,
  ok,
  type Receipt,
  type Result,
} from '@misstep/model';
import { adviseOnAnswer } from './answer-advice.ts';
import { AskView } from './asks/ask-view.ts';
import { CallWatch } from './call-watch.ts';
import {
  endingOfAnswer,
  endingOfHandshake,
  endingOfRefused,
  endingOfSettings,
  endingOfStop,
} from './ending.ts';
import type { Ending, Phase } from './ending-parts.ts';
import { FrameLogWriter } from './frame-log-writer.ts';
import { checkListedTool, planReplay, type ReplayPlan } from './policy.ts';
import {
  accountOfAsks,
  createReceipt,
  describeResult,
  type ResultFacts,
  sha256,
} from './receipt.ts';
import { searchedInAddress } from './receipts/address-secrets.ts';
import { findLogSecrets } from './receipts/log-secrets.ts';
import { answerBytesOf, type LoggedResult } from './receipts/logged-call.ts';
import { applyLogPlaces } from './receipts/secret-places.ts';
import type { ReplayCall, ReplayEnding, ReplayRefusal, ReplayRequest } from './replay-call.ts';
import { ReplayView } from './replay-view.ts';
import { remarkOnResult } from './result-remarks.ts';
import { type Settled, settle } from './settle.ts';
import { type Stop, watchForStop } from './stop.ts';
import { readWholeToolList } from './whole-tool-list.ts';

/** In characters: whatever a server says, our sentence of it can be read. */
const LONGEST_SENTENCE = 2000;

/** What was recorded of the result, and whether the call differs from the recorded one. */
export interface AnswerRecorded {
  readonly transcriptText: string | null;
  readonly transcriptIsCut: boolean;
  readonly transcriptEvidence: EvidenceGrade;
  readonly wireText: string | null;
  readonly recordedIsError: boolean;
  readonly inputsEdited: boolean;
}

/** Work whose time grows with the answer; the composition root says where it is done. */
export interface AnswerWork {
  compare(input: {
    readonly recorded: AnswerRecorded;
    readonly answer: LoggedResult;
  }): Comparison | Promise<Comparison>;
  /** `describeResult` and `remarkOnResult`; in place where it is absent. */
  describe?(input: {
    readonly resultBytes: Uint8Array;
    readonly definitionText: string | null;
  }): Promise<{ readonly facts: ResultFacts; readonly remarks: string[] }>;
}

/** Makes the function that sends one call once. */
export function createReplayCall(work: AnswerWork): ReplayCall {
  const eras = new EraMemory();
  return async (request) => {
    const plan = planReplay(request);
    if (!plan.ok) return plan;
    return new ReplayRun(request, plan.value, work, eras).run();
  };
}

/** What the conversation with the server came to. */
interface Conversation {
  readonly ending: Ending;
  readonly answer: RawAnswer | null;
}

/** One replay, used once. */
class ReplayRun {
  readonly #request: ReplayRequest;
  readonly #plan: ReplayPlan;
  readonly #work: AnswerWork;
  readonly #clock = startClock();
  readonly #startedAt = new Date();
  readonly #view = new ReplayView();
  readonly #asks = new AskView();
  readonly #watch: CallWatch;
  readonly #log: FrameLogWriter;
  readonly #tap: TapWriter;
  readonly #logFailed: Promise<void>;
  #callbackError: unknown = null;
  #isOver = false;
  #isEndedByUs = false;
  readonly #connection: McpConnection;
  #handshake: Handshake | null = null;
  #listedTool: ListedTool | null = null;
  #call: SentCall | null = null;

  constructor(request: ReplayRequest, plan: ReplayPlan, work: AnswerWork, eras: EraMemory) {
    this.#request = request;
    this.#watch = new CallWatch(request.secrets);
    this.#plan = plan;
    this.#work = work;
    let failed: () => void = () => undefined;
    this.#logFailed = new Promise((resolve) => {
      failed = resolve;
    });
    const { target } = request;
    this.#log = new FrameLogWriter(request.frameLogPath, target.address.transport, 'c1', failed);
    const tap = (record: TapRecord) => this.#see(record);
    this.#tap = new TapWriter(tap, this.#clock, request.secrets);
    this.#connection = new McpConnection({
      address: target.address,
      defaultCwd: request.defaultCwd,
      maxFrameBytes: request.maxFrameBytes,
      tap,
      clock: this.#clock,
      clientVersion: request.misstepVersion,
      timeoutMs: request.timeoutMs,
      protocolRevision: target.settings.protocolRevision,
      eras,
      ...(request.secrets === undefined ? {} : { secrets: request.secrets }),
      ...(request.askDesk === undefined ? {} : { answerServer: request.askDesk.answerServer }),
    });
  }

  async run(): Promise<Result<ReplayEnding, ReplayRefusal>> {
    const request = this.#request;
    request.onState?.('connecting');
    const { stop, timeout, release } = watchForStop({
      timeoutMs: request.timeoutMs,
      signal: request.signal,
      ended: this.#connection.ended,
      logFailed: this.#logFailed,
    });
    request.askDesk?.open((note) => this.#tap.bytes('#', note), timeout);
    let conversation: Result<Conversation, ReplayRefusal>;
    try {
      conversation = await this.#converse(stop);
    } finally {
      release();
      request.askDesk?.end();
      await this.#connection.close();
      this.#isOver = true;
      this.#log.close();
    }
    if (this.#callbackError !== null) throw this.#callbackError;
    if (!conversation.ok) return conversation;
    return ok(await this.#account(conversation.value));
  }

  async #converse(stop: Promise<Stop>): Promise<Result<Conversation, ReplayRefusal>> {
    const handshake = await settle(this.#connection.handshake(), stop);
    if (handshake.type !== 'done') {
      return ok(await this.#unanswered(handshake, this.#connection.opening));
    }
    this.#handshake = handshake.value;

    const list = await settle(readWholeToolList(this.#connection), stop);
    if (list.type !== 'done') return ok(await this.#unanswered(list, 'tools/list'));
    if (!list.value.ok) {
      return ok({
        ending: endingOfHandshake('tools/list', list.value.error, this.#watch),
        answer: null,
      });
    }
    const tool = checkListedTool(
      this.#request,
      this.#plan,
      list.value.value,
      this.#handshake.protocolEra,
    );
    if (!tool.ok) return fail(tool.error);
    this.#listedTool = tool.value;

    this.#request.onState?.('waiting');
    const call = this.#connection.callTool(this.#plan.tool, this.#plan.argumentsText);
    this.#call = call;
    const answer = await settle(call.answer, stop);
    if (answer.type === 'done') return ok(this.#answered(answer.value));
    if (answer.type === 'stopped' && answer.stop.reason === 'timeout') {
      const { asks } = this.#asks;
      const words = asks.length === 0 ? '' : ', the time that its asks were open not counted';
      this.#tap.event('timeout', `no answer within ${this.#request.timeoutMs} ms${words}`);
      call.cancel('the client waited long enough');
    }
    if (answer.type === 'stopped' && answer.stop.reason === 'cancelled') {
      this.#tap.event('cancel', 'cancelled by the person');
      call.cancel('cancelled by the person');
    }
    if (answer.type === 'stopped' && answer.stop.reason === 'misstepStopped') {
      this.#tap.event('cancel', 'Misstep was stopped');
      call.cancel('the client was stopped');
    }
    return ok(await this.#unanswered(answer, 'tools/call'));
  }

  #answered(answer: RawAnswer): Conversation {
    const refused = this.#watch.refusedAnswer;
    const { tool } = this.#plan;
    if (refused?.answer.bytes === answer.bytes) {
      return { ending: endingOfRefused(refused, tool, this.#handshake?.protocolEra), answer };
    }
    return { ending: endingOfAnswer(answer.frame, tool, this.#handshake?.protocolEra), answer };
  }

  /** What was not as the person asked for, or not in one step, as more sentences. */
  #notes(answer: RawAnswer | null, remarks: readonly string[]): string {
    const forced = this.#request.target.settings.protocolRevision;
    const agreed = this.#handshake?.protocolRevision ?? null;
    const rounds = this.#call?.rounds ?? 0;
    const notes = [
      ...(rounds > 1 ? [`The server asked for input, so the call took ${rounds} requests.`] : []),
      ...(forced !== 'auto' && agreed !== null && agreed !== forced
        ? [`Revision ${forced} was offered, but the server chose ${agreed}.`]
        : []),
      ...(answer === null ? this.#restWords() : remarks),
    ];
    return notes.map((note) => ` ${note}`).join('');
  }

  /** Hashes of the result, and what a client or a reader takes offence at in it. */
  async #describe(
    resultBytes: Uint8Array,
  ): Promise<{ readonly facts: ResultFacts; readonly remarks: string[] }> {
    const definitionText = this.#listedTool?.definitionText ?? null;
    if (this.#work.describe !== undefined) {
      return this.#work.describe({ resultBytes, definitionText });
    }
    return {
      facts: describeResult(resultBytes),
      remarks: remarkOnResult(resultBytes, definitionText),
    };
  }

  /** What still came of a call that had no answer. */
  #restWords(): string[] {
    const { cutFrameBytes, toldProgressAfterCancel, isCallSent } = this.#watch;
    return [
      ...(this.#isEndedByUs && isCallSent && cutFrameBytes !== null
        ? [`By then ${formatBytes(cutFrameBytes)} of an unfinished frame had come; they are kept.`]
        : []),
      ...(toldProgressAfterCancel
        ? ['After the call was cancelled the server still told of progress, so it had not stopped.']
        : []),
    ];
  }

  async #unanswered(
    outcome: Exclude<Settled<unknown>, { type: 'done' }>,
    phase: Phase,
  ): Promise<Conversation> {
    if (outcome.type === 'failed' && outcome.error instanceof ImpossibleSettingsError) {
      return { ending: endingOfSettings(outcome.error.message), answer: null };
    }
    const stop = outcome.type === 'stopped' ? outcome.stop : await this.#endIfAny();
    if (stop === null) {
      const reason = outcome.type === 'failed' ? firstLine(outcome.error) : '';
      return { ending: endingOfHandshake(phase, reason, this.#watch), answer: null };
    }
    if (stop.reason === 'logFailed') {
      // `run` throws the reason when it closes the log.
      return {
        ending: endingOfHandshake(phase, 'the frame log failed.', this.#watch),
        answer: null,
      };
    }
    const { refusedAnswer } = this.#watch;
    if (refusedAnswer !== null && (stop.reason === 'ended' || stop.reason === 'timeout')) {
      return this.#answered(refusedAnswer.answer);
    }
    this.#isEndedByUs = stop.reason !== 'ended';
    const { timeoutMs, target } = this.#request;
    return { ending: endingOfStop(stop, phase, this.#watch, timeoutMs, target), answer: null };
  }

  /** The end of the connection where it, and not an answer, made a step fail. */
  async #endIfAny(): Promise<Extract<Stop, { reason: 'ended' }> | null> {
    const end = await Promise.race([
      this.#connection.ended,
      new Promise<null>((resolve) => setImmediate(() => resolve(null))),
    ]);
    return end === null || end.reason === 'closed' ? null : { reason: 'ended', end };
  }

  #see(record: TapRecord): void {
    // What is not in the log any more must not be shown either.
    if (this.#isOver) return;
    this.#log.append(record);
    this.#watch.see(record);
    const item = this.#view.add(record);
    try {
      if (item?.type === 'frame') this.#request.onFrame?.(item.frame);
      if (item?.type === 'event') this.#request.onEvent?.(item.event);
      if (this.#asks.add(record)) {
        this.#request.onAsks?.(this.#asks.asks, this.#asks.omittedCount);
      }
    } catch (error) {
      // Thrown from here it would end the process: we are inside a stream's own callback.
      this.#callbackError ??= error;
    }
  }

  /** The log's hashes, and where secrets stand in it: noted now, while they are known. */
  async #finishLog(): Promise<Pick<ReplayEnding, 'secretPlaces'> & Pick<Receipt, 'frameLog'>> {
    const { secrets = [], target, frameLogPath } = this.#request;
    const whole = this.#log.whole();
    if (knownSecrets(secrets).length + searchedInAddress(target.address).length === 0) {
      const sizeBytes = whole?.sizeBytes ?? 0;
      return { secretPlaces: { sizeBytes, masks: [], places: [] }, frameLog: whole };
    }
    const bytes = await readFile(frameLogPath);
    const secretPlaces = await findLogSecrets(bytes, secrets, target.address);
    const placeCount = secretPlaces.places.filter(([, , mask]) => mask >= 0).length;
    if (whole === undefined || placeCount === 0) return { secretPlaces, frameLog: whole };
    const masked = { sha256: sha256(applyLogPlaces(bytes, secretPlaces)), placeCount };
    return { secretPlaces, frameLog: { ...whole, masked } };
  }

  async #account({ ending, answer }: Conversation): Promise<ReplayEnding> {
    const endedAt = new Date();
    const durationNs = this.#clock.now().atNs;
    const { secretPlaces, frameLog } = await this.#finishLog();
    const { call, target, secrets } = this.#request;
    // The frames are what the server said; our own words about them repeat no secret.
    const answered = answer === null ? null : answerBytesOf(answer.bytes);
    const hasResult = answered !== null && !answered.isError;
    const described = hasResult ? await this.#describe(answered.bytes) : null;
    const advice = answer === null ? [] : adviseOnAnswer(answer.frame, target);
    const notes = this.#notes(answer, [...advice, ...(described?.remarks ?? [])]);
    const words = maskSecrets(`${ending.sentence}${notes}`, secrets);
    const sentence = shortened(words, LONGEST_SENTENCE);
    const detail = ending.detail === null ? null : maskSecrets(ending.detail, secrets);
    const { argumentsText } = this.#plan;
    const { receipt, receiptText } = createReceipt({
      request: this.#request,
      plan: this.#plan,
      sentArgumentsText:
        target.address.transport === 'stdio' ? onOneLine(argumentsText) : argumentsText,
      listedTool: this.#listedTool,
      handshake: this.#handshake,
      result: described?.facts ?? null,
      rounds: this.#call?.rounds ?? 0,
      startedAt: this.#startedAt,
      endedAt,
      durationNs,
      callDurationNs: answer === null ? null : answer.atNs - answer.sentAtNs,
      asks: accountOfAsks(this.#asks, answer),
      frameLog,
      outcome: ending.outcome,
      outcomeDetail: detail,
    });
    const { arguments: pinned, tool } = receipt.pins;
    const comparison =
      answered === null
        ? null
        : await this.#work.compare({
            recorded: {
              transcriptText: call.resultText,
              transcriptIsCut: call.resultIsCut,
              transcriptEvidence: call.resultEvidence,
              wireText: call.wireResultText ?? null,
              recordedIsError: call.resultIsProtocolError ?? false,
              inputsEdited: pinned === 'edited' || tool === 'edited',
            },
            answer: answered,
          });
    const { outcome } = ending;
    return { outcome, sentence, receipt, receiptText, comparison, secretPlaces };
  }
}

function formatBytes(count: number): string {
  return `${count.toLocaleString('en-US')} bytes`;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = shortened(text.replace(/\s+/g, ' '), 900);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
