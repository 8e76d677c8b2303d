import { member, nodeText } from '@misstep/json';
import {
  describeEnd,
  type ProtocolEra,
  type ReadFrame,
  readFrame,
  readInputRequired,
  readRpcError,
  resultTypeOf,
  shortened,
  type TransportEnd,
} from '@misstep/mcp';
import type { Target } from '@misstep/model';
import type { CallWatch, RefusedAnswer } from './call-watch.ts';
import { type Ending, NOT_SENT, type Phase, UNKNOWN_EFFECT } from './ending-parts.ts';
import { endingWithoutAnswer, isRpcError, refusalByStatus } from './http-status-ending.ts';
import { adviceOnMalformed } from './malformed-advice.ts';
import type { Stop } from './stop.ts';

const SAME_ID = 'A server must answer with the id as the request wrote it.';
const LONGEST_DETAIL = 4000;
const LONGEST_ID = 200;

/** The ending for an answer that counts. */
export function endingOfAnswer(
  frame: ReadFrame,
  tool: string,
  era: ProtocolEra | null = null,
): Ending {
  const { document } = frame;
  if (document === null) throw new Error('An answer that counts is JSON.');
  if (frame.head.kind === 'error') {
    const error = member(document, document.root, 'error');
    const text = error === undefined ? '' : nodeText(document, error);
    return endingOfError(text, readRpcError(frame));
  }
  if (era === 'modern' && resultTypeOf(frame) === 'input_required')
    return endingOfInput(frame, tool);
  const result = member(document, document.root, 'result');
  const isError = member(document, result, 'isError');
  if (isError?.kind === 'literal' && isError.value === true) {
    return {
      outcome: 'toolError',
      sentence: `${tool} answered that it failed (isError is true); its content says why. What it did before it failed is not known.`,
      detail: null,
    };
  }
  return { outcome: 'result', sentence: `${tool} answered with a result.`, detail: null };
}

/** The ending where the server wants to know more than we could say. */
function endingOfInput(frame: ReadFrame, tool: string): Ending {
  const { requests } = readInputRequired(frame);
  const methods = [...new Set(requests.map(({ method }) => method ?? 'nothing readable'))];
  const asked = methods.length === 0 ? 'more input' : shortened(methods.join(', '), 500);
  return {
    outcome: 'protocolError',
    sentence: `${tool} did not finish: the server asked for ${asked}, which was not answered. The last answer says what it wants. ${UNKNOWN_EFFECT}`,
    detail: `input required: ${asked}`,
  };
}

/** The ending where a target's settings exclude each other. */
export function endingOfSettings(sentence: string): Ending {
  return { outcome: 'handshakeFailed', sentence: `${sentence} ${NOT_SENT}`, detail: sentence };
}

/** The ending for an answer that reads well, but that a client would not take. */
export function endingOfRefused(
  { answer, why, brokeOff }: RefusedAnswer,
  tool: string,
  era: ProtocolEra | null = null,
): Ending {
  const taken = endingOfAnswer(answer.frame, tool, era);
  if (taken.outcome === 'protocolError') {
    return { ...taken, sentence: `${closed(taken.sentence)} A client would not take it: ${why}` };
  }
  const came = taken.outcome === 'toolError' ? 'that it failed' : 'with a result';
  return {
    outcome: brokeOff ? 'connectionLost' : 'malformedAnswer',
    sentence: `${tool} answered ${came}, but clients would not take the answer: ${why} Its result is kept and compared all the same. ${UNKNOWN_EFFECT}`,
    detail: why,
  };
}

/** The ending where the replay stopped before the call had an answer. */
export function endingOfStop(
  stop: Exclude<Stop, { reason: 'logFailed' }>,
  phase: Phase,
  watch: CallWatch,
  timeoutMs: number,
  target: Target,
): Ending {
  if (stop.reason === 'cancelled') {
    const sentence = watch.isCallSent
      ? `You cancelled it while the call was running. ${instead(watch, 'no readable answer came before that') ?? UNKNOWN_EFFECT}`
      : `You cancelled it before the call was sent.`;
    return { outcome: 'cancelled', sentence, detail: null };
  }
  if (stop.reason === 'misstepStopped') {
    const sentence = watch.isCallSent
      ? `Misstep was stopped while the call was running; the frames so far are kept. ${UNKNOWN_EFFECT}`
      : `Misstep was stopped before the call was sent.`;
    return { outcome: 'interrupted', sentence, detail: 'Misstep was stopped' };
  }
  if (stop.reason === 'timeout') return endingOfTimeout(phase, watch, timeoutMs);
  return endingOfEnd(stop.end, phase, watch, target);
}

/** What came in place of an answer that counts, in sentences; null = nothing. */
function instead(watch: CallWatch, then: string): string | null {
  const ending =
    endingOfErrorWithoutId(watch, then) ??
    endingOfMalformed(watch, then) ??
    endingOfStray(watch, then);
  return ending?.sentence ?? null;
}

function waitedFor(phase: Phase): string {
  return phase === 'endpoint' ? 'name an endpoint on its event stream' : `answer ${phase}`;
}

/** The ending where the server's answer to initialize or tools/list can't be used. */
export function endingOfHandshake(phase: Phase, reason: string, watch: CallWatch): Ending {
  return {
    outcome: 'handshakeFailed',
    sentence: `The server's answer to ${phase} can't be used: ${reason} ${effect(watch)} See the frames.`,
    detail: reason,
  };
}

function endingOfTimeout(phase: Phase, watch: CallWatch, timeoutMs: number): Ending {
  const time = formatTime(timeoutMs);
  if (phase !== 'tools/call') {
    return {
      outcome: 'handshakeFailed',
      sentence: `The server did not ${waitedFor(phase)} within ${time}.${saidWithoutId(watch)} ${NOT_SENT} See its stderr and the frames for what it did instead.`,
      detail:
        phase === 'endpoint'
          ? `no endpoint within ${time}`
          : `no answer to ${phase} within ${time}`,
    };
  }
  const then = `no readable answer came within ${time}`;
  const malformed = endingOfErrorWithoutId(watch, then) ?? endingOfMalformed(watch, then);
  if (malformed !== null) return malformed;
  const stray = strayAnswers(watch);
  const noise =
    watch.noiseCount === 0
      ? ''
      : ` It wrote ${count(watch.noiseCount, 'line')} that ${watch.noiseCount === 1 ? 'is' : 'are'} no JSON instead.`;
  return {
    outcome: 'timedOut',
    sentence: `${stray ?? 'The server did not answer the call'} within ${time}.${noise} ${effect(watch)} ${stray === null ? 'Check that before you send it again; where the tool is slow, give it a longer timeout.' : `Check that before you send it again. ${SAME_ID}`}`,
    detail: `no answer within ${time}`,
  };
}

function endingOfEnd(end: TransportEnd, phase: Phase, watch: CallWatch, target: Target): Ending {
  const detail = describeEnd(end);
  const lastWords = watch.saidOnStderr();
  switch (end.reason) {
    case 'spawnFailed':
      return {
        outcome: 'serverDidNotStart',
        sentence: `The server did not start: ${detail}. ${NOT_SENT} Check the target's command and working folder.`,
        detail,
      };
    case 'exited':
      return endingOfExit(phase, watch, detail, lastWords);
    case 'tooLarge':
      return {
        outcome: 'tooLarge',
        sentence: `The server sent more than Misstep takes: ${detail}. The limit is fixed; what came up to it is kept. ${effect(watch)} Ask for less: a page, a filter, fewer fields; no model's context holds so much.`,
        detail: `${detail}; ${end.seenBytes} ${end.seenBytes === 1 ? 'byte' : 'bytes'} came`,
      };
    case 'connectionFailed':
      return {
        outcome: 'connectionFailed',
        sentence: `No answer over HTTP: ${detail}. ${effect(watch)} Check the target's address and that the server runs.`,
        detail,
      };
    case 'headersTooLarge':
      if (phase !== 'tools/call') return endingOfHandshake(phase, `${detail}.`, watch);
      return {
        outcome: 'malformedAnswer',
        sentence: `The server's HTTP answer to the call can't be read: ${detail}. ${UNKNOWN_EFFECT}`,
        detail,
      };
    case 'httpStatus':
      return (
        refusalByStatus(end.status, { phase, watch, detail, target }) ??
        endingOfErrorWithoutId(watch, null) ??
        // What comes with another status is no try at an answer: a proxy's page, a gateway's own JSON.
        (end.status < 300 ? endingOfMalformed(watch, detail) : null) ??
        endingOfStray(watch, detail) ??
        endingWithoutAnswer(watch, detail)
      );
    case 'sessionLost':
      return {
        outcome: 'connectionLost',
        sentence: `The session is lost: ${detail}. By the protocol such a server has not carried out the request. Send it again: each replay opens a session of its own.`,
        detail,
      };
    case 'connectionLost':
    case 'closed':
      return (
        (watch.isCallSent ? endingOfErrorWithoutId(watch, detail) : null) ??
        endingOfMalformed(watch, detail) ??
        endingOfStray(watch, detail) ?? {
          outcome: 'connectionLost',
          sentence: `${end.reason === 'connectionLost' && end.endedWhole === true ? 'No answer came' : 'The connection was lost'}: ${detail}.${saidWithoutId(watch)} ${effect(watch)}${watch.isCallSent ? ' Check that before you send it again.' : ' Check that the server runs, then send it again.'} The frames so far are kept.`,
          detail,
        }
      );
  }
}

function endingOfExit(phase: Phase, watch: CallWatch, detail: string, lastWords: string): Ending {
  if (phase === 'initialize' || phase === 'server/discover') {
    return {
      outcome: 'serverDidNotStart',
      sentence: `The server ended before it answered ${phase}: ${detail}.${saidWithoutId(watch)} ${NOT_SENT} Check the target's command and arguments${lastWords === '' ? '.' : '; its whole stderr is beside the frames.'}${lastWords}`,
      detail,
    };
  }
  const malformed =
    (watch.isCallSent ? endingOfErrorWithoutId(watch, detail) : null) ??
    endingOfMalformed(watch, detail);
  if (malformed !== null) return malformed;
  const stray = strayAnswers(watch);
  const before =
    phase === 'tools/call' ? 'before it answered the call' : `before it answered ${phase}`;
  return {
    outcome: 'serverExited',
    sentence: `The server ended ${before}: ${detail}.${saidWithoutId(watch)}${stray === null ? '' : ` ${stray}.`} ${effect(watch)}${lastWords}`,
    detail,
  };
}

/**
 * An error that names no request, as servers give where they can't read one. `then` = what came
 * after it; null where it is the whole answer to one HTTP request, so that it can mean no other.
 */
function endingOfErrorWithoutId(watch: CallWatch, then: string | null): Ending | null {
  if (watch.errorWithoutId === null) return null;
  const frame = readFrame(watch.errorWithoutId);
  const { document } = frame;
  const error = document === null ? undefined : member(document, document.root, 'error');
  if (document === null || error === undefined) return null;
  const text = nodeText(document, error);
  const read = readRpcError(frame);
  if (then === null) return isRpcError(frame) ? endingOfError(text, read) : null;
  return {
    outcome: 'protocolError',
    sentence: `The server wrote error ${read.code} without the call's id, so clients saw no answer: ${closed(read.message)} After that ${then}. ${UNKNOWN_EFFECT}`,
    detail: shortened(text, LONGEST_DETAIL),
  };
}

/** What an error without an id says before the call is sent; '' = there was none. */
function saidWithoutId(watch: CallWatch): string {
  if (watch.errorWithoutId === null) return '';
  const { code, message } = readRpcError(readFrame(watch.errorWithoutId));
  return ` It wrote error ${code} without an id: ${closed(message)}`;
}

/** Null where nothing unreadable came after the call. */
function endingOfMalformed(watch: CallWatch, then: string): Ending | null {
  if (watch.batchHoldsAnswer && watch.malformedCount === 0) {
    return {
      outcome: 'malformedAnswer',
      sentence: `The server answered inside a batch, which clients of today drop; ${then}. See the frame. ${UNKNOWN_EFFECT} A server must send each answer as a message of its own.`,
      detail: 'the answer is inside a batch',
    };
  }
  if (watch.malformedCount === 0) return null;
  if (watch.linesTogetherAreAnswer()) {
    return {
      outcome: 'malformedAnswer',
      sentence: `The server spread its answer over several lines, but a stdio message must be one line: clients read none of them; ${then}. ${UNKNOWN_EFFECT} A server must print its JSON without line breaks.`,
      detail: 'the answer is spread over several lines',
    };
  }
  const remark = watch.firstMalformed?.remark ?? '';
  return {
    outcome: 'malformedAnswer',
    sentence:
      `The server wrote ${count(watch.malformedCount, 'frame')} after the call that can't be read as an answer; ${then}. ${remark} ${UNKNOWN_EFFECT} ${adviceOnMalformed(remark)}`.replace(
        '  ',
        ' ',
      ),
    detail: remark || null,
  };
}

/** Where the transport is done and the only answers were to other ids, waiting would not help. */
function endingOfStray(watch: CallWatch, then: string): Ending | null {
  const stray = strayAnswers(watch);
  if (stray === null) return null;
  return {
    outcome: 'malformedAnswer',
    sentence: `${stray}; ${then}. ${UNKNOWN_EFFECT} ${SAME_ID}`,
    detail: stray,
  };
}

/** Codes by which JSON-RPC says that a request was not carried out at all. */
const REFUSALS = new Set(['-32700', '-32600', '-32601', '-32602']);

function endingOfError(text: string, error: { code: string; message: string }): Ending {
  const sentence = REFUSALS.has(error.code)
    ? `The server refused the call with error ${error.code}: ${closed(error.message)}`
    : `The server answered the call with error ${error.code}: ${closed(error.message)} ${UNKNOWN_EFFECT}`;
  return {
    outcome: 'protocolError',
    sentence,
    detail: shortened(text, LONGEST_DETAIL),
  };
}

/** Answers that came, but to no request of ours. */
function strayAnswers(watch: CallWatch): string | null {
  if (watch.looseId !== null) {
    return `The server answered with id ${shortened(watch.looseId, LONGEST_ID)}, but the call's id is ${watch.callIdText}, so clients that compare ids exactly saw no answer`;
  }
  if (watch.idlessResult !== null) {
    return `The server answered with ${watch.idlessResult}, but the call's id is ${watch.callIdText}, so clients saw no answer`;
  }
  if (watch.otherIds.length === 0) return null;
  return `The server answered id ${shortened(watch.otherIds.join(', '), LONGEST_ID)}, but the call's id is ${watch.callIdText}, so the call has no answer`;
}

/** From the moment that the call is on its way, nobody but the server knows what came of it. */
function effect(watch: CallWatch): string {
  return watch.isCallSent ? UNKNOWN_EFFECT : NOT_SENT;
}

/** With a full stop, where it has no end of its own. */
function closed(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}

function formatTime(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
