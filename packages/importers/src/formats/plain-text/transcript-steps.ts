import {
  type CapturedValue,
  notCaptured,
  type Origin,
  type Step,
  type StepKind,
} from '@misstep/model';
import { firstLine, oneLine } from '../../one-line.ts';
import { counted, type IssueList } from '../../record-ledger.ts';
import type { SourceTime } from '../../source-time.ts';
import { inlineValue, makeStep, stepIdAt } from '../../step-builder.ts';
import { splitWrittenToolName } from '../../tool-name.ts';
import type { WrittenCall } from './call-line.ts';
import type { ValueTail } from './cut-mark.ts';
import { OpenCalls } from './open-calls.ts';
import { type PayloadProblem, readPayload, readPayloadOf } from './payload.ts';
import type { CallNames } from './result-head.ts';
import type { WrittenResult } from './result-line.ts';
import type { TextSource } from './text-source.ts';
import { TranscriptClock } from './transcript-clock.ts';
import { addCut, type ReadCall, readAnswer, readCall } from './written-exchange.ts';

const PROTOCOL_METHOD =
  /^(initialize|ping|server\/discover|(tools|resources|prompts)\/list|resources\/(read|templates\/list)|prompts\/get|logging\/setLevel|completion\/complete|notifications\/.+)$/;

const PROBLEMS: Readonly<Record<PayloadProblem, string>> = {
  words: 'they are words',
  'quotes changed': 'somebody made the quotes typographic; read with straight ones',
  'spelled otherwise': 'quotes, words or commas are not those of JSON; kept as written',
};

/** Makes the steps of a transcript and pairs its calls with its results. */
export class TranscriptSteps {
  readonly steps: Step[] = [];
  readonly clock: TranscriptClock;
  readonly #source: TextSource;
  readonly #issues: IssueList;
  readonly #open = new OpenCalls();
  #turn: Step | null = null;

  constructor(source: TextSource, issues: IssueList) {
    this.#source = source;
    this.#issues = issues;
    this.clock = new TranscriptClock(issues, source.sha256);
  }

  get waits(): boolean {
    return this.#open.size > 0;
  }

  readonly names: CallNames = {
    isOpen: (name) => this.#open.hasName(name),
    isKnown: (name) => this.#open.knowsName(name),
  };

  addText(
    record: Origin,
    fields: { kind: StepKind; name: string; text: string; content: CapturedValue | null },
    time: SourceTime | null,
  ): void {
    const { kind, name, text, content } = fields;
    const step = this.#add(record, time, {
      kind,
      name,
      content: content === null ? [] : [{ kind: 'text', value: content }],
      summary: firstLine(text),
    });
    if (kind !== 'user') return;
    step.parentId = null;
    this.#turn = step;
  }

  /** The call as far as it can be read, or why it can't. */
  prepareCall(call: WrittenCall): ReadCall | string {
    const payload =
      call.form === 'empty' && call.payload !== null
        ? readPayload(this.#source, call.payload)
        : readPayloadOf(this.#source, call.payload);
    return readCall(call, payload);
  }

  addCall(
    record: Origin,
    { name, given, summary, idText, problem }: ReadCall,
    tail: ValueTail,
    time: SourceTime | null,
  ): void {
    const isProtocol = PROTOCOL_METHOD.test(name);
    const { server, tool } = splitWrittenToolName(name);
    const step = this.#add(record, time, {
      kind: isProtocol ? 'protocol' : 'tool',
      name: oneLine(isProtocol ? name : tool, 200),
      server: isProtocol ? null : server,
      tool: isProtocol ? null : tool,
      callId: idText,
      arguments: given ?? notCaptured('rendered'),
      summary,
    });
    if (tail.cutMark !== '' && given !== null) addCut(given, tail.cutMark);
    if (problem !== null) this.#countNotJson(record, problem);
    this.#keepNote(step, tail.note, record, 'CALL_TRAILING_TEXT', 'call');
    if (name.startsWith('notifications/')) return;
    step.status = 'unanswered';
    step.statusReason = 'The text holds no result.';
    step.pairing = { by: 'none', derived: true };
    this.#open.add({ step, idText });
  }

  /** Returns why the result can't be read, or null. */
  addResult(record: Origin, result: WrittenResult, time: SourceTime | null): string | null {
    if (result.stranger !== null) {
      return `a result of ${oneLine(result.stranger, 100)}, which no call waits for`;
    }
    const payload = readPayloadOf(this.#source, result.payload);
    const answer = readAnswer(payload);
    const found = this.#open.take(answer.idText, result.name, result.ordinal);
    if (found === null) return 'a result without a call before it';
    const { step, by } = found;
    step.pairing = { by, derived: by !== 'id' };
    if (by !== 'id') this.#countDerived(record);
    step.result = answer.value ?? notCaptured('rendered');
    const { cutMark } = result.tail;
    if (cutMark !== '' && answer.value !== null) addCut(answer.value, cutMark);
    const failed = result.error || answer.isError;
    step.status = answer.isProtocolError ? 'protocolError' : failed ? 'error' : 'ok';
    step.statusReason = failed || answer.isProtocolError ? answer.reason : null;
    const cut = (answer.value?.elisions.length ?? 0) > 0;
    step.emptyResult = cut || failed ? null : answer.isEmpty;
    step.moreOrigins.push(record);
    if (payload?.problem === 'quotes changed') this.#countStraightened(record);
    this.#keepNote(step, result.tail.note, record, 'RESULT_TRAILING_TEXT', 'result');
    if (time !== null) {
      step.time.endedAtText = time.text;
      step.time.endedAtNs = this.clock.place(time, record.offset);
      step.time.evidence = 'rendered';
    }
    return null;
  }

  #add(
    record: Origin,
    time: SourceTime | null,
    fields: Pick<Step, 'kind' | 'name'> & Partial<Step>,
  ): Step {
    const step = makeStep({
      id: stepIdAt(record.offset),
      parentId: this.#turn?.id ?? null,
      evidence: 'rendered',
      origin: record,
      time: this.clock.stepTime(time, record.offset),
      ...fields,
    });
    this.steps.push(step);
    return step;
  }

  #countNotJson(record: Origin, problem: PayloadProblem): void {
    this.#issues.count(
      'ARGUMENTS_NOT_JSON',
      (count) =>
        `The arguments of ${counted(count, 'call')} are no JSON as they are written; the first: ${PROBLEMS[problem]}.`,
      this.#source.sha256,
      record.offset,
    );
  }

  #countStraightened(record: Origin): void {
    this.#issues.count(
      'RESULT_QUOTES_CHANGED',
      (count) => `${counted(count, 'result')}: ${PROBLEMS['quotes changed']}.`,
      this.#source.sha256,
      record.offset,
    );
  }

  /** What stands behind a value and isn't part of it is kept with the step. */
  #keepNote(step: Step, note: string, record: Origin, code: string, noun: string): void {
    if (note === '') return;
    step.content.push({ kind: 'text', value: inlineValue(note, record, 'rendered') });
    this.#issues.count(
      code,
      (count) =>
        `Text behind the value of ${counted(count, noun)}, such as "${oneLine(note, 60)}"; kept with the step, not part of the value.`,
      this.#source.sha256,
      record.offset,
    );
  }

  #countDerived(record: Origin): void {
    this.#issues.count(
      'PAIRING_DERIVED',
      (count) =>
        `${counted(count, 'result')} put to a call by order or name: the text holds no ids.`,
      this.#source.sha256,
      record.offset,
    );
  }
}
