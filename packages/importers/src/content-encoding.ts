import { decompress as decompressBrotli } from 'brotli/decompress';
import { Decompress } from 'fzstd';

/** Bodies that unpack to more are left packed. */
export const MOST_UNPACKED_BYTES = 64 * 1024 * 1024;

const TOO_LARGE = 'the body unpacks to more than 64 MiB';
const DAMAGED = 'the compressed body is cut or damaged';
/** The most that deflate makes of a byte. */
const MOST_INFLATION = 1032;

export interface UnpackedContent {
  readonly bytes: Uint8Array;
  /** Why what could be had isn't all; null = all of it. */
  readonly fault: string | null;
  /** How much more there is, where the packed data say so. */
  readonly missingBytes?: number;
}

/**
 * Undoes `Content-Encoding` (RFC 9110, section 8.4): gzip, deflate (with or without the zlib header
 * that it should have), br, zstd. Of cut data what can be had. Null for an encoding that isn't read.
 */
export async function unpackContent(
  bytes: Uint8Array,
  encoding: string,
): Promise<UnpackedContent | null> {
  let content: UnpackedContent = { bytes, fault: null };
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity') continue;
    const next = await unpackOne(content.bytes, name);
    if (next === null) return null;
    content = { ...next, fault: content.fault ?? next.fault };
  }
  return content;
}

async function unpackOne(bytes: Uint8Array, name: string): Promise<UnpackedContent | null> {
  if (bytes.length === 0) return { bytes, fault: null };
  if (name === 'gzip' || name === 'x-gzip') return inflate(bytes, 'gzip');
  if (name === 'zstd') return unpackZstd(bytes);
  if (name === 'br') return unpackBrotli(bytes);
  if (name !== 'deflate') return null;
  const isZlib =
    ((bytes[0] ?? 0) & 15) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
  return inflate(bytes, isZlib ? 'deflate' : 'deflate-raw');
}

async function inflate(
  bytes: Uint8Array,
  format: 'gzip' | 'deflate' | 'deflate-raw',
): Promise<UnpackedContent> {
  const stream = new DecompressionStream(format);
  const writer = stream.writable.getWriter();
  // A fault shows where the stream is read; here it would be a second time.
  const writing = writer
    .write(new Uint8Array(bytes))
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = stream.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let fault: string | null = null;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST_UNPACKED_BYTES) {
        fault = TOO_LARGE;
        await reader.cancel();
        break;
      }
      chunks.push(value);
    }
  } catch {
    fault = DAMAGED;
  }
  await writing;
  const whole = joined(chunks);
  const stated = fault === TOO_LARGE && format === 'gzip' ? statedSize(bytes) : 0;
  if (stated <= whole.length) return { bytes: whole, fault };
  return { bytes: whole, fault, missingBytes: stated - whole.length };
}

/** What gzip says at its end of the size unpacked, modulo 2³² (RFC 1952); 0 where it can't be true. */
function statedSize(packed: Uint8Array): number {
  const { buffer, byteOffset, length } = packed;
  const size = length < 18 ? 0 : new DataView(buffer, byteOffset).getUint32(length - 4, true);
  return size > length * MOST_INFLATION ? 0 : size;
}

function unpackZstd(bytes: Uint8Array): UnpackedContent {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let fault: string | null = DAMAGED;
  try {
    const stream = new Decompress((chunk, isLast) => {
      size += chunk.length;
      if (size > MOST_UNPACKED_BYTES) throw new RangeError(TOO_LARGE);
      chunks.push(chunk.slice());
      if (isLast === true) fault = null;
    });
    // In pieces, so that a bomb is met before it is unpacked as a whole.
    for (let at = 0; at < bytes.length; at += 65_536) {
      stream.push(bytes.subarray(at, at + 65_536), at + 65_536 >= bytes.length);
    }
  } catch {
    fault = size > MOST_UNPACKED_BYTES ? TOO_LARGE : DAMAGED;
  }
  return { bytes: joined(chunks), fault };
}

/** The decoder writes to a buffer of a given size and fails beyond it: larger ones are tried in turn. */
function unpackBrotli(bytes: Uint8Array): UnpackedContent {
  const sizes = [bytes.length * 20 + 65_536, MOST_UNPACKED_BYTES];
  for (const size of sizes) {
    try {
      const whole = decompressBrotli(bytes, Math.min(size, MOST_UNPACKED_BYTES));
      // For its last block, of 16 MiB at most, the decoder makes room by itself.
      if (whole.length > MOST_UNPACKED_BYTES) break;
      return { bytes: whole, fault: null };
    } catch (error) {
      const isFull = error instanceof Error && /not large enough/.test(error.message);
      if (!isFull) return { bytes: new Uint8Array(), fault: DAMAGED };
    }
  }
  return { bytes: new Uint8Array(), fault: TOO_LARGE };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
