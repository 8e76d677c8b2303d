import {
  type JsonBytesDocument,
  type JsonNode,
  member,
  nodeText,
  stringValue,
} from '@misstep/json';
import { readFrame } from '@misstep/mcp';
import type { FrameLogLane, ServerAsk } from '@misstep/model';
import { type AskEvent, readAskEvent } from './ask-event.ts';

/** Of one request's params for display; the frame log holds all of them. */
const PARAMS_CAP_BYTES = 64 * 1024;
/** A replay whose asks nobody is told of has params without events. */
const MOST_PARAMS = 1000;

interface LoggedRecord {
  readonly lane: FrameLogLane;
  readonly bytes: Uint8Array;
  readonly atNs: bigint;
}

type CutText = Pick<ServerAsk, 'paramsText' | 'paramsOmittedBytes'>;
const NO_PARAMS: CutText = { paramsText: null, paramsOmittedBytes: 0 };

/**
 * The asks of one replay out of its records in their order: live as they come, or from the frame
 * log, so that both say the same.
 */
export class AskView {
  readonly #asks: ServerAsk[] = [];
  /** Params of requests that no event has spoken of yet, by id or by key of `inputRequests`. */
  readonly #params = new Map<string, CutText>();
  /** Answers of which the event came, and the frame not yet. */
  readonly #unsent = new Map<string, number[]>();
  readonly #waits: { readonly fromNs: bigint; toNs: bigint | null }[] = [];
  #openCount = 0;
  #omitted: number | null = null;

  get asks(): readonly ServerAsk[] {
    return this.#asks;
  }

  /** How many were answered by default at once and are not among `asks`. */
  get omittedCount(): number {
    return this.#omitted ?? 0;
  }

  /** True where something of `asks` has changed. */
  add(record: LoggedRecord): boolean {
    if (record.lane === '#') return this.#noted(record);
    if (record.lane === '<') this.#received(record.bytes);
    if (record.lane === '>') return this.#sent(record.bytes);
    return false;
  }

  /** Nanoseconds between the two in which at least one ask waited for its answer. */
  waitedNs(fromNs: bigint, toNs: bigint): bigint {
    let sum = 0n;
    for (const wait of this.#waits) {
      const from = wait.fromNs > fromNs ? wait.fromNs : fromNs;
      const to = wait.toNs === null || wait.toNs > toNs ? toNs : wait.toNs;
      if (to > from) sum += to - from;
    }
    return sum;
  }

  #noted({ bytes, atNs }: LoggedRecord): boolean {
    const event = readAskEvent(bytes);
    if (event === null) return false;
    if (event.step === 'tooMany') this.#omitted = 1;
    else if (event.step === 'opened') this.#opened(event, atNs);
    else this.#closed(event, atNs);
    return true;
  }

  #opened(event: Extract<AskEvent, { step: 'opened' }>, atNs: bigint): void {
    const { ordinal, method, idText, defaultAnswer, defaultAfterMs } = event;
    const params = this.#params.get(idText) ?? NO_PARAMS;
    this.#params.delete(idText);
    this.#asks.push({
      ordinal,
      method,
      idText,
      atNs: Number(atNs),
      ...params,
      defaultAnswer,
      defaultAfterMs,
      answer: null,
      endedUnanswered: null,
    });
    if (this.#openCount === 0) this.#waits.push({ fromNs: atNs, toNs: null });
    this.#openCount += 1;
  }

  #closed(event: Exclude<AskEvent, { step: 'opened' | 'tooMany' }>, atNs: bigint): void {
    const at = this.#asks.findIndex(({ ordinal }) => ordinal === event.ordinal);
    const ask = this.#asks[at];
    if (ask === undefined || ask.answer !== null || ask.endedUnanswered !== null) return;
    this.#openCount -= 1;
    const wait = this.#waits.at(-1);
    if (this.#openCount === 0 && wait !== undefined) wait.toNs = atNs;
    if (event.step !== 'answered') {
      this.#asks[at] = { ...ask, endedUnanswered: event.step };
      return;
    }
    const { by, kind } = event;
    // The frame that follows has its text; where it never left, the log can't tell it.
    this.#asks[at] = { ...ask, answer: { by, kind, text: '', atNs: Number(atNs) } };
    this.#unsent.set(ask.idText, [...(this.#unsent.get(ask.idText) ?? []), at]);
  }

  #received(bytes: Uint8Array): void {
    const { head, document, isDropped } = readFrame(bytes);
    if (document === null || isDropped) return;
    if (head.kind === 'request' && head.idText !== null && head.method !== 'ping') {
      if (this.#omitted !== null) this.#omitted += head.idText === 'null' ? 0 : 1;
      else this.#keep(head.idText, member(document, document.root, 'params'), document);
      return;
    }
    if (head.kind !== 'response') return;
    const result = member(document, document.root, 'result');
    const requests = member(document, result, 'inputRequests');
    if (requests?.kind !== 'object') return;
    for (const { key, value } of requests.members) {
      this.#keep(stringValue(document, key), member(document, value, 'params'), document);
    }
  }

  #keep(name: string, params: JsonNode | undefined, document: JsonBytesDocument): void {
    this.#params.set(name, params === undefined ? NO_PARAMS : cut(nodeText(document, params)));
    const [oldest] = this.#params.keys();
    if (this.#params.size > MOST_PARAMS && oldest !== undefined) this.#params.delete(oldest);
  }

  #sent(bytes: Uint8Array): boolean {
    if (this.#unsent.size === 0) return false;
    const { head, document } = readFrame(bytes);
    if (document === null) return false;
    if ((head.kind === 'response' || head.kind === 'error') && head.idText !== null) {
      const name = head.kind === 'error' ? 'error' : 'result';
      const answer = member(document, document.root, name);
      return answer !== undefined && this.#fill(head.idText, nodeText(document, answer));
    }
    const params = member(document, document.root, 'params');
    const responses = member(document, params, 'inputResponses');
    if (responses?.kind !== 'object') return false;
    let hasChanged = false;
    for (const { key, value } of responses.members) {
      hasChanged = this.#fill(stringValue(document, key), nodeText(document, value)) || hasChanged;
    }
    return hasChanged;
  }

  #fill(idText: string, text: string): boolean {
    const [at, ...others] = this.#unsent.get(idText) ?? [];
    const ask = at === undefined ? undefined : this.#asks[at];
    if (at === undefined || ask === undefined || ask.answer === null) return false;
    if (others.length === 0) this.#unsent.delete(idText);
    else this.#unsent.set(idText, others);
    this.#asks[at] = { ...ask, answer: { ...ask.answer, text } };
    return true;
  }
}

function cut(text: string): CutText {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= PARAMS_CAP_BYTES) return { paramsText: text, paramsOmittedBytes: 0 };
  let end = PARAMS_CAP_BYTES;
  // Never inside a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return {
    paramsText: bytes.toString('utf8', 0, end),
    paramsOmittedBytes: bytes.length - end,
  };
}
