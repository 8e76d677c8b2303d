import { byteSpan, member, nodeText, stringValue } from '@misstep/json';
import {
  type Handshake,
  idLoosely,
  type ListedTool,
  type RawAnswer,
  type ReadFrame,
  readFrame,
  readHandshake,
  readModernHandshake,
  readToolPage,
  resultTypeOf,
} from '@misstep/mcp';
import {
  type FrameLogEntry,
  type FrameTransport,
  type Receipt,
  readFrameLog,
} from '@misstep/model';
import { AskView } from '../asks/ask-view.ts';
import { isModernRequest } from '../modern-request.ts';
import { accountOfAsks } from '../receipt.ts';
import { type MaskedRecord, readMasked } from './mask-frame-log.ts';

/** The call of a replay as its frame log alone tells it. */
export interface LoggedCall {
  readonly damageCount: number;
  readonly transports: readonly FrameTransport[];
  /** How many tools/call requests left. */
  readonly callCount: number;
  /** Of the first of them; null where none left. */
  readonly tool: string | null;
  readonly argumentsText: string | null;
  readonly argumentsBytes: Uint8Array | null;
  /** The whole request. */
  readonly requestBytes: Uint8Array | null;
  readonly answer: ReadFrame | null;
  /** An error object without an id came after the call, as over HTTP from servers that can't read it. */
  readonly hasErrorWithoutId: boolean;
  /** The whole answer. */
  readonly answerBytes: Uint8Array | null;
  readonly resultBytes: Uint8Array | null;
  readonly callDurationNs: bigint | null;
  /** Undefined = the log tells of none. */
  readonly asks: Receipt['asks'];
  readonly listedTools: readonly ListedTool[];
  /** False where the last page that came names another: the list went on. */
  readonly listIsWhole: boolean;
  readonly handshake: Handshake;
  /** What was masked as the log was exported. */
  readonly masked: MaskedRecord;
}

interface Sent {
  readonly method: string;
  readonly entry: FrameLogEntry;
  readonly frame: ReadFrame;
}

/** Reads a frame log's bytes, whole, torn or foreign; never throws. */
export function readLoggedCall(bytes: Uint8Array): LoggedCall {
  const { entries, damage } = readFrameLog(bytes);
  const open = new Map<string, Sent>();
  const answers = new Map<Sent, RawAnswer>();
  const sent: Sent[] = [];
  const asks = new AskView();
  let hasErrorWithoutId = false;
  for (const entry of entries) {
    asks.add({ lane: entry.lane, bytes: entry.payload, atNs: entry.monotonicNs });
    if (entry.lane !== '>' && entry.lane !== '<') continue;
    const frame = readFrame(entry.payload);
    const { kind, idText, method } = frame.head;
    if (entry.lane === '<' && kind === 'error' && (idText === null || idText === 'null')) {
      hasErrorWithoutId ||= sent.at(-1)?.method === 'tools/call';
    }
    if (idText === null) continue;
    if (entry.lane === '>') {
      if (kind !== 'request') continue;
      const request: Sent = { method: method ?? '', entry, frame };
      sent.push(request);
      open.set(idText, request);
      continue;
    }
    if (kind !== 'response' && kind !== 'error') continue;
    const exact = open.get(idText);
    const loose = open.get(idLoosely(idText));
    // The call's answer counts only under the very id; what comes before it is read more kindly.
    const request = exact ?? (loose?.method === 'tools/call' ? undefined : loose);
    if (request === undefined || answers.has(request)) continue;
    answers.set(request, {
      bytes: entry.payload,
      frame,
      sentAtNs: request.entry.monotonicNs,
      atNs: entry.monotonicNs,
    });
  }
  const pages = sent
    .filter(({ method }) => method === 'tools/list')
    .flatMap((request) => {
      const page = answers.get(request);
      return page === undefined ? [] : [readToolPage(page)];
    });
  const calls = sent.filter(({ method }) => method === 'tools/call');
  const [call] = calls;
  const lastCall = lastRoundOf(calls, answers);
  const answer = lastCall === undefined ? undefined : answers.get(lastCall);
  return {
    damageCount: damage.length,
    transports: [...new Set(entries.map(({ transport }) => transport))],
    callCount: calls.length,
    ...readCall(call),
    requestBytes: call?.entry.payload ?? null,
    answer: answer?.frame ?? null,
    hasErrorWithoutId,
    answerBytes: answer?.bytes ?? null,
    resultBytes: answer === undefined ? null : resultBytesOf(answer.bytes),
    callDurationNs:
      answer === undefined || call === undefined ? null : answer.atNs - call.entry.monotonicNs,
    asks: accountOfAsks(
      asks,
      answer === undefined || call === undefined
        ? null
        : { sentAtNs: call.entry.monotonicNs, atNs: answer.atNs },
    ),
    listedTools: pages.flatMap(({ tools }) => tools),
    listIsWhole: pages.at(-1)?.nextCursor == null,
    handshake: handshakeIn(sent, answers),
    masked: readMasked(bytes, entries),
  };
}

/** The bytes of the `result` member as they stand in the frame; null = there is none. */
export function resultBytesOf(bytes: Uint8Array): Uint8Array | null {
  const { document } = readFrame(bytes);
  if (document === null) return null;
  const result = member(document, document.root, 'result');
  if (result === undefined) return null;
  const { offset, length } = byteSpan(document, result);
  return bytes.subarray(offset, offset + length);
}

/** What an answer says: its `result`, or the `error` object that stands in its place. */
export interface LoggedResult {
  readonly bytes: Uint8Array;
  readonly isError: boolean;
}

/** The bytes of either member as they stand in the frame; null = it has neither. */
export function answerBytesOf(bytes: Uint8Array): LoggedResult | null {
  const result = resultBytesOf(bytes);
  if (result !== null) return { bytes: result, isError: false };
  const { document } = readFrame(bytes);
  const error = document === null ? undefined : member(document, document.root, 'error');
  if (document === null || error === undefined) return null;
  const { offset, length } = byteSpan(document, error);
  return { bytes: bytes.subarray(offset, offset + length), isError: true };
}

/** The same of the call's answer in a frame log; null = none came. */
export function readLoggedResult(frameLog: Uint8Array): LoggedResult | null {
  const { answerBytes } = readLoggedCall(frameLog);
  return answerBytes === null ? null : answerBytesOf(answerBytes);
}

function readCall(
  call: Sent | undefined,
): Pick<LoggedCall, 'tool' | 'argumentsText' | 'argumentsBytes'> {
  const document = call?.frame.document ?? null;
  if (call === undefined || document === null) {
    return { tool: null, argumentsText: null, argumentsBytes: null };
  }
  const params = member(document, document.root, 'params');
  const name = member(document, params, 'name');
  const given = member(document, params, 'arguments');
  const tool = name?.kind === 'string' ? stringValue(document, name) : null;
  if (given === undefined) return { tool, argumentsText: null, argumentsBytes: null };
  const { offset, length } = byteSpan(document, given);
  return {
    tool,
    argumentsText: nodeText(document, given),
    argumentsBytes: call.entry.payload.subarray(offset, offset + length),
  };
}

/** A call that was asked for input went on under another id: the last answer is the call's. */
function lastRoundOf(
  calls: readonly Sent[],
  answers: ReadonlyMap<Sent, RawAnswer>,
): Sent | undefined {
  const at = calls.findIndex((each) => {
    const answer = answers.get(each);
    return answer === undefined || resultTypeOf(answer.frame) !== 'input_required';
  });
  return at < 0 ? calls.at(-1) : calls[at];
}

/** A log that holds no answer to a greeting says nothing of the server. */
function handshakeIn(sent: readonly Sent[], answers: ReadonlyMap<Sent, RawAnswer>): Handshake {
  const answerTo = (wanted: string) =>
    sent
      .filter(({ method }) => method === wanted)
      .flatMap((request) => answers.get(request) ?? [])
      .at(-1);
  const discovered = answerTo('server/discover');
  const greeted = answerTo('initialize');
  // Every request but the probe shows the era that was settled on.
  const isModern = sent.some(
    ({ method, frame }) => method !== 'server/discover' && isModernRequest(frame),
  );
  if (isModern && discovered !== undefined) return readModernHandshake(discovered);
  if (greeted !== undefined) return readHandshake(greeted);
  return { serverName: null, serverVersion: null, protocolRevision: null, protocolEra: null };
}
