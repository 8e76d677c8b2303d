import type {
  CapturedValue,
  ContentPart,
  EvidenceGrade,
  Origin,
  Step,
  Usage,
} from '@misstep/model';
import { notCaptured } from '@misstep/model';
import { argumentSummary } from './argument-summary.ts';
import { isEmptyPlace, verdictOfAnswer } from './call-verdict.ts';
import type { ChatCall, ChatMessage, ChatPart, ChatResult } from './chat-parts.ts';
import { cutsInResult } from './cut-marks.ts';
import type { RecordedTool } from './importer.ts';
import type { JsonView } from './json-view.ts';
import { addTo } from './multi-map.ts';
import { offeredTools } from './offered-tools.ts';
import { firstLine, oneLine } from './one-line.ts';
import { ownText } from './own-text.ts';
import { counted, type IssueList } from './record-ledger.ts';
import { makeStep, noTime, type StepFields } from './step-builder.ts';
import { StepIds } from './step-ids.ts';
import { splitToolName } from './tool-name.ts';
import { ToolTable } from './tool-table.ts';
import type { SpanTime } from './trace-span.ts';

/** What a format knows of a message beyond the message itself. */
export interface MessageExtras {
  readonly startedAt?: SpanTime | null;
  readonly endedAt?: SpanTime | null;
  readonly model?: string | null;
  readonly usage?: Usage | null;
  /** USD that the source states for the model call. */
  readonly recordedCostUsd?: string | null;
  /** The record that the message belongs to; the message itself where it isn't given. */
  readonly record?: JsonView;
  /** Further records that hold parts of the message. */
  readonly moreRecords?: readonly JsonView[];
  readonly callId?: string | null;
  /** `derived` where the times only bound what happened. */
  readonly timeEvidence?: EvidenceGrade;
}

/** Steps of one conversation: user turns on top, what each caused below it. */
export class ChatRun {
  readonly steps: Step[] = [];
  readonly issues: IssueList;
  model: string | null = null;
  /** The step that new steps go below: the user turn, or an agent's. */
  parent: Step | null = null;
  /** What user turns themselves stand below: the call that started a sub-agent. */
  base: Step | null = null;
  readonly #tools = new ToolTable();
  readonly #ids: StepIds;
  readonly #open = new Map<string, Step[]>();
  /** Other ids of calls, to the one that they are kept under. */
  readonly #otherIds = new Map<string, string>();
  readonly #waiting: Step[] = [];

  constructor(issues: IssueList, ids = new StepIds()) {
    this.issues = issues;
    this.#ids = ids;
  }

  get tools(): RecordedTool[] {
    return this.#tools.list();
  }

  /** True where a call has no result yet. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0 || this.#open.size > 0;
  }

  step(origin: Origin, fields: Omit<StepFields, 'id' | 'evidence' | 'origin'>): Step {
    const step = makeStep({
      id: this.#ids.at(origin),
      evidence: 'logged',
      origin,
      parentId: this.parent?.id ?? null,
      ...fields,
    });
    this.steps.push(step);
    return step;
  }

  /** Adds a message's steps; the model call's or turn's own step comes back. */
  add(message: ChatMessage, extras: MessageExtras = {}): Step | null {
    const origin = (extras.record ?? message.place).origin;
    const before = this.steps.length;
    for (const { server, place } of message.tools) this.addTools(place, server);
    for (const part of message.parts) if (isCompaction(part)) this.#addCompaction(part, origin);
    const head = this.#head(message, origin, extras);
    if (head !== null) {
      for (const place of message.morePlaces ?? []) head.moreOrigins.push(place.origin);
    }
    const isMerged = message.morePlaces !== undefined;
    for (const call of message.calls) {
      this.addCall(call, isMerged ? call.place.origin : origin, extras);
    }
    for (const result of message.results) {
      this.addResult(result, isMerged ? result.place.origin : origin, extras);
    }
    const more = (extras.moreRecords ?? []).map((each) => each.origin);
    if (more.length > 0) {
      for (const step of this.steps.slice(before)) {
        for (const each of more) step.moreOrigins.push(each);
      }
    }
    return head;
  }

  /** What the API put in place of the conversation before. */
  #addCompaction({ place }: ChatPart, origin: Origin): void {
    const said = place.get('content');
    const value = (said ?? place).value('logged');
    const content: ContentPart[] =
      said?.isNull === true
        ? []
        : typeof said?.text === 'string'
          ? [{ kind: 'text', value }]
          : [{ kind: 'other', value: { ...place.value('logged'), state: 'redacted' } }];
    const summary = firstLine(said?.text ?? '');
    this.step(origin, { kind: 'context', name: 'Context compacted', content, summary });
  }

  #head(message: ChatMessage, origin: Origin, extras: MessageExtras): Step | null {
    const { role, parts, results } = message;
    const content = parts.filter((part) => !isCompaction(part)).map(partOf);
    const summary = firstLine(parts.flatMap(({ text }) => text ?? []).join('\n'));
    const time = timeOf(extras);
    if (role === 'assistant') {
      const onlyTools = content.length === 0 && message.calls.length === 0;
      if (onlyTools && (message.tools.length > 0 || results.length > 0)) return null;
      const names = message.calls.map(({ name }) => name).join(', ');
      this.model ??= extras.model ?? null;
      return this.step(origin, {
        kind: 'model',
        name: 'Model call',
        model: extras.model ?? null,
        callId: extras.callId ?? null,
        usage: extras.usage ?? null,
        recordedCostUsd: extras.recordedCostUsd ?? null,
        content,
        time,
        summary:
          summary ||
          (names === '' ? (content.length > 0 ? '(thinking)' : '') : oneLine(`calls ${names}`)),
      });
    }
    if (content.length === 0) return null;
    if (role === 'user') {
      this.parent = this.base;
      this.parent = this.step(origin, {
        kind: 'user',
        name: 'User turn',
        content,
        time,
        summary: summary || '(no text)',
      });
      return this.parent;
    }
    const name = role === 'system' ? 'System prompt' : oneLine(message.speaker ?? role, 60);
    return this.step(origin, { kind: 'note', name: name || 'Message', content, time, summary });
  }

  addCall(call: ChatCall, origin: Origin, extras: MessageExtras = {}): Step {
    const asked = this.#approved(call, origin);
    if (asked !== null) return asked;
    const { server, tool } =
      call.server === null ? splitToolName(call.name) : { server: call.server, tool: call.name };
    const step = this.step(origin, {
      kind: 'tool',
      name: oneLine(tool, 200) || '(no name)',
      server,
      tool,
      callId: call.id,
      status: call.problem === undefined ? 'unanswered' : 'neverReached',
      statusReason:
        call.problem === undefined ? 'The source holds no result.' : firstLine(call.problem, 200),
      pairing: { by: 'none', derived: false },
      arguments: call.arguments?.value('logged') ?? null,
      summary: call.arguments === undefined ? '' : summaryOf(call.arguments),
      time: startOf(extras),
    });
    this.#await(call.id, step);
    for (const other of call.otherIds ?? []) {
      if (call.id !== null) this.#otherIds.set(ownText(other), call.id);
    }
    return step;
  }

  #await(id: string | null, step: Step): void {
    if (id === null || id === '') this.#waiting.push(step);
    else addTo(this.#open, ownText(id), step);
  }

  /** A call that a request for approval asked for before is that call, under its own id from now on. */
  #approved({ goesOn = null, id }: ChatCall, origin: Origin): Step | null {
    const step = goesOn === null ? undefined : this.#open.get(goesOn)?.pop();
    if (step === undefined) return null;
    step.callId = id;
    step.moreOrigins.push(origin);
    this.#await(id, step);
    return step;
  }

  /** Gives a result to the nearest call with its id, or in order where there are no ids. */
  addResult(result: ChatResult, origin: Origin, extras: MessageExtras = {}): Step {
    const { step, by } = this.#callOf(result);
    const call = step ?? this.#orphan(result, origin, extras);
    call.pairing = { by, derived: by === 'order' };
    if (by === 'order') {
      this.issues.count(
        'PAIRING_DERIVED',
        (count) => `${counted(count, 'result')} put to calls by order: the source holds no ids.`,
        origin.sha256,
        origin.offset,
      );
    }
    this.settle(call, result, extras);
    const known = call.origin.offset === origin.offset && call.origin.length === origin.length;
    if (!known) call.moreOrigins.push(origin);
    return call;
  }

  settle(step: Step, result: ChatResult, extras: MessageExtras = {}): void {
    const { content, isError, refused, reason } = result;
    setResult(step, content);
    const verdict = verdictOfAnswer(content, isError);
    step.status = refused ? 'rejected' : verdict.status;
    step.statusReason = refused
      ? 'The call was denied; it never reached the tool.'
      : reason === undefined
        ? verdict.statusReason
        : firstLine(reason, 200);
    const at = extras.endedAt ?? extras.startedAt ?? null;
    step.time.endedAtText = at?.text ?? null;
    step.time.endedAtNs = at?.ns ?? null;
  }

  /** Takes the tools of a list, or of one entry of it, that aren't known yet; the first definition stays. */
  addTools(given: JsonView | null | undefined, server: string | null = null): void {
    for (const tool of offeredTools(given, { server })) this.#tools.add(tool);
  }

  #callOf({ callId, name }: ChatResult): { step: Step | null; by: 'id' | 'order' | 'none' } {
    if (callId !== null && callId !== '') {
      const id = this.#open.has(callId) ? callId : (this.#otherIds.get(callId) ?? callId);
      const open = this.#open.get(id);
      const step = open?.pop() ?? null;
      if (open?.length === 0) this.#open.delete(id);
      return { step, by: step === null ? 'none' : 'id' };
    }
    const at = this.#waiting.findIndex(
      (step) => name === null || step.tool === name || step.name === name,
    );
    const step = at < 0 ? null : (this.#waiting.splice(at, 1)[0] ?? null);
    return { step, by: step === null ? 'none' : 'order' };
  }

  #orphan(result: ChatResult, origin: Origin, extras: MessageExtras): Step {
    this.issues.count(
      'RESULT_WITHOUT_CALL',
      (count) => `${counted(count, 'result')} whose call is not in the source.`,
      origin.sha256,
      origin.offset,
    );
    const { server, tool } = splitToolName(result.name ?? '');
    return this.step(origin, {
      kind: 'tool',
      name: oneLine(tool, 200) || '(call not in the source)',
      server,
      tool: tool === '' ? null : tool,
      callId: result.callId,
      arguments: notCaptured('logged'),
      summary: 'the call is not in the source',
      time: startOf(extras),
    });
  }
}

const isCompaction = ({ kind, place }: ChatPart): boolean =>
  kind === 'other' && place.get('type')?.text === 'compaction';

export function partOf({ kind, place, redacted }: ChatPart): ContentPart {
  const value: CapturedValue = place.value('logged');
  return { kind, value: redacted ? { ...value, state: 'redacted' } : value };
}

/** What came back, with what it says is cut of it; undefined = the source holds none. */
export function setResult(step: Step, content: JsonView | undefined): void {
  const elisions = cutsInResult(content);
  step.result = content?.value('logged', elisions) ?? notCaptured('logged');
  step.emptyResult = elisions.length > 0 ? null : isEmptyPlace(content);
}

/** Arguments for the tree; those in a string are read as the JSON that they hold. */
export function summaryOf(given: JsonView): string {
  const place = given.inner() ?? given;
  return place.text === null ? argumentSummary(place.document, place.node) : oneLine(place.text);
}

function timeOf({
  startedAt = null,
  endedAt = null,
  timeEvidence = 'logged',
}: MessageExtras): Step['time'] {
  if (startedAt === null && endedAt === null) return noTime();
  return {
    startedAtNs: startedAt?.ns ?? null,
    endedAtNs: endedAt?.ns ?? null,
    startedAtText: startedAt?.text ?? null,
    endedAtText: endedAt?.text ?? null,
    evidence: timeEvidence,
  };
}

/** A call begins when the message that asks for it is done, which may be known by how long it took alone. */
function startOf({ startedAt, endedAt, timeEvidence }: MessageExtras): Step['time'] {
  const at = endedAt ?? startedAt ?? null;
  const evidence = at !== null && at.text === null ? 'derived' : timeEvidence;
  return timeOf({ startedAt: at, ...(evidence === undefined ? {} : { timeEvidence: evidence }) });
}
