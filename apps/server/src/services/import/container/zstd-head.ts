/** How zstd files begin: RFC 8878, sections 3.1.1 and 3.1.2. */

const FRAME = 0xfd2fb528;
/** The sixteen magic numbers of frames that hold nothing of the data. */
const SKIPPABLE = 0x184d2a50;
const MOST_SKIPPED = 1000;

/** Enough for the header of a frame up to its window. */
export const ZSTD_HEAD_BYTES = 6;

/** A data frame, or a frame to be skipped: which of the two decides what follows it. */
export function isZstdHead(head: Uint8Array): boolean {
  return magicOf(head) === FRAME || isSkippable(head);
}

/**
 * The window that the first data frame asks for, in bytes; null where it states none, or where no data
 * frame is found. `read` gives the bytes at an offset, fewer at the end.
 */
export async function zstdWindowBytes(
  read: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<number | null> {
  let at = 0;
  for (let count = 0; count < MOST_SKIPPED; count += 1) {
    const head = await read(at, 8);
    if (head.length < ZSTD_HEAD_BYTES) return null;
    if (!isSkippable(head)) return magicOf(head) === FRAME ? windowOf(head) : null;
    if (head.length < 8) return null;
    at += 8 + new DataView(head.buffer, head.byteOffset).getUint32(4, true);
  }
  return null;
}

function windowOf(head: Uint8Array): number | null {
  const [, , , , descriptor = 0, window = 0] = head;
  // A single segment states the size of the content in its place.
  if ((descriptor & 0x20) !== 0) return null;
  const base = 2 ** (10 + (window >> 3));
  return base + (base / 8) * (window & 7);
}

function isSkippable(head: Uint8Array): boolean {
  const magic = magicOf(head);
  return magic !== null && magic >= SKIPPABLE && magic <= SKIPPABLE + 0xf;
}

function magicOf(head: Uint8Array): number | null {
  if (head.length < 4) return null;
  return new DataView(head.buffer, head.byteOffset).getUint32(0, true);
}
