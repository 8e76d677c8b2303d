import type { JsonDocument, JsonNode } from '@misstep/json';
import { member, stringValue } from '@misstep/json';
import type {
  CapturedValue,
  FrameDirection,
  FrameTransport,
  Origin,
  RunFrame,
  SourceHash,
  Step,
  StepStatus,
} from '@misstep/model';
import { argumentSummary } from './argument-summary.ts';
import { isEmptyResult } from './empty-result.ts';
import type { RecordedTool } from './importer.ts';
import { type RpcMessage, readRpcMessage, senderOfMethod } from './json-rpc-frame.ts';
import { firstLine, oneLine } from './one-line.ts';
import { counted, type IssueList } from './record-ledger.ts';
import { nsInRange } from './source-time.ts';
import { makeStep, stepIdAt } from './step-builder.ts';

/** One transport message of a recording, before it is known what it says. */
export interface WireFrame {
  /** Null where the recording doesn't say; it is then inferred. */
  readonly direction: FrameDirection | null;
  readonly transport: FrameTransport;
  /** Tells connections apart; ids are unique within one and one direction only. */
  readonly connection: string;
  /** The server's name as the recorder knows it. */
  readonly server: string | null;
  readonly monotonicNs: bigint | null;
  readonly wallNs: bigint | null;
  /** The time as the source writes it. */
  readonly timeText: string | null;
  readonly document: JsonDocument;
  readonly node: JsonNode;
  /** The frame's bytes. */
  readonly origin: Origin;
  readonly sizeBytes: number;
  /** Where the record begins; its steps get their ids from it. */
  readonly recordOffset: number;
  /** What only the recorder can know of the frame, e.g. that it is cut; null = nothing. */
  readonly transportRemark: string | null;
  /** The value of a node of `document` with its bytes; the pointer is relative to `node`. */
  capture(node: JsonNode, pointer: string): CapturedValue;
}

interface OpenCall {
  readonly step: Step;
  readonly frame: WireFrame;
  readonly message: RpcMessage;
  readonly session: Session;
  cancelled: boolean;
}

/** What lies between two starts of one connection. */
interface Session {
  serverName: string | null;
  readonly steps: Step[];
  readonly tools: RecordedTool[];
  readonly open: Map<string, OpenCall>;
  readonly answered: Set<string>;
  readonly byToken: Map<string, OpenCall>;
}

/** Turns frames into steps: requests paired with their answers, notifications with their call. */
export class JsonRpcSessions {
  readonly steps: Step[] = [];
  readonly frames: RunFrame[] = [];
  readonly #sha256: SourceHash;
  readonly #issues: IssueList;
  readonly #sessions = new Map<string, Session>();
  readonly #all: Session[] = [];
  #ordinals: { offset: number; next: number } = { offset: -1, next: 0 };

  constructor(sha256: SourceHash, issues: IssueList) {
    this.#sha256 = sha256;
    this.#issues = issues;
  }

  /** The connection starts anew: what is still open on it stays without an answer. */
  restart(connection: string): void {
    this.#sessions.delete(connection);
  }

  /** Adds a step that is no exchange (what happened to a connection, stderr). */
  addStep(step: Step): void {
    this.steps.push(step);
  }

  nextId(recordOffset: number): Step['id'] {
    const { offset, next } = this.#ordinals;
    const ordinal = offset === recordOffset ? next : 0;
    this.#ordinals = { offset: recordOffset, next: ordinal + 1 };
    return stepIdAt(recordOffset, ordinal);
  }

  addUnreadableFrame(
    frame: Omit<WireFrame, 'document' | 'node' | 'capture'>,
    kind: 'malformed' | 'noise',
    remark: string,
  ): void {
    const head = { kind, method: null, idText: null, remark };
    this.#pushFrame(frame, frame.direction ?? 'server-to-client', head, null);
  }

  /** False where the frame isn't JSON-RPC; it is kept as a frame all the same. */
  addFrame(frame: WireFrame): boolean {
    if (frame.node.kind !== 'array') {
      return this.#addMessage(frame, readRpcMessage(frame.document, frame.node), false);
    }
    const direction = frame.direction ?? this.#inferDirection(frame, frame.node.items);
    const head = { kind: 'batch', method: null, idText: null } as const;
    const remark = `batch of ${counted(frame.node.items.length, 'message')}`;
    this.#pushFrame(frame, direction, { ...head, remark }, null);
    let understood = frame.node.items.length > 0;
    for (const [index, item] of frame.node.items.entries()) {
      const message = readRpcMessage(frame.document, item);
      const capture: WireFrame['capture'] = (node, pointer) =>
        frame.capture(node, `/${index}${pointer}`);
      const part = { ...frame, direction, capture };
      understood = this.#addMessage(part, message, true) && understood;
    }
    return understood;
  }

  finish(): RecordedTool[] {
    for (const session of this.#all) {
      for (const step of session.steps) step.server ??= session.serverName;
    }
    return this.#all.flatMap((session) =>
      session.tools.map((tool) => ({ ...tool, server: tool.server ?? session.serverName })),
    );
  }

  #session(connection: string): Session {
    let session = this.#sessions.get(connection);
    if (session === undefined) {
      session = {
        serverName: null,
        steps: [],
        tools: [],
        open: new Map(),
        answered: new Set(),
        byToken: new Map(),
      };
      this.#sessions.set(connection, session);
      this.#all.push(session);
    }
    return session;
  }

  #addMessage(frame: WireFrame, message: RpcMessage, inBatch: boolean): boolean {
    const direction = frame.direction ?? this.#inferDirection(frame, [message.node]);
    const sender = direction === 'client-to-server' ? 'client' : 'server';
    if (message.kind === 'malformed') {
      if (!inBatch) this.#pushFrame(frame, direction, message, null);
      return false;
    }
    if (message.kind === 'request' && message.method === 'initialize' && sender === 'client') {
      const known = this.#sessions.get(frame.connection);
      const begun = known !== undefined && (known.open.size > 0 || known.answered.size > 0);
      if (begun) this.restart(frame.connection);
    }
    const session = this.#session(frame.connection);
    let step: Step | null;
    let remark = message.remark;
    if (message.kind === 'request') step = this.#request(session, sender, frame, message);
    else if (message.kind === 'notification') {
      step = this.#notification(session, sender, frame, message);
    } else {
      const answer = answerCall(session, sender, frame, message);
      step = answer.step;
      remark = answer.remark ?? remark;
    }
    if (!inBatch) this.#pushFrame(frame, direction, { ...message, remark }, step);
    return true;
  }

  #request(session: Session, sender: string, frame: WireFrame, message: RpcMessage): Step {
    const step = this.#stepOf(session, frame, message);
    step.status = 'unanswered';
    step.statusReason = 'The recording holds no answer.';
    step.pairing = { by: 'none', derived: false };
    const call: OpenCall = { step, frame, message, session, cancelled: false };
    session.open.set(`${sender} ${message.idText}`, call);
    const meta = member(frame.document, message.params, '_meta');
    const token = member(frame.document, meta, 'progressToken');
    if (token !== undefined) {
      session.byToken.set(frame.document.text.slice(token.start, token.end), call);
    }
    return step;
  }

  #notification(session: Session, sender: string, frame: WireFrame, message: RpcMessage): Step {
    const { document } = frame;
    const param = (key: string): string | null => {
      const node = member(document, message.params, key);
      return node === undefined ? null : document.text.slice(node.start, node.end);
    };
    if (message.method === 'notifications/progress') {
      const call = session.byToken.get(param('progressToken') ?? '');
      if (call !== undefined) return call.step;
    }
    if (message.method === 'notifications/cancelled') {
      const call = session.open.get(`${sender} ${param('requestId')}`);
      if (call !== undefined) {
        call.cancelled = true;
        call.step.status = 'cancelled';
        const reason = member(document, message.params, 'reason');
        call.step.statusReason =
          reason?.kind === 'string'
            ? firstLine(stringValue(document, reason))
            : 'Cancelled by its sender.';
        return call.step;
      }
    }
    return this.#stepOf(session, frame, message);
  }

  #stepOf(session: Session, frame: WireFrame, message: RpcMessage): Step {
    const { document } = frame;
    const isCall = message.method === 'tools/call' && message.kind === 'request';
    const named = isCall ? member(document, message.params, 'name') : undefined;
    const tool = named?.kind === 'string' ? stringValue(document, named) : null;
    const given = isCall ? member(document, message.params, 'arguments') : message.params;
    const step = makeStep({
      id: this.nextId(frame.recordOffset),
      kind: isCall ? 'tool' : 'protocol',
      name: oneLine(tool ?? message.method ?? '', 200) || '(no name)',
      server: frame.server,
      tool,
      callId: message.idText,
      evidence: 'wire',
      origin: frame.origin,
      // Without a node there were no arguments: a statement, not a gap in the recording.
      arguments:
        given === undefined ? null : frame.capture(given, isCall ? '/params/arguments' : '/params'),
      summary: given === undefined ? '' : argumentSummary(document, given),
      time: {
        startedAtNs: frame.wallNs ?? frame.monotonicNs,
        endedAtNs: null,
        startedAtText: frame.timeText,
        endedAtText: null,
        evidence: 'wire',
      },
    });
    session.steps.push(step);
    this.steps.push(step);
    return step;
  }

  #inferDirection(frame: WireFrame, nodes: readonly JsonNode[]): FrameDirection {
    const session = this.#sessions.get(frame.connection);
    let sender: 'client' | 'server' | null = null;
    for (const node of nodes) {
      const message = readRpcMessage(frame.document, node);
      if (message.method !== null) sender ??= senderOfMethod(message.method);
      else if (session?.open.has(`client ${message.idText}`)) sender ??= 'server';
      else if (session?.open.has(`server ${message.idText}`)) sender ??= 'client';
      else if (message.kind !== 'malformed') sender ??= 'server';
    }
    this.#issues.count(
      'DIRECTION_INFERRED',
      (count) =>
        `The direction of ${counted(count, 'frame')} isn't recorded; it was inferred from methods and ids.`,
      this.#sha256,
      frame.recordOffset,
    );
    return (sender ?? 'client') === 'client' ? 'client-to-server' : 'server-to-client';
  }

  #pushFrame(
    frame: Omit<WireFrame, 'document' | 'node' | 'capture'>,
    direction: FrameDirection,
    { kind, method, idText, remark }: Pick<RunFrame, 'kind' | 'method' | 'idText' | 'remark'>,
    step: Step | null,
  ): void {
    this.frames.push({
      seq: this.frames.length + 1,
      kind,
      method,
      idText,
      remark: frame.transportRemark ?? remark,
      direction,
      transport: frame.transport,
      monotonicNs: frame.monotonicNs,
      wallNs: frame.wallNs,
      origin: frame.origin,
      sizeBytes: frame.sizeBytes,
      stepId: step?.id ?? null,
    });
  }
}

function answerCall(
  session: Session,
  sender: string,
  frame: WireFrame,
  message: RpcMessage,
): { step: Step | null; remark: string | null } {
  const key = `${sender === 'client' ? 'server' : 'client'} ${message.idText}`;
  const call = session.open.get(key);
  if (call === undefined) {
    const twice = session.answered.has(key);
    return { step: null, remark: twice ? 'a second answer to this id' : 'no request has this id' };
  }
  session.open.delete(key);
  session.answered.add(key);
  const { step } = call;
  step.pairing = { by: 'id', derived: false };
  step.moreOrigins.push(frame.origin);
  const given = message.error ?? message.result;
  if (given !== undefined) {
    step.result = frame.capture(given, message.error === undefined ? '/result' : '/error');
  }
  setEnd(step, call.frame, frame);
  const outcome = outcomeOf(frame.document, message);
  if (call.cancelled) {
    step.statusReason = 'Answered after it was cancelled.';
    return { step, remark: 'an answer after the call was cancelled' };
  }
  step.status = outcome.status;
  step.statusReason = outcome.reason;
  if (message.result !== undefined && message.kind === 'response') {
    if (step.kind === 'tool') step.emptyResult = isEmptyResult(frame.document, message.result);
    learnFromResult(session, call, frame, message.result);
  }
  return { step, remark: null };
}

function setEnd(step: Step, request: WireFrame, answer: WireFrame): void {
  const { time } = step;
  time.endedAtText = answer.timeText;
  if (time.startedAtNs === null) return;
  const monotonic = request.monotonicNs !== null && answer.monotonicNs !== null;
  if (monotonic) {
    // The wall clock may be set meanwhile; the monotonic one can't.
    const lasted = (answer.monotonicNs ?? 0n) - (request.monotonicNs ?? 0n);
    time.endedAtNs = nsInRange(time.startedAtNs + lasted);
  } else {
    time.endedAtNs = answer.wallNs ?? answer.monotonicNs;
  }
}

function outcomeOf(
  document: JsonDocument,
  message: RpcMessage,
): { status: StepStatus; reason: string | null } {
  if (message.kind === 'error') {
    const said = member(document, message.error, 'message');
    const code = member(document, message.error, 'code');
    const codeText = code === undefined ? '' : document.text.slice(code.start, code.end);
    const text = said?.kind === 'string' ? stringValue(document, said) : '';
    const unknown =
      /^-3260[12]$/.test(codeText) &&
      /unknown tool|tool .{0,200}not found|no such tool/i.test(text);
    const reason = oneLine(`${codeText} ${text}`, 200);
    return { status: unknown ? 'unknownTool' : 'protocolError', reason };
  }
  const flag = member(document, message.result, 'isError');
  if (flag?.kind !== 'literal' || flag.value !== true) return { status: 'ok', reason: null };
  return { status: 'error', reason: firstText(document, message.result) };
}

function firstText(document: JsonDocument, result: JsonNode | undefined): string | null {
  const content = member(document, result, 'content');
  if (content?.kind !== 'array') return null;
  const text = member(document, content.items[0], 'text');
  return text?.kind === 'string' ? firstLine(stringValue(document, text), 200) : null;
}

function learnFromResult(
  session: Session,
  call: OpenCall,
  frame: WireFrame,
  result: JsonNode,
): void {
  const { document } = frame;
  if (call.message.method === 'initialize') {
    const name = member(document, member(document, result, 'serverInfo'), 'name');
    if (name?.kind === 'string') session.serverName = oneLine(stringValue(document, name), 200);
  }
  const tools =
    call.message.method === 'tools/list' ? member(document, result, 'tools') : undefined;
  if (tools?.kind !== 'array') return;
  for (const [index, tool] of tools.items.entries()) {
    const name = member(document, tool, 'name');
    const definition = frame.capture(tool, `/result/tools/${index}`).origin;
    if (name?.kind !== 'string' || definition === null) continue;
    session.tools.push({
      server: frame.server,
      name: stringValue(document, name),
      definition,
    });
  }
}
