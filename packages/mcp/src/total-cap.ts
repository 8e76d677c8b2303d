/** How many of the largest frames one connection may bring before it is ended. */
const FRAMES_WORTH = 16;
/** What a frame costs beside its own bytes: its record in the frame log and its object. */
const OVERHEAD_BYTES = 128;
const LOWEST_CAP_BYTES = 64 * 1024 * 1024;

/** Bounds what all frames of a connection take together, so that a flood of small ones ends too. */
export class TotalCap {
  readonly capBytes: number;
  seenBytes = 0;

  constructor(maxFrameBytes: number) {
    this.capBytes = Math.max(maxFrameBytes * FRAMES_WORTH, LOWEST_CAP_BYTES);
  }

  /** False once the cap is passed. */
  add(frameBytes: number): boolean {
    this.seenBytes += frameBytes + OVERHEAD_BYTES;
    return this.seenBytes <= this.capBytes;
  }
}
