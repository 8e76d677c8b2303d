import { ByteIndex, decodeUtf8 } from '@misstep/json';
import type { CapturedValue, Elision, Origin, SourceHash } from '@misstep/model';
import type { ImportInput } from './importer.ts';
import type { IssueList } from './record-ledger.ts';
import { valueAt } from './step-builder.ts';

/** A line; offsets are UTF-16 offsets into the whole text, without carriage returns and line feed. */
export interface DocumentLine {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/** A whole text file as lines, with the way back to its bytes. */
export class TextDocument {
  readonly sha256: SourceHash;
  readonly text: string;
  readonly lines: readonly DocumentLine[];
  readonly #index: ByteIndex;

  constructor(sha256: SourceHash, bytes: Uint8Array) {
    this.sha256 = sha256;
    this.text = decodeUtf8(bytes).text;
    this.#index = new ByteIndex(bytes);
    this.lines = splitLines(this.text);
  }

  static async read(input: ImportInput, issues: IssueList): Promise<TextDocument> {
    const { main, signal } = input;
    signal?.throwIfAborted();
    const bytes = await main.read(0, main.sizeBytes);
    signal?.throwIfAborted();
    const { firstInvalidOffset } = decodeUtf8(bytes);
    if (firstInvalidOffset !== null) {
      const said = 'The text holds bytes that are no UTF-8; they are shown as U+FFFD.';
      issues.add('INVALID_UTF8', said, main.sha256, firstInvalidOffset);
    }
    return new TextDocument(main.sha256, bytes);
  }

  origin(start: number, end: number): Origin {
    const offset = this.#index.toByte(start);
    return { sha256: this.sha256, offset, length: this.#index.toByte(end) - offset, pointer: '' };
  }

  /** The lines from one to before another as they stand, without blank ones around them. */
  span(fromLine: number, toLine: number): { start: number; end: number; text: string } | null {
    let from = fromLine;
    let to = toLine;
    while (from < to && this.lines[from]?.body.trim() === '') from += 1;
    while (to > from && this.lines[to - 1]?.body.trim() === '') to -= 1;
    const start = this.lines[from]?.start;
    const end = this.lines[to - 1]?.end;
    if (from >= to || start === undefined || end === undefined) return null;
    return { start, end, text: this.text.slice(start, end) };
  }

  value(span: { start: number; end: number }, elisions: Elision[] = []): CapturedValue {
    return valueAt(this.origin(span.start, span.end), 'text', 'rendered', elisions);
  }
}

/** Where a line ends without carriage returns: two where a file of Windows was translated once more. */
export function bodyEnd(text: string, start: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > start && lineEnd - end < 2 && text.charCodeAt(end - 1) === 0x0d) end -= 1;
  return end;
}

function splitLines(text: string): DocumentLine[] {
  const lines: DocumentLine[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline < 0 ? text.length : newline;
    const end = bodyEnd(text, start, lineEnd);
    lines.push({ start, end, body: text.slice(start, end) });
    start = lineEnd + 1;
  }
  return lines;
}
