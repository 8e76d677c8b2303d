import { createReadStream } from 'node:fs';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { Decompress } from 'fzstd';

export type Compression = 'stored' | 'deflate' | 'gzip' | 'zstd' | 'utf-16le' | 'utf-16be';

export interface PackedSpan {
  readonly filePath: string;
  readonly offset: number;
  readonly length: number;
}

/** So little goes in at once that what comes out (a thousand times as much) still fits in memory. */
const INPUT_BYTES = 16_384;

/** The data ends too early or is damaged: what came before was given already. */
export class DamagedData extends Error {}

/** The unpacked bytes, in chunks; throws DamagedData after the last that could be had. */
export async function* decompress(
  span: PackedSpan,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  if (span.length === 0) return;
  const { filePath, offset, length } = span;
  const input = createReadStream(filePath, {
    start: offset,
    end: offset + length - 1,
    highWaterMark: INPUT_BYTES,
  });
  if (compression === 'stored') yield* input;
  else if (compression === 'zstd') yield* unzstd(input);
  else if (compression === 'deflate' || compression === 'gzip') yield* inflate(input, compression);
  else yield* toUtf8(input, compression);
}

async function* inflate(
  input: AsyncIterable<Uint8Array>,
  compression: 'deflate' | 'gzip',
): AsyncGenerator<Uint8Array> {
  const stream = compression === 'gzip' ? createGunzip() : createInflateRaw();
  const ready: Uint8Array[] = [];
  const failures: Error[] = [];
  // Flowing, so that nothing waits inside the stream to be lost with it when it fails.
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  stream.on('error', (error: Error) => failures.push(error));
  try {
    for await (const chunk of input) {
      await new Promise<void>((resolve) => stream.write(chunk, () => resolve()));
      yield* ready.splice(0);
      if (failures.length > 0) break;
    }
    if (failures.length === 0) {
      await new Promise<void>((resolve) => stream.once('close', () => resolve()).end());
      yield* ready.splice(0);
    }
  } finally {
    stream.destroy();
  }
  const [failure] = failures;
  if (failure !== undefined) throw new DamagedData(failure.message);
}

async function* unzstd(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const stream = new Decompress((chunk) => ready.push(chunk));
  const push = (chunk: Uint8Array, isLast: boolean): DamagedData | null => {
    try {
      stream.push(chunk, isLast);
      return null;
    } catch (error) {
      return new DamagedData(error instanceof Error ? error.message : String(error));
    }
  };
  let failure: DamagedData | null = null;
  for await (const chunk of input) {
    // A block of four bytes may stand for 128 KiB.
    for (let at = 0; at < chunk.length && failure === null; at += 1024) {
      failure = push(chunk.subarray(at, at + 1024), false);
      yield* ready.splice(0);
    }
    if (failure !== null) throw failure;
  }
  failure = push(new Uint8Array(0), true);
  yield* ready.splice(0);
  if (failure !== null) throw failure;
}

/** Without the byte order mark; what is no character becomes U+FFFD. */
async function* toUtf8(
  input: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of input) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
