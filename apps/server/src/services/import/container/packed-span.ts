import { createReadStream } from 'node:fs';

export interface PackedSpan {
  readonly filePath: string;
  readonly offset: number;
  readonly length: number;
}

/** So little goes in at once that what comes out (a thousand times as much) still fits in memory. */
const INPUT_BYTES = 16_384;

export function packedBytes({ filePath, offset, length }: PackedSpan): AsyncIterable<Uint8Array> {
  return createReadStream(filePath, {
    start: offset,
    end: offset + length - 1,
    highWaterMark: INPUT_BYTES,
  });
}
