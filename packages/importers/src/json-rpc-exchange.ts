import { type JsonDocument, type JsonNode, member, stringValue } from '@misstep/json';
import type {
  CapturedValue,
  FrameDirection,
  FrameTransport,
  Origin,
  Step,
  StepStatus,
} from '@misstep/model';
import { isEmptyResult } from './empty-result.ts';
import type { IdTable } from './id-table.ts';
import type { RecordedTool } from './importer.ts';
import type { RpcMessage } from './json-rpc-frame.ts';
import { firstLine, oneLine } from './one-line.ts';
import { nsInRange } from './source-time.ts';

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
  /** The step of the same request, where it was sent before: this is no other call. */
  readonly repeats?: Step | null;
  /** The value of a node of `document` with its bytes; the pointer is relative to `node`. */
  capture(node: JsonNode, pointer: string): CapturedValue;
}

/** A request without its answer. Of its frame only what the answer needs: one may wait to the end. */
export interface OpenCall {
  readonly step: Step;
  readonly method: string | null;
  readonly monotonicNs: bigint | null;
  cancelled: boolean;
}

/** What lies between two starts of one connection. */
export interface Session {
  serverName: string | null;
  readonly steps: Step[];
  readonly tools: RecordedTool[];
  readonly open: Map<string, OpenCall>;
  readonly answered: IdTable;
  readonly byToken: Map<string, Step>;
}

/** Gives an answer to the request that waits for it. */
export function answerCall(
  session: Session,
  sender: string,
  frame: WireFrame,
  message: RpcMessage,
): { step: Step | null; remark: string | null } {
  const key = `${sender === 'client' ? 'server' : 'client'} ${message.idText}`;
  const call = session.open.get(key);
  if (call === undefined) {
    const twice = session.answered.find(key) >= 0;
    return { step: null, remark: twice ? 'a second answer to this id' : 'no request has this id' };
  }
  session.open.delete(key);
  if (session.answered.find(key) < 0) session.answered.add(key);
  const { step } = call;
  step.pairing = { by: 'id', derived: false };
  step.moreOrigins.push(frame.origin);
  const given = message.error ?? message.result;
  if (given !== undefined) {
    step.result = frame.capture(given, message.error === undefined ? '/result' : '/error');
  }
  setEnd(step, call, frame);
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

function setEnd(step: Step, request: OpenCall, answer: WireFrame): void {
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
  if (call.method === 'initialize') {
    const name = member(document, member(document, result, 'serverInfo'), 'name');
    if (name?.kind === 'string') session.serverName = oneLine(stringValue(document, name), 200);
  }
  const tools = call.method === 'tools/list' ? member(document, result, 'tools') : undefined;
  if (tools?.kind !== 'array') return;
  for (const [index, tool] of tools.items.entries()) {
    const name = member(document, tool, 'name');
    const { origin: definition, inlineText } = frame.capture(tool, `/result/tools/${index}`);
    if (name?.kind !== 'string' || definition === null) continue;
    session.tools.push({
      server: frame.server,
      name: stringValue(document, name),
      definition,
      ...(inlineText === null ? {} : { definitionText: inlineText }),
    });
  }
}
