import { parseJson } from '@misstep/json';
import type {
  CapturedValue,
  ContentPart,
  Elision,
  EvidenceGrade,
  Origin,
  Pairing,
  RunClock,
  SourceHash,
  Step,
  StepStatus,
  StepTime,
} from '@misstep/model';
import { argumentSummary } from './argument-summary.ts';
import { isEmptyContent, isEmptyResult, isEmptyText } from './empty-result.ts';
import type { RecordedTool, RunDraft } from './importer.ts';
import type { JsonPlace } from './json-place.ts';
import { firstLine, oneLine } from './one-line.ts';
import { ownText } from './own-text.ts';
import { counted, type IssueList } from './record-ledger.ts';
import { epochToNs, readTime } from './source-time.ts';
import { makeStep, type StepFields, stepIdAt } from './step-builder.ts';

/** A time of the source, read. */
export interface Moment {
  readonly clock: RunClock;
  readonly ns: bigint;
  readonly text: string;
}

/** An ISO time, or a number of time since 1970; null where it is neither. */
export function momentAt(place: JsonPlace): Moment | null {
  const text = place.text();
  if (text !== null) return readTime(text.trim());
  const written = place.kind === 'number' ? place.written() : null;
  const ns = written === null ? null : epochToNs(written);
  return ns === null || written === null ? null : { clock: 'zoned', ns, text: written };
}

export interface CallFields {
  readonly name: string;
  readonly server?: string | null;
  readonly tool?: string | null;
  readonly callId: string | null;
  readonly arguments: CapturedValue | null;
  readonly summary?: string;
  readonly at: Moment | null;
  readonly kind?: Step['kind'];
}

export interface Answer {
  readonly status: StepStatus;
  readonly reason?: string | null;
  readonly result: CapturedValue | null;
  readonly emptyResult?: boolean | null;
  readonly at: Moment | null;
  readonly pairing: Pairing;
}

const MOST_LOOKED_AT = 5000;

export const BY_ID: Pairing = { by: 'id', derived: false };

/** Steps of one source (or thread) in file order, below the turn they belong to. */
export class RunWriter {
  readonly steps: Step[] = [];
  readonly sha256: SourceHash;
  readonly evidence: EvidenceGrade;
  /** Prefix of step ids; null for the main source. */
  readonly part: string | null;
  /** The step that the next ones belong under. */
  turn: Step | null = null;
  model: string | null = null;
  clock: RunClock | null = null;
  /** Where ids count from instead of the record's beginning: for records that hold many entries. */
  idOffset: number | null = null;
  /** Of the source that this one goes on from: a call may stand there and its answer here. */
  goesOnFrom: RunWriter | null = null;
  readonly #issues: IssueList;
  readonly #ordinals = new Map<number, number>();
  readonly #open = new Map<string, { steps: Step[]; next: number }>();
  readonly #taken = new WeakSet<Step>();
  readonly #waiting = new Set<Step>();
  readonly #latest = new Map<string, Step>();

  constructor(
    source: { readonly sha256: SourceHash },
    issues: IssueList,
    evidence: EvidenceGrade,
    part: string | null = null,
  ) {
    this.sha256 = source.sha256;
    this.#issues = issues;
    this.evidence = evidence;
    this.part = part;
  }

  /** Adds a step that begins with this record. `own`: its ordinal, so that others keep theirs beside it. */
  step(
    record: Origin,
    at: Moment | null,
    fields: Omit<StepFields, 'id' | 'evidence' | 'origin' | 'time'>,
    own?: number,
  ): Step {
    const offset = this.idOffset ?? record.offset;
    const ordinal = own ?? this.#ordinals.get(offset) ?? 0;
    if (own === undefined) this.#ordinals.set(offset, ordinal + 1);
    const step = makeStep({
      parentId: this.turn?.id ?? null,
      id: stepIdAt(offset, ordinal, this.part),
      evidence: this.evidence,
      origin: record,
      time: this.timeOf(at, null, record.offset),
      ...fields,
    });
    step.name = oneLine(step.name, 200) || '(no name)';
    step.summary = oneLine(step.summary);
    this.steps.push(step);
    return step;
  }

  /** Adds a user's turn at the top; what follows belongs under it. */
  userTurn(record: Origin, at: Moment | null, content: ContentPart[], text: string): Step {
    this.turn = null;
    const summary = firstLine(text) || '(no text)';
    this.turn = this.step(record, at, { kind: 'user', name: 'User turn', content, summary });
    return this.turn;
  }

  note(record: Origin, at: Moment | null, name: string, content: ContentPart[], text = ''): Step {
    return this.step(record, at, { kind: 'note', name, content, summary: firstLine(text) });
  }

  /** Adds a call that waits for its answer. */
  call(record: Origin, fields: CallFields): Step {
    const step = this.step(record, fields.at, {
      kind: fields.kind ?? 'tool',
      name: fields.name,
      server: fields.server ?? null,
      tool: fields.tool ?? fields.name,
      callId: fields.callId,
      status: 'unanswered',
      statusReason: 'The source holds no result.',
      pairing: { by: 'none', derived: false },
      arguments: fields.arguments,
      summary: fields.summary ?? '',
    });
    this.#waiting.add(step);
    const id = ownText(fields.callId ?? '');
    if (id !== '') {
      this.#latest.set(id, step);
      const open = this.#open.get(id);
      if (open === undefined) this.#open.set(id, { steps: [step], next: 0 });
      else open.steps.push(step);
    }
    return step;
  }

  /** The earliest call with this id that waits; it waits no longer. */
  takeOpen(id: string | null): Step | null {
    const open = id === null ? undefined : this.#open.get(id);
    while (open !== undefined && open.next < open.steps.length) {
      const step = open.steps[open.next];
      open.next += 1;
      if (open.next === open.steps.length) this.#open.delete(id ?? '');
      if (step === undefined || this.#taken.has(step)) continue;
      this.#take(step);
      return step;
    }
    return this.goesOnFrom?.takeOpen(id) ?? null;
  }

  #take(step: Step): void {
    this.#waiting.delete(step);
    this.#taken.add(step);
  }

  /** The last call with this id, answered or not. */
  lastCall(id: string | null): Step | null {
    return id === null ? null : (this.#latest.get(id) ?? this.goesOnFrom?.lastCall(id) ?? null);
  }

  /**
   * The earliest waiting call that `fits`; it waits no longer. For sources without ids. Of very many
   * only the earliest are looked at, so that a long source stays quick.
   */
  takeWaiting(fits: (step: Step) => boolean): Step | null {
    let looked = 0;
    for (const step of this.#waiting) {
      looked += 1;
      if (looked > MOST_LOOKED_AT) return null;
      if (!fits(step)) continue;
      this.#take(step);
      return step;
    }
    return null;
  }

  /** The call waits for nothing more, without an answer. */
  settle(step: Step, status: StepStatus, reason: string): void {
    this.#take(step);
    step.status = status;
    step.statusReason = reason;
  }

  answer(step: Step, record: Origin | null, answer: Answer): void {
    step.status = answer.status;
    step.statusReason = answer.reason ?? null;
    step.result = answer.result;
    step.pairing = answer.pairing;
    const cut = (answer.result?.elisions.length ?? 0) > 0;
    step.emptyResult = cut ? null : (answer.emptyResult ?? null);
    this.#take(step);
    if (record !== null) addOrigin(step, record);
    if (answer.at !== null) this.endAt(step, answer.at);
    if (answer.pairing.derived) this.#pairingDerived(record?.offset ?? null);
  }

  endAt(step: Step, at: Moment): void {
    step.time.endedAtText = at.text;
    if (this.#fits(at, step.origin.offset)) step.time.endedAtNs = at.ns;
  }

  /** Every call that still waits ends with this status. */
  endWaiting(status: StepStatus, reason: string): void {
    for (const step of this.#waiting) {
      step.status = status;
      step.statusReason = reason;
    }
    this.#waiting.clear();
  }

  timeOf(start: Moment | null, end: Moment | null, offset: number): StepTime {
    if (start !== null) this.clock ??= start.clock;
    return {
      startedAtNs: start !== null && this.#fits(start, offset) ? start.ns : null,
      endedAtNs: end !== null && this.#fits(end, offset) ? end.ns : null,
      startedAtText: start?.text ?? null,
      endedAtText: end?.text ?? null,
      evidence: start === null && end === null ? 'derived' : this.evidence,
    };
  }

  /** Times of a step whose start was worked out from another record. */
  deriveTime(step: Step, start: Moment, end: Moment | null): void {
    step.time = { ...this.timeOf(start, end, step.origin.offset), evidence: 'derived' };
  }

  #fits(at: Moment, offset: number): boolean {
    this.clock ??= at.clock;
    if (this.clock === at.clock) return true;
    this.#issues.count(
      'CLOCK_MIXED',
      (count) => `${counted(count, 'time')} of another kind than the first can't be placed.`,
      this.sha256,
      offset,
    );
    return false;
  }

  #pairingDerived(offset: number | null): void {
    this.#issues.count(
      'PAIRING_DERIVED',
      (count) => `${counted(count, 'result')} put to a call by order or name, without an id.`,
      this.sha256,
      offset,
    );
  }
}

/** The run of these ordered steps; null where there are none. */
export function draftOf(
  steps: Step[],
  fields: Pick<RunDraft, 'key' | 'client' | 'model' | 'naturalId'> & {
    readonly title: string | null;
    readonly clock: RunClock | null;
    readonly tools?: readonly RecordedTool[];
    readonly sourceName: string;
    readonly recordedCostUsd?: string | null;
  },
): RunDraft | null {
  if (steps.length === 0) return null;
  const { title, clock, tools, sourceName, key, client, model, naturalId } = fields;
  const firstTurn = steps.find(({ kind }) => kind === 'user')?.summary;
  const firstReply = steps.find(({ kind }) => kind === 'model')?.summary;
  const shown = firstLine(title || firstTurn || firstReply || '', 200);
  return {
    key,
    title: shown || firstLine(sourceName, 200) || 'Run',
    client,
    model,
    naturalId,
    clock: clock ?? 'none',
    steps,
    frames: [],
    tools: tools ?? [],
    recordedCostUsd: fields.recordedCostUsd ?? null,
  };
}

/** Adds a further record to a step unless the step has it. */
export function addOrigin(step: Step, record: Origin): void {
  const same = (each: Origin): boolean =>
    each.sha256 === record.sha256 &&
    each.offset === record.offset &&
    each.length === record.length &&
    each.pointer === record.pointer;
  if (!same(step.origin) && !step.moreOrigins.some(same)) step.moreOrigins.push(record);
}

export function textPart(place: JsonPlace, kind: ContentPart['kind'] = 'text'): ContentPart {
  return { kind, value: place.value() };
}

/** One line of arguments: of an object by its members, of JSON in a string by what it holds. */
export function summaryOfArguments(place: JsonPlace): string {
  if (place.node === undefined) return '';
  const text = place.text();
  if (text === null) return argumentSummary(place.source.document, place.node);
  const parsed = /^\s*[{[]/.test(text) && text.length < 65_536 ? parseJson(text) : null;
  return parsed?.ok ? argumentSummary(parsed.value, parsed.value.root) : firstLine(text);
}

/** Whether a recorded result holds nothing; null where there is none. */
export function isEmptyAt(place: JsonPlace): boolean | null {
  const { node } = place;
  if (node === undefined) return null;
  const { document } = place.source;
  if (node.kind === 'string') return isEmptyText(place.text() ?? '');
  if (node.kind === 'array' && node.items.some((item) => item.kind === 'object')) {
    return isEmptyContent(document, node.items);
  }
  return isEmptyResult(document, node);
}

export function cutAt(
  pointer: string,
  kind: Elision['kind'],
  count: number | null,
  marker: string,
): Elision {
  return { pointer, kind, count, marker: oneLine(marker) };
}
