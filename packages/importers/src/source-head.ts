import { decodeUtf8 } from '@misstep/json';
import { plainWithBareNumbers } from './bare-numbers.ts';
import type { SourceHead, SourceReader } from './importer.ts';
import { HEAD_BYTES } from './importer.ts';

const MAX_HEAD_LINES = 200;

/** A longer first line isn't completed: what follows must be decided by its beginning. */
const MAX_FIRST_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The head of a source of which these are the first bytes. */
export function headFromBytes(name: string, sizeBytes: number, head: Uint8Array): SourceHead {
  const whole = head.length >= sizeBytes;
  const text = decodeHead(head, whole);
  const lines = completeLines(text, whole);
  return { name, sizeBytes, bytes: head, text, whole, lines, lineValues: lines.map(plainOf) };
}

/**
 * Reads the first HEAD_BYTES of a source and makes its head. Where they don't hold a complete
 * line, reads on until the first one ends (16 MiB at most) and HEAD_BYTES further: a recording
 * whose first call is large is told by the same signs as one whose first call is small.
 */
export async function makeSourceHead(
  reader: Pick<SourceReader, 'name' | 'sizeBytes' | 'read'>,
): Promise<SourceHead> {
  const { name, sizeBytes } = reader;
  const bytes = await reader.read(0, Math.min(HEAD_BYTES, sizeBytes));
  if (bytes.length >= sizeBytes || firstLinesEnd(bytes) >= 0 || looksBinary(bytes)) {
    return headFromBytes(name, sizeBytes, bytes);
  }
  const wanted = MAX_FIRST_LINE_BYTES + HEAD_BYTES;
  const more = await reader.read(0, Math.min(wanted, sizeBytes));
  const end = firstLinesEnd(more);
  const lineBytes = end >= 0 ? end + 1 : more.length >= sizeBytes ? more.length : 0;
  if (lineBytes === 0 || lineBytes > MAX_FIRST_LINE_BYTES) {
    return headFromBytes(name, sizeBytes, bytes);
  }
  return headFromBytes(name, sizeBytes, more.subarray(0, lineBytes + HEAD_BYTES));
}

/**
 * Where the first line that isn't blank ends, and where the next begins as JSON, that one: the first
 * may be a stranger's. -1 where it doesn't.
 */
function firstLinesEnd(bytes: Uint8Array): number {
  const first = bytes.indexOf(NEWLINE, textStart(bytes, 0));
  const next = first < 0 ? bytes.length : textStart(bytes, first);
  const isJson = bytes[next] === 0x7b || bytes[next] === 0x5b;
  return isJson ? bytes.indexOf(NEWLINE, next) : first;
}

/** Behind white space of ASCII; a byte order mark counts as text and does no harm. */
function textStart(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && WHITE_SPACE.has(bytes[at] ?? 0)) at += 1;
  return at;
}

const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** `utf16` where the bytes begin with a byte order mark of UTF-16, little or big endian. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** True where the bytes are no text: a NUL among the first 8,000 that isn't UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.subarray(0, 8000).includes(0);
}

function decodeHead(bytes: Uint8Array, whole: boolean): string {
  const { text } = decodeUtf8(whole ? bytes : bytes.subarray(0, lastCharacterEnd(bytes)));
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Where the last whole UTF-8 character ends. */
function lastCharacterEnd(bytes: Uint8Array): number {
  let at = bytes.length;
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      at = back >= needed ? bytes.length : bytes.length - back;
      break;
    }
  }
  return at;
}

function completeLines(text: string, whole: boolean): string[] {
  const lines: string[] = [];
  let from = 0;
  while (from < text.length && lines.length < MAX_HEAD_LINES) {
    const newline = text.indexOf('\n', from);
    if (newline < 0 && !whole) break;
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(from, end).replace(/\r{1,2}$/, '');
    if (line.trim() !== '') lines.push(line);
    from = end + 1;
  }
  return lines;
}

function plainOf(line: string): unknown {
  const first = line.trimStart().charCodeAt(0);
  // Only objects and arrays are of use to a sniff; a bare word or number is more likely text.
  if (first !== 0x7b && first !== 0x5b) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return plainWithBareNumbers(line);
  }
}
