import { type JsonNode, member, stringValue } from '@misstep/json';
import type { FrameDirection, RunFrame, SourceHash, Step } from '@misstep/model';
import { argumentSummary } from './argument-summary.ts';
import { hasBareNumber } from './bare-numbers.ts';
import { IdTable } from './id-table.ts';
import type { RecordedTool } from './importer.ts';
import { answerCall, type OpenCall, type Session, type WireFrame } from './json-rpc-exchange.ts';
import { type RpcMessage, readRpcMessage, senderOfMethod } from './json-rpc-frame.ts';
import type { EntryPlace } from './log-entries.ts';
import { firstLine, oneLine } from './one-line.ts';
import { ownText } from './own-text.ts';
import { keptFrame } from './read-in-pages.ts';
import { counted, type IssueList } from './record-ledger.ts';
import { makeStep, stepIdAt } from './step-builder.ts';

const NOT_JSON = 'NaN or Infinity in it, which JSON has not; a strict client drops it';

/** Turns frames into steps: requests paired with their answers, notifications with their call. */
export class JsonRpcSessions {
  readonly steps: Step[] = [];
  readonly frames: RunFrame[] = [];
  #sha256: SourceHash;
  #part: string | null = null;
  /** Where in `steps` those of each further source begin. */
  readonly #starts: number[] = [];
  readonly #issues: IssueList;
  readonly #sessions = new Map<string, Session>();
  readonly #all: Session[] = [];
  readonly #ordinals = new Map<number, number>();

  /** What names the next steps instead of their own place. */
  calledBy: EntryPlace | null = null;

  constructor(sha256: SourceHash, issues: IssueList, part: string | null = null) {
    this.#sha256 = sha256;
    this.#issues = issues;
    this.#part = part;
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
    const { calledBy } = this;
    if (calledBy !== null) {
      calledBy.used += 1;
      return stepIdAt(calledBy.offset, calledBy.used - 1, calledBy.part);
    }
    const ordinal = this.#ordinals.get(recordOffset) ?? 0;
    this.#ordinals.set(recordOffset, ordinal + 1);
    return stepIdAt(recordOffset, ordinal, this.#part);
  }

  /** What follows stands in a source beside the main one, of which it is `part`. */
  beginSource(sha256: SourceHash, part: string | null): void {
    this.#sha256 = sha256;
    this.#part = part;
    this.#ordinals.clear();
    this.#starts.push(this.steps.length);
  }

  /** The steps, by the source that they begin in. */
  streams(): Step[][] {
    const starts = [0, ...this.#starts];
    return starts.map((start, index) => this.steps.slice(start, starts[index + 1]));
  }

  addUnreadableFrame(
    frame: Omit<WireFrame, 'document' | 'node' | 'capture'>,
    kind: 'malformed' | 'noise' | 'cut',
    remark: string,
  ): void {
    const head = { kind, method: null, idText: null, remark };
    this.#pushFrame(frame, frame.direction ?? 'server-to-client', head, null);
  }

  /** False where no JSON-RPC is in the frame; it is kept as a frame all the same. */
  addFrame(frame: WireFrame): boolean {
    if (frame.node.kind !== 'array') {
      return this.#addMessage(frame, readRpcMessage(frame.document, frame.node), false);
    }
    const direction = frame.direction ?? this.#inferDirection(frame, frame.node.items);
    const messages = frame.node.items.map((item) => readRpcMessage(frame.document, item));
    const bad = messages.filter(({ kind }) => kind === 'malformed').length;
    const size = counted(messages.length, bad === 0 ? 'message' : 'value');
    const remark = `batch of ${size}${bad === 0 ? '' : `, ${bad} of them no JSON-RPC`}`;
    this.#pushFrame(frame, direction, { kind: 'batch', method: null, idText: null, remark }, null);
    if (bad > 0 && bad < messages.length) this.#tellBadParts(bad, frame.recordOffset);
    let understood = false;
    for (const [index, message] of messages.entries()) {
      const capture: WireFrame['capture'] = (node, pointer) =>
        frame.capture(node, `/${index}${pointer}`);
      const part = { ...frame, direction, capture };
      understood = this.#addMessage(part, message, true) || understood;
    }
    return understood;
  }

  /** What stands beside good messages in a batch takes nothing from them. */
  #tellBadParts(bad: number, recordOffset: number): void {
    for (let each = 0; each < bad; each += 1) {
      this.#issues.count(
        'BATCH_PART_NOT_READ',
        (count) =>
          `${counted(count, 'part')} of batches that ${count === 1 ? 'is' : 'are'} no JSON-RPC, not read; the messages beside are.`,
        this.#sha256,
        recordOffset,
      );
    }
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
        answered: new IdTable(),
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
    const repeated = frame.repeats ?? null;
    if (repeated !== null) {
      repeated.moreOrigins.push(frame.origin);
      this.#pushFrame(frame, direction, message, repeated);
      return true;
    }
    if (message.kind === 'request' && message.method === 'initialize' && sender === 'client') {
      const known = this.#sessions.get(frame.connection);
      const begun = known !== undefined && (known.open.size > 0 || known.answered.count > 0);
      if (begun) this.restart(frame.connection);
    }
    const session = this.#session(frame.connection);
    let step: Step | null;
    let remark = hasBareNumber(frame.document, frame.node) ? NOT_JSON : message.remark;
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
    const method = message.method === null ? null : ownText(message.method);
    const call: OpenCall = { step, method, monotonicNs: frame.monotonicNs, cancelled: false };
    session.open.set(ownText(`${sender} ${message.idText}`), call);
    const meta = member(frame.document, message.params, '_meta');
    const token = member(frame.document, meta, 'progressToken');
    if (token !== undefined) {
      session.byToken.set(ownText(frame.document.text.slice(token.start, token.end)), step);
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
      const called = session.byToken.get(param('progressToken') ?? '');
      if (called !== undefined) return called;
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
    this.frames.push(
      keptFrame({
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
      }),
    );
  }
}
