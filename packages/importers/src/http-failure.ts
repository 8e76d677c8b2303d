import { type Elision, notCaptured, type Step } from '@misstep/model';
import type { BrokenEvent } from './broken-event.ts';
import { CUT_SHORT, isCutJson } from './cut-json.ts';
import type { HttpBody } from './http-body.ts';
import type { HttpExchange } from './http-traffic.ts';
import { firstLine, oneLine } from './one-line.ts';
import { looksLikeSse } from './sse-events.ts';
import { inlineValue, valueAt } from './step-builder.ts';

/** The answer comes elsewhere, on a stream. */
const ACCEPTED = 202;
const MOST_WORDS = 200;

/** Why a model's API gave no answer that is one, in its words where there are any. */
export function whyNoAnswer({ status, received, unread }: HttpExchange): string {
  if (status < 300 && unread != null) return unread;
  const words = received === null ? '' : wordsOf(received);
  if (words === '') return `Status ${status}; the body is not recorded or no answer.`;
  return `HTTP status ${status}: ${words}`;
}

/** What a request of MCP got in place of an answer, as far as the exchange that carried it shows it. */
export function sayWhyUnanswered(step: Step, exchange: HttpExchange): void {
  if (step.status !== 'unanswered') return;
  const { status, received, lost, unread = null } = exchange;
  const half = received?.broken.find(isAnswer);
  // Of a stream, what was read is whole events: what is missing may be no answer.
  const isStream = received !== null && looksLikeSse(received.text);
  const isPart = unread !== null && status < 300 && !isStream;
  if (!isPart && received !== null && isAnotherAnswer(status, received)) {
    const words = wordsOf(received);
    const said = status < 300 ? `HTTP status ${status} without JSON-RPC` : `HTTP status ${status}`;
    step.status = 'protocolError';
    step.statusReason = words === '' ? said : `${said}: ${words}`;
    const { missingBytes = null } = received;
    const isWhole = missingBytes === null && unread === null;
    step.result = received.value(isWhole ? [] : [missing(missingBytes)]);
    addRecord(step, exchange);
  } else if (status >= 400) {
    step.status = 'protocolError';
    step.statusReason = `HTTP status ${status}`;
  } else if (half !== undefined) {
    step.status = 'unknown';
    step.statusReason = 'The recording holds only the beginning of the answer.';
    step.result = halfValue(half);
    addRecord(step, exchange);
  } else if (isPart || (received !== null && isBeginning(received))) {
    step.status = 'unknown';
    step.statusReason = unread ?? 'The recording holds only the beginning of the answer.';
    step.result =
      received?.value([missing(received.missingBytes ?? null)]) ?? notCaptured(step.evidence);
    addRecord(step, exchange);
  } else if (lost !== null) {
    step.statusReason = lost;
    if (status > 0 && status !== ACCEPTED) step.result ??= notCaptured(step.evidence);
  } else if (received === null && status !== ACCEPTED) {
    step.statusReason = 'The recording holds no body of the answer.';
  }
}

/** A page, a gateway's error, JSON of another kind: all that the caller got. */
function isAnotherAnswer(status: number, body: HttpBody): boolean {
  const { text } = body;
  if (status < 200 || text.trim() === '') return false;
  return status >= 300 || (status !== ACCEPTED && !looksLikeSse(text) && !isBeginning(body));
}

/** JSON that goes on: as its text shows, or by what the recording says of its size. */
function isBeginning({ text, missingBytes = 0 }: HttpBody): boolean {
  if (isCutJson(text)) return true;
  return missingBytes > 0 && /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
}

/** Of the body of an answer that came, and of which there is at best a beginning. */
export const notWhole = (why: string): string => `The answer is not read whole: ${why}.`;

/** What a body says went wrong: the message in JSON, or how its text begins. */
export function wordsOf({ text, messages }: HttpBody): string {
  const view = messages[0]?.view;
  const told = [
    view?.at('error', 'message'),
    view?.get('error'),
    view?.get('message'),
    view?.get('detail'),
  ];
  const said = told.find((each) => (each?.text ?? '') !== '')?.text;
  return said === undefined || said === null
    ? oneLine(text.slice(0, 2000).trim(), MOST_WORDS)
    : firstLine(said, MOST_WORDS);
}

/** Of a stream, only what answers a request: a notification that was cut is no result. */
const isAnswer = ({ text }: BrokenEvent): boolean =>
  /"(?:result|error)"\s*:/.test(text.slice(0, 500)) &&
  !/"method"\s*:/.test(text.slice(0, 200).split(/"(?:result|error)"/)[0] ?? '');

function halfValue({ text, origin, isExact }: BrokenEvent): Step['result'] {
  return isExact
    ? valueAt(origin, 'text', 'wire', [CUT_SHORT])
    : inlineValue(text, origin, 'wire', [CUT_SHORT]);
}

function missing(bytes: number | null): Elision {
  return bytes === null ? CUT_SHORT : { ...CUT_SHORT, kind: 'bytes', count: bytes };
}

function addRecord(step: Step, { record }: HttpExchange): void {
  if (step.origin.offset !== record.offset) step.moreOrigins.push(record);
}
