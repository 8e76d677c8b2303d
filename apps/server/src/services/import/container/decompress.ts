import { open } from 'node:fs/promises';
import { Decompress } from 'fzstd';
import { DamagedData } from './damaged-data.ts';
import { inflate } from './inflate.ts';
import { type PackedSpan, packedBytes } from './packed-span.ts';
import { zstdWindowBytes } from './zstd-head.ts';

export type Compression = 'stored' | 'deflate' | 'gzip' | 'zstd' | 'utf-16le' | 'utf-16be';

/** As much as the zstd command takes unasked; each block would move a larger one as a whole. */
const MOST_WINDOW_BYTES = 128 * 1024 * 1024;

/** The unpacked bytes, in chunks; throws DamagedData after the last that could be had. */
export async function* decompress(
  span: PackedSpan,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  if (span.length === 0) return;
  if (compression === 'stored') yield* packedBytes(span);
  else if (compression === 'zstd') yield* unzstd(span);
  else if (compression === 'deflate' || compression === 'gzip') yield* inflate(span, compression);
  else yield* toUtf8(packedBytes(span), compression);
}

async function* unzstd(span: PackedSpan): AsyncGenerator<Uint8Array> {
  await requireWindow(span);
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
  for await (const chunk of packedBytes(span)) {
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

async function requireWindow({ filePath, offset, length }: PackedSpan): Promise<void> {
  const file = await open(filePath, 'r');
  try {
    const windowBytes = await zstdWindowBytes(async (at, size) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(size, length - at)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset + at);
      return bytes.subarray(0, bytesRead);
    });
    if (windowBytes === null || windowBytes <= MOST_WINDOW_BYTES) return;
    throw new DamagedData(
      `it needs a window of ${windowBytes} bytes, and no more than ${MOST_WINDOW_BYTES} are kept`,
    );
  } finally {
    await file.close();
  }
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
