import { isUtf8 } from 'node:buffer';
import {
  CONNECTION_EVENT_KINDS,
  describeCutFrame,
  idLoosely,
  isCutByUs,
  readFrame,
} from '@misstep/mcp';
import {
  type FrameLogLane,
  type ReplayEvent,
  type ReplayFrame,
  readFrameLog,
  type ServerAsk,
} from '@misstep/model';
import { z } from 'zod';
import { AskView } from './asks/ask-view.ts';
import { parseOwnJson } from './own-json.ts';

/** A frame's text beyond this is left to the frame log, counted in `textOmittedBytes`. */
export const FRAME_TEXT_CAP_BYTES = 256 * 1024;

const ConnectionEventSchema = z.object({
  kind: z.enum(CONNECTION_EVENT_KINDS),
  text: z.string(),
  nextFrameRemark: z.string().optional(),
  nextFrameIsCutByUs: z.boolean().optional(),
});

export type ReplayItem =
  | { readonly type: 'frame'; readonly frame: ReplayFrame }
  | { readonly type: 'event'; readonly event: ReplayEvent };

/**
 * Turns the records of one connection, in their order, into what is shown. The live view and a
 * reading of the frame log go through this one fold, so they can't differ.
 */
export class ReplayView {
  #seq = 0;
  #nextFrameRemark: string | null = null;
  #nextFrameIsCutByUs = false;
  readonly #stderr = new TextDecoder();
  /** Ids of our requests as written, and whether an answer has come. */
  readonly #sent = new Map<string, boolean>();
  // A replay's connection has one call.
  #isCancelled = false;
  #isGreeted = false;
  #isCalled = false;

  add(record: { lane: FrameLogLane; bytes: Uint8Array; atNs: bigint }): ReplayItem | null {
    const { lane, bytes } = record;
    const atNs = Number(record.atNs);
    if (lane === '!') {
      const text = this.#stderr.decode(bytes, { stream: true });
      return text === '' ? null : { type: 'event', event: { atNs, kind: 'stderr', text } };
    }
    if (lane === '#') return this.#event(bytes, atNs);
    return { type: 'frame', frame: this.#frame(lane, bytes, atNs) };
  }

  #event(bytes: Uint8Array, atNs: number): ReplayItem {
    const text = new TextDecoder().decode(bytes);
    const read = ConnectionEventSchema.safeParse(parseOwnJson(text));
    if (!read.success) return { type: 'event', event: { atNs, kind: 'note', text } };
    this.#nextFrameRemark = read.data.nextFrameRemark ?? null;
    this.#nextFrameIsCutByUs = isCutByUs(read.data);
    return { type: 'event', event: { atNs, kind: read.data.kind, text: read.data.text } };
  }

  #frame(lane: '>' | '<', bytes: Uint8Array, atNs: number): ReplayFrame {
    const isCut = this.#nextFrameIsCutByUs;
    const head = isCut ? describeCutFrame() : readFrame(bytes).head;
    const place = isCut ? null : this.#placeRemark(lane, bytes);
    const remarks = [this.#nextFrameRemark, head.remark, place];
    this.#nextFrameRemark = null;
    this.#nextFrameIsCutByUs = false;
    this.#seq += 1;
    const shown = textOfFrame(bytes);
    return {
      ...head,
      remark: remarks.filter((remark) => remark !== null).join(' ') || null,
      seq: this.#seq,
      direction: lane === '>' ? 'client-to-server' : 'server-to-client',
      atNs,
      sizeBytes: bytes.length,
      ...shown,
    };
  }

  #noteSent(bytes: Uint8Array): void {
    const { kind, idText, method } = readFrame(bytes).head;
    if (kind === 'request' && idText !== null) this.#sent.set(idText, false);
    if (method === 'notifications/initialized') this.#isGreeted = true;
    if (method === 'notifications/cancelled') this.#isCancelled = true;
    if (method === 'tools/call') this.#isCalled = true;
  }

  /** What the frames before it make of this one. */
  #placeRemark(lane: '>' | '<', bytes: Uint8Array): string | null {
    if (lane === '>') {
      this.#noteSent(bytes);
      return null;
    }
    const { kind, idText, method } = readFrame(bytes).head;
    if (method === 'notifications/progress' && this.#isCancelled) {
      return 'Progress after the call was cancelled: a server should stop then, and clients drop what still comes.';
    }
    if (kind !== 'response' && kind !== 'error') return null;
    if (idText === null || idText === 'null') {
      return this.#isGreeted && !this.#isCalled
        ? 'It came before the call: nothing may answer a notification such as notifications/initialized.'
        : null;
    }
    const isAnswered = this.#sent.get(idText);
    if (isAnswered === false) {
      this.#sent.set(idText, true);
      return this.#isCancelled ? 'An answer after the call was cancelled: clients drop it.' : null;
    }
    if (isAnswered === true) {
      return `A second answer to the request with id ${idText}: the first one counts.`;
    }
    const loose = idLoosely(idText);
    if (this.#sent.has(loose)) {
      return `The id is written ${idText}, the request's is ${loose}: clients that compare ids exactly drop it.`;
    }
    return `Answers id ${idText}, which no request of this connection has.`;
  }
}

/**
 * The frames, events and asks of a replay from its frame log's bytes, whole or torn. Of a masked log
 * the sizes are those of `original`, in which the same records stand.
 */
export function readReplayLog(
  bytes: Uint8Array,
  original: Uint8Array = bytes,
): {
  frames: ReplayFrame[];
  events: ReplayEvent[];
  asks: readonly ServerAsk[];
  asksOmitted: number;
} {
  const view = new ReplayView();
  const asks = new AskView();
  const frames: ReplayFrame[] = [];
  const events: ReplayEvent[] = [];
  const { entries } = readFrameLog(bytes);
  const before = original === bytes ? entries : readFrameLog(original).entries;
  for (const [index, { lane, payload, monotonicNs }] of entries.entries()) {
    const record = { lane, bytes: payload, atNs: monotonicNs };
    const item = view.add(record);
    asks.add(record);
    const sizeBytes = before[index]?.payload.length ?? payload.length;
    if (item?.type === 'frame') frames.push({ ...item.frame, sizeBytes });
    if (item?.type === 'event') events.push(item.event);
  }
  return { frames, events, asks: asks.asks, asksOmitted: asks.omittedCount };
}

function textOfFrame(
  bytes: Uint8Array,
): Pick<ReplayFrame, 'text' | 'textOmittedBytes' | 'validUtf8'> {
  const end = characterBoundary(bytes, FRAME_TEXT_CAP_BYTES);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end));
  return { text, textOmittedBytes: bytes.length - end, validUtf8: isUtf8(bytes) };
}

/** The largest length up to `cap` that cuts no UTF-8 character in two. */
function characterBoundary(bytes: Uint8Array, cap: number): number {
  if (bytes.length <= cap) return bytes.length;
  let end = cap;
  while (end > cap - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
