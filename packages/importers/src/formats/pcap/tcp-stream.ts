/** A captured piece of what one side sent: where it stands in the file, and when it came. */
export interface Segment {
  readonly packet: number;
  readonly sequence: number;
  readonly offset: number;
  readonly length: number;
  readonly atNs: bigint | null;
}

/** Bytes that follow one another without a gap. */
export interface StreamPart {
  readonly bytes: Uint8Array;
  readonly pieces: readonly StreamPiece[];
  /** How many bytes before it were not captured, as far as that is known. */
  readonly missingBefore: number;
}

export interface StreamPiece {
  /** In the part's bytes. */
  readonly start: number;
  readonly offset: number;
  readonly length: number;
  readonly packet: number;
  readonly atNs: bigint | null;
}

/** What one side of a connection sent, by sequence numbers (RFC 9293, section 3.4). */
export class TcpHalf {
  readonly #segments: { segment: Segment; at: number }[] = [];
  /** Positions count from here; sequence numbers wrap at 2^32. */
  #last: { sequence: number; at: number } | null = null;
  #next: number | null = null;

  /** The first byte of the stream, where the connection's start was captured. */
  start(sequence: number): void {
    this.#last = { sequence, at: 0 };
    this.#next = 0;
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  add(segment: Segment): void {
    this.#last ??= { sequence: segment.sequence, at: 0 };
    const distance = (segment.sequence - this.#last.sequence) | 0;
    const at = this.#last.at + distance;
    this.#segments.push({ segment, at });
    if (distance > 0) this.#last = { sequence: segment.sequence, at };
  }

  /**
   * In order, without what was sent again; `used` is told each packet that gives bytes, `differs` each
   * that gives other bytes for a place than the packet that was captured before it.
   */
  parts(
    file: Uint8Array,
    used: (packet: number) => void,
    differs: (packet: number) => void,
  ): StreamPart[] {
    const ordered = this.#segments
      .map((each, index) => ({ ...each, index }))
      .sort((a, b) => a.at - b.at || a.index - b.index);
    const parts: StreamPart[] = [];
    let pieces: StreamPiece[] = [];
    let size = 0;
    let next = this.#next;
    let missing = 0;
    /** Where the part begins in the stream. */
    let partAt = 0;
    const close = (): void => {
      if (pieces.length === 0) return;
      const bytes = new Uint8Array(size);
      for (const { start, offset, length } of pieces) {
        bytes.set(file.subarray(offset, offset + length), start);
      }
      parts.push({ bytes, pieces, missingBefore: missing });
      pieces = [];
      size = 0;
    };
    for (const { segment, at } of ordered) {
      const { packet, atNs } = segment;
      const known: number = next === null ? 0 : Math.max(0, next - at);
      if (known > 0 && isOtherThan(file, pieces, segment, at - partAt)) differs(packet);
      if (known >= segment.length) continue;
      if (next !== null && at > next) {
        close();
        missing = at - next;
      }
      const length = segment.length - known;
      if (pieces.length === 0) partAt = at + known;
      pieces.push({ start: size, offset: segment.offset + known, length, packet, atNs });
      used(packet);
      size += length;
      next = at + segment.length;
    }
    close();
    return parts;
  }
}

/** Whether a segment that begins at `start` of these pieces says another thing than they do. */
function isOtherThan(
  file: Uint8Array,
  pieces: readonly StreamPiece[],
  { offset, length }: Segment,
  start: number,
): boolean {
  // A probe that keeps a connection alive sends any one byte again.
  if (length <= 1) return false;
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index];
    if (piece === undefined || piece.start + piece.length <= start) return false;
    const from = Math.max(start, piece.start);
    const to = Math.min(start + length, piece.start + piece.length);
    for (let at = from; at < to; at += 1) {
      if (file[piece.offset + at - piece.start] !== file[offset + at - start]) return true;
    }
  }
  return false;
}
