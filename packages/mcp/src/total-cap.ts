import type { TransportEnd } from './frame-transport.ts';

/** How many of the largest frames one connection may bring before it is ended. */
const FRAMES_WORTH = 4;
const LOWEST_CAP_BYTES = 64 * 1024 * 1024;
/** Each frame is also an object and a record, however small it is. */
const MOST_FRAMES = 100_000;

export type TooLarge = Extract<TransportEnd, { reason: 'tooLarge' }>;

/** Bounds what all frames of a connection take together, so that a flood of small ones ends too. */
export class TotalCap {
  readonly #capBytes: number;
  #seenBytes = 0;
  #seenFrames = 0;
  #seenStreamBytes = 0;

  constructor(maxFrameBytes: number) {
    this.#capBytes = Math.max(maxFrameBytes * FRAMES_WORTH, LOWEST_CAP_BYTES);
  }

  /** Null while there is room. */
  add(frameBytes: number): TooLarge | null {
    this.#seenBytes += frameBytes;
    this.#seenFrames += 1;
    if (this.#seenBytes > this.#capBytes) {
      const message = `its frames are larger than ${this.#capBytes} bytes together`;
      return { reason: 'tooLarge', message, seenBytes: this.#seenBytes };
    }
    if (this.#seenFrames > MOST_FRAMES) {
      const message = `there are more than ${MOST_FRAMES} frames`;
      return { reason: 'tooLarge', message, seenBytes: this.#seenBytes };
    }
    return null;
  }

  /** For the bytes of event streams as they come: comments and ids are no frames, yet cost the same. */
  addStream(bytes: number): TooLarge | null {
    this.#seenStreamBytes += bytes;
    if (this.#seenStreamBytes <= this.#streamCapBytes) return null;
    const message = `its event streams are larger than ${this.#streamCapBytes} bytes together`;
    return { reason: 'tooLarge', message, seenBytes: this.#seenStreamBytes };
  }

  /** With room for the lines around the frames. */
  get #streamCapBytes(): number {
    return this.#capBytes + LOWEST_CAP_BYTES;
  }
}

/** The end for one frame that is larger than fits, and the remark for what is kept of it. */
export function frameTooLarge(
  seenBytes: number,
  capBytes: number,
): { end: TooLarge; remark: string } {
  const message = `a frame is larger than ${capBytes} bytes`;
  return { end: { reason: 'tooLarge', message, seenBytes }, remark: cutRemark(capBytes) };
}

/** For what is kept of a frame: its missing end is ours, and no fault of the server's. */
export function cutRemark(capBytes: number): string {
  const mebibytes = capBytes / (1024 * 1024);
  const size = Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${capBytes} bytes`;
  return `Cut by Misstep at ${size}, the largest frame that it keeps; what follows was not kept.`;
}
