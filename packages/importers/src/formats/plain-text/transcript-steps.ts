import {
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import {
  type CapturedValue,
  type Elision,
  notCaptured,
  type Origin,
  type Step,
  type StepKind,
} from '@misstep/model';
import { argumentSummary } from '../../argument-summary.ts';
import { isEmptyResult, isEmptyText } from '../../empty-result.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { counted, type IssueList } from '../../record-ledger.ts';
import type { SourceTime } from '../../source-time.ts';
import { inlineValue, makeStep, stepIdAt } from '../../step-builder.ts';
import { splitWrittenToolName } from '../../tool-name.ts';
import type { WrittenCall } from './call-line.ts';
import { OpenCalls } from './open-calls.ts';
import { type Payload, readPayload, readPayloadOf } from './payload.ts';
import type { WrittenResult } from './result-line.ts';
import type { TextSource } from './text-source.ts';
import { TranscriptClock } from './transcript-clock.ts';
import { pairsToJson } from './written-arguments.ts';

const PROTOCOL_METHOD =
  /^(initialize|ping|server\/discover|(tools|resources|prompts)\/list|resources\/(read|templates\/list)|prompts\/get|logging\/setLevel|completion\/complete|notifications\/.+)$/;

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

  isOpenName(name: string): boolean {
    return this.#open.hasName(name);
  }

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
    { name, given, summary, idText }: ReadCall,
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
    if (name.startsWith('notifications/')) return;
    step.status = 'unanswered';
    step.statusReason = 'The text holds no result.';
    step.pairing = { by: 'none', derived: true };
    this.#open.add({ step, idText });
  }

  /** Returns why the result can't be read, or null. */
  addResult(record: Origin, result: WrittenResult, time: SourceTime | null): string | null {
    if (result.name === null && result.payload === null && !this.waits) {
      return 'a result without a call before it';
    }
    const payload = readPayloadOf(this.#source, result.payload);
    const answer = readAnswer(payload);
    const found = this.#open.take(answer.idText, result.name);
    if (found === null) return 'a result without a call before it';
    const { step, by } = found;
    step.pairing = { by, derived: by !== 'id' };
    if (by !== 'id') this.#countDerived(record);
    step.result = answer.value ?? notCaptured('rendered');
    const cutMark = result.cutMark || (payload === null ? '' : cutMarkOf(payload));
    if (cutMark !== '' && answer.value !== null) addCut(answer.value, cutMark);
    const failed = result.error || answer.isError;
    step.status = answer.isProtocolError ? 'protocolError' : failed ? 'error' : 'ok';
    step.statusReason = failed || answer.isProtocolError ? answer.reason : null;
    const cut = (answer.value?.elisions.length ?? 0) > 0;
    step.emptyResult = cut || failed ? null : answer.isEmpty;
    step.moreOrigins.push(record);
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

interface ReadCall {
  readonly name: string;
  readonly given: CapturedValue | null;
  readonly summary: string;
  readonly idText: string | null;
}

function readCall(call: WrittenCall, payload: Payload | null): ReadCall | string {
  const document = payload?.document ?? null;
  const body = document === null ? null : rpcCall(document);
  if (
    payload !== null &&
    document !== null &&
    body !== null &&
    (call.name === null || body.isRpc)
  ) {
    const { name, given, pointer, idText } = body;
    return {
      name,
      given: given === undefined ? null : payload.part(given, pointer),
      summary: given === undefined ? '' : argumentSummary(document, given),
      idText,
    };
  }
  if (call.name === null) return 'a call whose tool is not named';
  const name = call.name;
  if (payload === null) return { name, given: null, summary: '', idText: null };
  if (call.form === 'empty') {
    return {
      name,
      given: inlineValue('{}', payload.value.origin, 'rendered'),
      summary: '',
      idText: null,
    };
  }
  if (call.form === 'pairs') {
    const json = pairsToJson(payload.text);
    const given =
      json === null ? payload.value : inlineValue(json, payload.value.origin, 'rendered');
    return { name, given, summary: jsonSummary(json) ?? oneLine(payload.text), idText: null };
  }
  const summary =
    document === null ? oneLine(payload.text) : argumentSummary(document, document.root);
  return { name, given: payload.value, summary, idText: null };
}

function jsonSummary(json: string | null): string | null {
  const parsed = json === null ? null : parseJson(json);
  return parsed?.ok ? argumentSummary(parsed.value, parsed.value.root) : null;
}

/** A JSON-RPC request, or the parameters of `tools/call` (`{"name":...,"arguments":...}`). */
function rpcCall(document: JsonDocument): {
  name: string;
  given: JsonNode | undefined;
  pointer: string;
  idText: string | null;
  isRpc: boolean;
} | null {
  const { root } = document;
  const method = member(document, root, 'method');
  const id = member(document, root, 'id');
  const idText = id === undefined ? null : nodeText(document, id);
  if (method?.kind === 'string' && member(document, root, 'jsonrpc') !== undefined) {
    const name = stringValue(document, method);
    const params = member(document, root, 'params');
    const tool = member(document, params, 'name');
    if (name === 'tools/call' && tool?.kind === 'string') {
      const given = member(document, params, 'arguments');
      const named = stringValue(document, tool);
      return { name: named, given, pointer: '/params/arguments', idText, isRpc: true };
    }
    return { name, given: params, pointer: '/params', idText, isRpc: true };
  }
  for (const key of ['name', 'tool', 'tool_name']) {
    const tool = member(document, root, key);
    if (tool?.kind !== 'string') continue;
    for (const argumentKey of ['arguments', 'args', 'input', 'parameters']) {
      const given = member(document, root, argumentKey);
      if (given === undefined) continue;
      const name = stringValue(document, tool);
      return { name, given, pointer: `/${argumentKey}`, idText, isRpc: false };
    }
  }
  return null;
}

interface ReadAnswer {
  readonly value: CapturedValue | null;
  /** What it says, on one line: an error's message where it is one. */
  readonly reason: string | null;
  readonly idText: string | null;
  readonly isError: boolean;
  readonly isProtocolError: boolean;
  readonly isEmpty: boolean | null;
}

function readAnswer(payload: Payload | null): ReadAnswer {
  const nothing = { idText: null, isError: false, isProtocolError: false };
  if (payload === null) return { ...nothing, value: null, reason: null, isEmpty: null };
  const { document, text } = payload;
  if (document === null) {
    const reason = firstLine(text, 200);
    return { ...nothing, value: payload.value, reason, isEmpty: isEmptyText(text) };
  }
  const { root } = document;
  const id = member(document, root, 'id');
  const isRpc = member(document, root, 'jsonrpc') !== undefined && id !== undefined;
  const error = isRpc ? member(document, root, 'error') : undefined;
  const result = isRpc ? member(document, root, 'result') : undefined;
  const node = error ?? result ?? root;
  const flag = member(document, node, 'isError');
  return {
    value:
      node === root
        ? payload.value
        : payload.part(node, error === undefined ? '/result' : '/error'),
    reason: firstLine(errorMessage(document, node) ?? text, 200),
    idText: isRpc && id !== undefined ? nodeText(document, id) : null,
    isError: flag?.kind === 'literal' && flag.value === true,
    isProtocolError: error !== undefined,
    isEmpty: isEmptyResult(document, node),
  };
}

/** The message of an error object or of an MCP result's first text. */
function errorMessage(document: JsonDocument, node: JsonNode): string | null {
  const content = member(document, node, 'content');
  const first = content?.kind === 'array' ? member(document, content.items[0], 'text') : undefined;
  const inner = member(document, node, 'error');
  const message = first ?? member(document, node, 'message') ?? member(document, inner, 'message');
  return message?.kind === 'string' ? stringValue(document, message) : null;
}

/** What a result that is plain text ends with where something is missing; '' = nothing. */
function cutMarkOf({ document, text }: Payload): string {
  if (document !== null) return '';
  const end = text.slice(-200);
  return (
    (/(?:^|\n)[ \t]*((?:…|\.\.\.)[^\n]*)$/.exec(end) ??
      /(…|[[(]truncated[\])])$/i.exec(end))?.[1] ?? ''
  );
}

function addCut(value: CapturedValue, marker: string): void {
  const found = /\+?(\d[\d,]*) ?(lines?|items?|char(?:acter)?s?|bytes?|rows?)/i.exec(marker);
  const unit = (found?.[2] ?? '').toLowerCase();
  const kind: Elision['kind'] = unit.startsWith('line')
    ? 'lines'
    : unit.startsWith('char')
      ? 'characters'
      : unit.startsWith('byte')
        ? 'bytes'
        : unit === ''
          ? 'tail'
          : 'items';
  const count = found?.[1] === undefined ? null : Number(found[1].replaceAll(',', ''));
  value.elisions.push({ pointer: '', kind, count, marker });
  value.state = 'elided';
}
