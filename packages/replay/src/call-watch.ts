import { member } from '@misstep/json';
import {
  idLoosely,
  maskSecrets,
  type NextFrame,
  type RawAnswer,
  readFrame,
  readNextFrame,
  type SecretSource,
  shortened,
  type TapRecord,
} from '@misstep/mcp';
import type { FrameHead } from '@misstep/model';
import { isModernRequest } from './modern-request.ts';
import { saidOnStderr } from './telling-line.ts';
import { toolResultFault } from './tool-result-fault.ts';

/** In characters; far more than is quoted, so that no secret is cut at the beginning of what is. */
const KEPT_STDERR = 65_536;
/** In bytes; as with stderr, far more than is quoted. */
const KEPT_BODY = 65_536;
const LONGEST_BODY = 300;
const MOST_HELD_BYTES = 4 * 1024 * 1024;

/** An answer to the call that reads well, but that clients would not take. */
export interface RefusedAnswer {
  readonly answer: RawAnswer;
  /** Whole sentences. */
  readonly why: string;
  /** The transport broke off before the answer was over. */
  readonly brokeOff: boolean;
}

/** Looks at what a server writes after the call left, for the case that no answer is found in it. */
export class CallWatch {
  readonly #masked: (text: string) => string;
  /** The call's id as written; null = the call was not sent. */
  callIdText: string | null = null;
  noiseCount = 0;
  malformedCount = 0;
  firstMalformed: FrameHead | null = null;
  /** Ids of answers to nothing we sent, the first few. */
  readonly otherIds: string[] = [];
  /** An answer whose id is ours in another spelling. */
  looseId: string | null = null;
  /** An error object without an id, as servers give when they can't read a request. */
  errorWithoutId: Uint8Array | null = null;
  batchHoldsAnswer = false;
  /** A result under no id or `null`, in a word; null = none came. */
  idlessResult: string | null = null;
  /** Size of a last frame that the end of the connection cut; null = none was. */
  cutFrameBytes: number | null = null;
  /** Progress came although the call had been cancelled. */
  toldProgressAfterCancel = false;
  stderrTail = '';
  /** The first one. */
  refusedAnswer: RefusedAnswer | null = null;
  /** How the first frame after the last request begins. */
  #body: Uint8Array | null = null;
  readonly #sentIds = new Set<string>();
  #isModern = false;
  #isCancelled = false;
  #sentAtNs = 0n;
  #nextFrame: NextFrame | null = null;
  #unread: Uint8Array[] = [];
  #unreadBytes = 0;

  constructor(secrets?: SecretSource) {
    this.#masked = (text) => maskSecrets(text, secrets);
  }

  /** True from the moment that the call was given to the transport. */
  get isCallSent(): boolean {
    return this.callIdText !== null;
  }

  see(record: TapRecord): void {
    if (record.lane === '!') {
      this.stderrTail = (this.stderrTail + new TextDecoder().decode(record.bytes)).slice(
        -KEPT_STDERR,
      );
      return;
    }
    if (record.lane === '>') {
      this.#body = null;
      const { kind, method, idText } = readFrame(record.bytes).head;
      if (kind === 'request' && idText !== null) this.#sentIds.add(idText);
      if (kind === 'request' && method === 'tools/call') {
        this.callIdText = idText;
        this.#isModern = isModernRequest(readFrame(record.bytes));
        this.errorWithoutId = null;
        this.#sentAtNs = record.atNs;
      }
      if (method === 'notifications/cancelled') this.#isCancelled = true;
      return;
    }
    if (record.lane === '#') {
      this.#nextFrame = readNextFrame(record);
      return;
    }
    this.#body ??= Buffer.from(record.bytes.subarray(0, KEPT_BODY));
    if (this.callIdText !== null) this.#received(record, this.callIdText);
    else this.#noteErrorWithoutId(record.bytes, readFrame(record.bytes).head);
    this.#nextFrame = null;
  }

  /**
   * True where the unreadable lines, put together, are the answer: servers that print their JSON
   * prettily spread one message over many lines.
   */
  linesTogetherAreAnswer(): boolean {
    if (this.#unread.length < 2 || this.#unreadBytes > MOST_HELD_BYTES) return false;
    const whole = Buffer.concat(this.#unread.flatMap((line) => [line, Buffer.from('\n')]));
    const { kind, idText } = readFrame(whole).head;
    return (kind === 'response' || kind === 'error') && idText === this.callIdText;
  }

  /** What stderr says of why the server ended, short enough to follow a sentence; '' = nothing. */
  saidOnStderr(): string {
    // Masked before it is cut: a line, or its end, can be a part of a secret that nothing knows.
    return saidOnStderr(this.#masked(this.stderrTail));
  }

  /** How the body of an HTTP answer begins, on one line; '' = it is empty. */
  saidInBody(): string {
    if (this.#body === null) return '';
    const text = this.#masked(new TextDecoder().decode(this.#body));
    return shortened(text.replace(/\s+/g, ' ').trim(), LONGEST_BODY);
  }

  #received(record: TapRecord, callIdText: string): void {
    const { head } = readFrame(record.bytes);
    if (this.#nextFrame?.isCut) this.cutFrameBytes = record.bytes.length;
    if (this.#nextFrame?.isCutByUs === true) return;
    if (head.method === 'notifications/progress' && this.#isCancelled) {
      this.toldProgressAfterCancel = true;
    }
    switch (head.kind) {
      case 'noise':
        this.noiseCount += 1;
        this.#hold(record.bytes);
        break;
      case 'malformed':
        // A frame that the connection's end has cut says nothing of what was meant.
        if (this.#nextFrame?.isCut) break;
        this.malformedCount += 1;
        this.firstMalformed ??= head;
        this.#hold(record.bytes);
        break;
      case 'batch':
        this.batchHoldsAnswer ||= holdsAnswer(record.bytes);
        break;
      case 'response':
      case 'error':
        this.#answered(record, head, callIdText);
        break;
    }
  }

  #answered(record: TapRecord, head: FrameHead, callIdText: string): void {
    const { bytes } = record;
    const { idText } = head;
    if (idText === callIdText) {
      this.#noteRefusal(record);
      return;
    }
    if (idText === null || idText === 'null') {
      this.#noteErrorWithoutId(bytes, head);
      if (head.kind === 'response') this.idlessResult ??= idText === null ? 'no id' : 'the id null';
      return;
    }
    if (idLoosely(idText) === callIdText) this.looseId ??= idText;
    else if (this.otherIds.length < 5 && !this.#sentIds.has(idText)) this.otherIds.push(idText);
  }

  #noteErrorWithoutId(bytes: Uint8Array, { kind, idText }: FrameHead): void {
    if (kind === 'error' && (idText === null || idText === 'null')) this.errorWithoutId ??= bytes;
  }

  #noteRefusal({ bytes, atNs }: TapRecord): void {
    const frame = readFrame(bytes);
    const refusal = this.#nextFrame?.refusal;
    const fault = toolResultFault(frame, this.#isModern);
    if (refusal === undefined && !frame.isDropped && fault === null) return;
    const remarks = [
      refusal === undefined ? null : (this.#nextFrame?.remark ?? null),
      frame.isDropped ? frame.head.remark : null,
      fault,
    ];
    this.refusedAnswer ??= {
      answer: { bytes, frame, sentAtNs: this.#sentAtNs, atNs },
      why: remarks.filter((remark) => remark !== null).join(' '),
      brokeOff: refusal === 'brokeOff',
    };
  }

  #hold(bytes: Uint8Array): void {
    this.#unreadBytes += bytes.length;
    // A copy: the bytes can be a small piece of a large chunk.
    if (this.#unreadBytes <= MOST_HELD_BYTES) this.#unread.push(Buffer.from(bytes));
  }
}

function holdsAnswer(bytes: Uint8Array): boolean {
  const { document } = readFrame(bytes);
  if (document?.root.kind !== 'array') return false;
  return document.root.items.some(
    (item) =>
      member(document, item, 'result') !== undefined ||
      member(document, item, 'error') !== undefined,
  );
}
