import { ByteIndex, decodeUtf8 } from '@misstep/json';
import type { Origin, SourceHash } from '@misstep/model';
import { bodyEnd } from '../../text-document.ts';

/** A line of a text; offsets are UTF-16 offsets into the whole text. */
export interface TextLine {
  /** Where the line begins, a quote prefix included. */
  readonly start: number;
  /** Where its body begins: behind a quote prefix. */
  readonly bodyStart: number;
  /** Where it ends, without carriage returns and line feed. */
  readonly end: number;
  readonly body: string;
  readonly indent: number;
  readonly blank: boolean;
}

/** `>>>` is an arrow. */
export const QUOTE = /^[ \t]{0,3}>(?!>>)[ \t]?/;
const INDENT = /^[ \t\u00a0]*/;

/** A whole text file as lines, with the way back to its bytes. */
export class TextSource {
  readonly sha256: SourceHash;
  readonly text: string;
  readonly lines: readonly TextLine[];
  readonly invalidUtf8At: number | null;
  readonly #index: ByteIndex;

  constructor(sha256: SourceHash, bytes: Uint8Array) {
    this.sha256 = sha256;
    const { text, firstInvalidOffset } = decodeUtf8(bytes);
    this.text = text;
    this.invalidUtf8At = firstInvalidOffset;
    this.#index = new ByteIndex(bytes);
    this.lines = splitLines(text);
  }

  origin(start: number, end: number): Origin {
    const offset = this.#index.toByte(start);
    return { sha256: this.sha256, offset, length: this.#index.toByte(end) - offset, pointer: '' };
  }
}

/**
 * A quote prefix is taken off where the first two lines that aren't blank have one, or the only
 * one has: what is then read from that line is never more than the words that it holds.
 */
function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let quoted: boolean | null = null;
  let firstQuoted: number | null = null;
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline < 0 ? text.length : newline;
    const end = bodyEnd(text, start, lineEnd);
    const raw = text.slice(start, end);
    if (quoted === null && raw.trim() !== '') {
      if (!QUOTE.test(raw)) quoted = false;
      else if (firstQuoted === null) firstQuoted = lines.length;
      else quoted = true;
      if (quoted) unquote(text, lines, firstQuoted);
    }
    lines.push(makeLine(text, start, end, quoted === true));
    start = lineEnd + 1;
  }
  if (quoted === null) unquote(text, lines, firstQuoted);
  return lines;
}

function unquote(text: string, lines: TextLine[], number: number | null): void {
  const line = number === null ? undefined : lines[number];
  if (number === null || line === undefined) return;
  lines[number] = makeLine(text, line.start, line.end, true);
}

function makeLine(text: string, start: number, end: number, quoted: boolean): TextLine {
  const raw = text.slice(start, end);
  const prefix = quoted ? (QUOTE.exec(raw)?.[0].length ?? 0) : 0;
  const body = raw.slice(prefix);
  const indent = INDENT.exec(body)?.[0].length ?? 0;
  return { start, bodyStart: start + prefix, end, body, indent, blank: body.trim() === '' };
}
