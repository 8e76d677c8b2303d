import { ByteIndex } from '@misstep/json';
import type { SourceLine } from './read-lines.ts';

/** A line's text lacks the byte order mark that the first line can have. */
export function markUnits(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 1 : 0;
}

/** The byte of a line that a UTF-16 offset of its text stands for. */
export function byteAt({ bytes }: SourceLine, utf16Offset: number): number {
  return new ByteIndex(bytes).toByte(utf16Offset + markUnits(bytes));
}

/** Lines and the white space between them as one. */
export function joinLines(lines: readonly SourceLine[]): Uint8Array {
  const first = lines[0]?.offset ?? 0;
  const last = lines.at(-1);
  const joined = new Uint8Array((last?.offset ?? 0) + (last?.length ?? 0) - first).fill(10);
  for (const { offset, bytes } of lines) joined.set(bytes, offset - first);
  return joined;
}
