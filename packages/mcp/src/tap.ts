import type { FrameLogLane } from '@misstep/model';
import type { ConnectionSecrets } from './connection-options.ts';
import { maskSecrets } from './mask-secrets.ts';

/** Bytes as they crossed the transport (lanes `>`, `<`, `!`) or a `ConnectionEvent` (lane `#`). */
export interface TapRecord {
  readonly lane: FrameLogLane;
  /** Without the transport's own delimiter. */
  readonly bytes: Uint8Array;
  /** Nanoseconds on the connection's monotonic clock. */
  readonly atNs: bigint;
  /** Nanoseconds since 1970. */
  readonly wallNs: bigint;
}

/** Called synchronously, before anything parses the bytes. */
export type FrameTap = (record: TapRecord) => void;

export const CONNECTION_EVENT_KINDS = [
  'started',
  'stderrOmitted',
  'http',
  'exit',
  'cancel',
  'timeout',
  'error',
  'note',
] as const;

/** What lane `#` holds, as JSON. */
export interface ConnectionEvent {
  readonly kind: (typeof CONNECTION_EVENT_KINDS)[number];
  readonly text: string;
  /** What only the transport can know of the frame that follows. */
  readonly nextFrameRemark?: string;
  /** The connection or a cap ended inside the frame, so it says nothing of what was meant. */
  readonly nextFrameIsCut?: boolean;
  /** A cap of ours cut it: nothing in it can be held against the server. */
  readonly nextFrameIsCutByUs?: boolean;
  readonly nextFrameRefusal?: FrameRefusal;
}

/**
 * Why a client takes no answer from a frame, however well it reads: the transport says that it is
 * none (a status, a content type), or it broke off before the frame was over.
 */
export type FrameRefusal = 'refused' | 'brokeOff';

/** Goes with an event into the frame after it. */
export interface NextFrame {
  readonly remark: string;
  readonly isCut: boolean;
  /** A cap of ours cut it: nothing in it can be held against the server. */
  readonly isCutByUs?: boolean;
  readonly refusal?: FrameRefusal;
}

/** One clock for every lane of a connection, so that frames and stderr can be put in order. */
export interface ConnectionClock {
  now(): { readonly atNs: bigint; readonly wallNs: bigint };
}

export function startClock(): ConnectionClock {
  const startedNs = process.hrtime.bigint();
  const startedWallNs = BigInt(Date.now()) * 1_000_000n;
  return {
    now() {
      const atNs = process.hrtime.bigint() - startedNs;
      return { atNs, wallNs: startedWallNs + atNs };
    },
  };
}

const encoder = new TextEncoder();

/** What a record of lane `#` says of the frame after it; null = nothing. */
export function readNextFrame(record: Pick<TapRecord, 'lane' | 'bytes'>): NextFrame | null {
  if (record.lane !== '#' || !Buffer.from(record.bytes).includes('"nextFrameRemark":')) return null;
  // Written by `TapWriter.event`, so it is a ConnectionEvent.
  const event = JSON.parse(new TextDecoder().decode(record.bytes)) as ConnectionEvent;
  if (event.nextFrameRemark === undefined) return null;
  return {
    remark: event.nextFrameRemark,
    isCut: event.nextFrameIsCut === true,
    ...(isCutByUs(event) ? { isCutByUs: true } : {}),
    ...(event.nextFrameRefusal === undefined ? {} : { refusal: event.nextFrameRefusal }),
  };
}

/** True where an event says that Misstep cut the next frame; in older logs only its words do. */
export function isCutByUs(event: {
  readonly nextFrameRemark?: string | undefined;
  readonly nextFrameIsCutByUs?: boolean | undefined;
}): boolean {
  if (event.nextFrameIsCutByUs === true) return true;
  return /^Cut at \d+ bytes, the largest frame that is kept\.$/.test(event.nextFrameRemark ?? '');
}

/** Hands bytes and events to a tap with the clock's time. No event holds a secret. */
export class TapWriter {
  readonly #tap: FrameTap;
  readonly #clock: ConnectionClock;
  readonly #secrets: ConnectionSecrets | undefined;

  constructor(tap: FrameTap, clock: ConnectionClock, secrets?: ConnectionSecrets) {
    this.#tap = tap;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  bytes(lane: FrameLogLane, bytes: Uint8Array): void {
    this.#tap({ lane, bytes, ...this.#clock.now() });
  }

  /** Bytes that were seen at another time than now. */
  bytesAt(lane: FrameLogLane, bytes: Uint8Array, at: ReturnType<ConnectionClock['now']>): void {
    this.#tap({ lane, bytes, ...at });
  }

  event(kind: ConnectionEvent['kind'], words: string, nextFrame?: NextFrame): void {
    const text = maskSecrets(words, this.#secrets);
    const event: ConnectionEvent =
      nextFrame === undefined
        ? { kind, text }
        : {
            kind,
            text,
            nextFrameRemark: maskSecrets(nextFrame.remark, this.#secrets),
            nextFrameIsCut: nextFrame.isCut,
            ...(nextFrame.isCutByUs === true ? { nextFrameIsCutByUs: true } : {}),
            ...(nextFrame.refusal === undefined ? {} : { nextFrameRefusal: nextFrame.refusal }),
          };
    this.bytes('#', encoder.encode(JSON.stringify(event)));
  }

  /** A text of others without what only the server may know: before it is cut, never after. */
  masked(words: string): string {
    return maskSecrets(words, this.#secrets);
  }

  now(): ReturnType<ConnectionClock['now']> {
    return this.#clock.now();
  }
}
