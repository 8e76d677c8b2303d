import { type ReadFrame, readFrame } from './describe-frame.ts';
import { readNextFrame, type TapRecord } from './tap.ts';

/** An answer as it crossed the transport, with its times. */
export interface RawAnswer {
  readonly bytes: Uint8Array;
  readonly frame: ReadFrame;
  readonly sentAtNs: bigint;
  readonly atNs: bigint;
}

interface Waiting {
  readonly isLoose: boolean;
  sentAtNs: bigint;
  settle: (answer: RawAnswer) => void;
}

/**
 * Finds the answer to each of our requests among the frames themselves: a response or an error
 * whose id is written exactly as ours was. The SDK takes "5" for 5; here it is another id. An
 * answer inside which the transport broke off is none: a client can resume and get a whole one. Nor
 * is one of which a cap of ours left a beginning.
 */
export class AnswerBook {
  readonly #waiting = new Map<string, Waiting>();
  #nextBrokeOff = false;

  /**
   * The first answer to the request with that id; pending for ever where none comes. `loosely`
   * also takes the number written as a string, as the SDK does: for the steps before the call,
   * so that a server with that fault can still be called and the fault be seen on the call.
   */
  answerTo(idText: string, loosely: boolean): Promise<RawAnswer> {
    return new Promise((settle) => {
      this.#waiting.set(idText, { isLoose: loosely, sentAtNs: 0n, settle });
    });
  }

  see(record: TapRecord): void {
    if (record.lane === '#') {
      const next = readNextFrame(record);
      this.#nextBrokeOff = next?.refusal === 'brokeOff' || next?.isCutByUs === true;
      return;
    }
    if (record.lane === '!') return;
    const brokeOff = record.lane === '<' && this.#nextBrokeOff;
    if (record.lane === '<') this.#nextBrokeOff = false;
    if (brokeOff) return;
    if (this.#waiting.size === 0) return;
    const frame = readFrame(record.bytes);
    const { kind, idText } = frame.head;
    if (idText === null) return;
    if (record.lane === '>') {
      const sent = this.#waiting.get(idText);
      if (sent !== undefined && kind === 'request') sent.sentAtNs = record.atNs;
      return;
    }
    if (kind !== 'response' && kind !== 'error') return;
    const loose = idLoosely(idText);
    const isExact = this.#waiting.has(idText);
    const waiting = this.#waiting.get(isExact ? idText : loose);
    if (waiting === undefined || (!isExact && !waiting.isLoose)) return;
    this.#waiting.delete(isExact ? idText : loose);
    waiting.settle({
      bytes: record.bytes,
      frame,
      sentAtNs: waiting.sentAtNs,
      atNs: record.atNs,
    });
  }
}

/** `"5"`, `5.0` and `5` are one id to clients that compare ids as numbers. */
export function idLoosely(idText: string): string {
  const value = Number(idText.replace(/^"(.*)"$/, '$1'));
  return Number.isNaN(value) || idText === 'null' ? idText : String(value);
}
