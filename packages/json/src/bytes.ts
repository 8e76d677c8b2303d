import type { JsonDocument, JsonNode } from './node.ts';
import { parseJsonPrefix, parseLooseJsonPrefix } from './parse.ts';
import { skipWhitespace } from './scan.ts';
import { type JsonResult, syntaxFailure } from './syntax-error.ts';

/**
 * Decodes UTF-8 as WHATWG says: each maximal invalid subpart becomes one U+FFFD. A byte order mark
 * stays in the text as U+FEFF, so offsets keep their meaning. `firstInvalidOffset` is a byte offset.
 */
export function decodeUtf8(bytes: Uint8Array): {
  text: string;
  valid: boolean;
  firstInvalidOffset: number | null;
} {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let firstInvalidOffset: number | null = null;
  // Only a text with U+FFFD in it can come from invalid bytes.
  if (text.includes('\ufffd')) {
    for (let at = 0; at < bytes.length; ) {
      const step = stepUtf8(bytes, at);
      if (step >= INVALID) {
        firstInvalidOffset = at;
        break;
      }
      at += step & 7;
    }
  }
  return { text, valid: firstInvalidOffset === null, firstInvalidOffset };
}

const INVALID = 64;
const UNIT_SHIFT = 3;

/** One decoding step: bytes taken | UTF-16 units given << 3 | 64 where the bytes are invalid. */
function stepUtf8(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1 | (1 << UNIT_SHIFT);
  const needed = lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : 3;
  if (lead < 0xc2 || lead > 0xf4) return 1 | (1 << UNIT_SHIFT) | INVALID;
  let lower = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let upper = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let taken = 1; taken <= needed; taken += 1) {
    const next = bytes[at + taken];
    if (next === undefined || next < lower || next > upper) {
      return taken | (1 << UNIT_SHIFT) | INVALID;
    }
    lower = 0x80;
    upper = 0xbf;
  }
  return (needed + 1) | ((needed === 3 ? 2 : 1) << UNIT_SHIFT);
}

const CHECKPOINT_UNITS = 256;

/**
 * Maps UTF-16 offsets of the decoded text to byte offsets and back, also for invalid input (it
 * agrees with `decodeUtf8`). Identity for ASCII; otherwise a walk of at most 256 units from the
 * nearest checkpoint. An offset inside a character maps to that character's start; an offset beyond
 * the end maps to the end.
 */
export class ByteIndex {
  readonly #bytes: Uint8Array;
  /** Byte offset of the character that holds unit k * 256, and that character's first unit; null for ASCII. */
  readonly #checkpoints: { bytes: number[]; units: number[] } | null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#checkpoints = isAscii(bytes) ? null : checkpointsOf(bytes);
  }

  toByte(utf16Offset: number): number {
    if (this.#checkpoints === null) return clamp(utf16Offset, this.#bytes.length);
    const { bytes, units } = this.#checkpoints;
    const slot = clamp(Math.floor(utf16Offset / CHECKPOINT_UNITS), bytes.length - 1);
    let at = bytes[slot] ?? 0;
    let unit = units[slot] ?? 0;
    while (at < this.#bytes.length) {
      const step = stepUtf8(this.#bytes, at);
      const width = (step >> UNIT_SHIFT) & 3;
      if (unit + width > utf16Offset) break;
      unit += width;
      at += step & 7;
    }
    return at;
  }

  toUtf16(byteOffset: number): number {
    if (this.#checkpoints === null) return clamp(byteOffset, this.#bytes.length);
    const { bytes, units } = this.#checkpoints;
    let low = 0;
    let high = bytes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((bytes[middle] ?? 0) <= byteOffset) low = middle;
      else high = middle - 1;
    }
    let at = bytes[low] ?? 0;
    let unit = units[low] ?? 0;
    while (at < this.#bytes.length) {
      const step = stepUtf8(this.#bytes, at);
      if (at + (step & 7) > byteOffset) break;
      at += step & 7;
      unit += (step >> UNIT_SHIFT) & 3;
    }
    return unit;
  }
}

function clamp(value: number, highest: number): number {
  return Math.max(0, Math.min(value, highest));
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) return false;
  }
  return true;
}

function checkpointsOf(bytes: Uint8Array): { bytes: number[]; units: number[] } {
  const checkpoints = { bytes: [] as number[], units: [] as number[] };
  let unit = 0;
  let due = 0;
  for (let at = 0; at < bytes.length; ) {
    const step = stepUtf8(bytes, at);
    const width = (step >> UNIT_SHIFT) & 3;
    if (unit + width > due) {
      checkpoints.bytes.push(at);
      checkpoints.units.push(unit);
      due += CHECKPOINT_UNITS;
    }
    unit += width;
    at += step & 7;
  }
  return checkpoints;
}

/** A document that was read from bytes. `firstInvalidOffset` says where they were not UTF-8. */
export interface JsonBytesDocument extends JsonDocument {
  readonly index: ByteIndex;
  readonly firstInvalidOffset: number | null;
}

/**
 * `parseJson` for bytes. A leading byte order mark is stepped over (RFC 8259 section 8.1 allows
 * that); invalid UTF-8 inside strings is read as U+FFFD and reported by `firstInvalidOffset`, so
 * that a caller can refuse it or say so. Offsets in errors are UTF-16 offsets.
 */
export function parseJsonBytes(bytes: Uint8Array): JsonResult<JsonBytesDocument> {
  return wholeOf(parseJsonBytesPrefix(bytes));
}

/**
 * `parseJsonPrefix` for bytes, as `parseJsonBytes` reads them. `end` is the UTF-16 offset behind the
 * value; what stands there is for the caller to look at.
 */
export function parseJsonBytesPrefix(
  bytes: Uint8Array,
): JsonResult<JsonBytesDocument & { readonly end: number }> {
  return prefixOfBytes(bytes, parseJsonPrefix);
}

/** The document that a prefix is where nothing but white space follows it. */
function wholeOf(
  prefix: JsonResult<JsonBytesDocument & { readonly end: number }>,
): JsonResult<JsonBytesDocument> {
  if (!prefix.ok) return prefix;
  const { end, ...document } = prefix.value;
  const { text } = document;
  const after = skipWhitespace(text, end);
  if (after < text.length) return syntaxFailure(text, after, 'the end of the text');
  return { ok: true, value: document };
}

function prefixOfBytes(
  bytes: Uint8Array,
  parse: typeof parseLooseJsonPrefix,
): JsonResult<JsonBytesDocument & { readonly end: number }> {
  const { text, firstInvalidOffset } = decodeUtf8(bytes);
  const prefix = parse(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (!prefix.ok) return prefix;
  const index = new ByteIndex(bytes);
  return { ok: true, value: { text, ...prefix.value, index, firstInvalidOffset } };
}

/** `parseJsonBytes` that lets `NaN`, `Infinity` and `-Infinity` through. */
export function parseLooseJsonBytes(bytes: Uint8Array): JsonResult<JsonBytesDocument> {
  return wholeOf(parseLooseJsonBytesPrefix(bytes));
}

/** `parseJsonBytesPrefix` in the same way. */
export function parseLooseJsonBytesPrefix(
  bytes: Uint8Array,
): JsonResult<JsonBytesDocument & { readonly end: number }> {
  return prefixOfBytes(bytes, parseLooseJsonPrefix);
}

/** Byte offset and length of a node in the bytes its document was read from. */
export function byteSpan(
  doc: { readonly index: ByteIndex },
  node: JsonNode,
): { offset: number; length: number } {
  const offset = doc.index.toByte(node.start);
  return { offset, length: doc.index.toByte(node.end) - offset };
}
