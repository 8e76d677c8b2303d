import { decodeUtf8 } from '@misstep/json';
import type { SourceReader } from './importer.ts';

/** One line that isn't blank. */
export interface SourceLine {
  /** Byte offset in the source and length, without the line feed but with a `\r` before it. */
  readonly offset: number;
  readonly length: number;
  /** The bytes of that span; empty where `tooLong`. */
  readonly bytes: Uint8Array;
  /** Decoded, without a byte order mark and a `\r` or two at its end. */
  readonly text: string;
  /** Byte offset in the source of the first invalid UTF-8; null = none. */
  readonly invalidUtf8At: number | null;
  readonly tooLong: boolean;
  /** False for a last line without a line feed: a writer may have been cut off there. */
  readonly closed: boolean;
}

export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * The lines of a source in order, split on line feeds only (JSON strings may hold U+2028 and the
 * like). Blank lines are no records and are left out. Lines longer than MAX_LINE_BYTES come
 * without their bytes.
 */
export async function* readLines(
  source: SourceReader,
  signal?: AbortSignal,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<SourceLine> {
  let offset = 0;
  let lineOffset = 0;
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  const take = (tail: Uint8Array, closed: boolean): SourceLine | null => {
    const length = partBytes + tail.length;
    const tooLong = length > maxLineBytes;
    const bytes = tooLong ? EMPTY : parts.length === 0 ? tail : join([...parts, tail], length);
    const line = makeLine(lineOffset, length, bytes, tooLong, closed);
    parts = [];
    partBytes = 0;
    return line;
  };
  while (offset < source.sizeBytes) {
    signal?.throwIfAborted();
    const chunk = await source.read(offset, Math.min(CHUNK_BYTES, source.sizeBytes - offset));
    if (chunk.length === 0) break;
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline < 0) break;
      const line = take(chunk.subarray(from, newline), true);
      if (line !== null) yield line;
      from = newline + 1;
      lineOffset = offset + from;
    }
    const rest = chunk.subarray(from);
    partBytes += rest.length;
    // Bytes of a line that is too long anyway aren't kept.
    if (partBytes > maxLineBytes) parts = [];
    else if (rest.length > 0) parts.push(rest);
    offset += chunk.length;
  }
  if (partBytes > 0) {
    const line = take(EMPTY, false);
    if (line !== null) yield line;
  }
}

const EMPTY = new Uint8Array(0);

function makeLine(
  offset: number,
  length: number,
  bytes: Uint8Array,
  tooLong: boolean,
  closed: boolean,
): SourceLine | null {
  if (tooLong) return { offset, length, bytes, text: '', invalidUtf8At: null, tooLong, closed };
  const decoded = decodeUtf8(bytes);
  let text = decoded.text;
  if (offset === 0 && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  // Two where a file of Windows was translated once more.
  if (text.endsWith('\r')) text = text.slice(0, text.endsWith('\r\r') ? -2 : -1);
  if (text.trim() === '') return null;
  const invalidUtf8At =
    decoded.firstInvalidOffset === null ? null : offset + decoded.firstInvalidOffset;
  return { offset, length, bytes, text, invalidUtf8At, tooLong, closed };
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
