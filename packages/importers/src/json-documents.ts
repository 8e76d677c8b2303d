import {
  ByteIndex,
  decodeUtf8,
  type JsonBytesDocument,
  parseJsonBytes,
  parseJsonPrefix,
} from '@misstep/json';
import { isInLines } from './head-values.ts';
import type { ImportInput } from './importer.ts';
import { JsonView } from './json-view.ts';
import { readLines, type SourceLine } from './read-lines.ts';
import { counted, type IssueList, type RecordLedger } from './record-ledger.ts';
import { makeSourceHead } from './source-head.ts';

/** A document that isn't made of lines is parsed as a whole, which takes several times its size. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** One JSON value at the top of a source, with its place in it. */
export interface TopValue {
  readonly place: JsonView;
  /** True where values stand one a line, so that a next one is likely. */
  readonly inLines: boolean;
}

/**
 * The JSON values of a source: one document, one a line, or several one after the other. What is
 * no JSON goes to the ledger as malformed; every value that comes out is for the caller to account
 * for. Documents larger than 256 MiB are refused with an issue.
 */
export async function* readTopValues(
  input: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
): AsyncGenerator<TopValue> {
  const { main, signal, onProgress } = input;
  let first = true;
  for await (const line of readLines(main, signal, MAX_DOCUMENT_BYTES)) {
    const parsed = line.tooLong ? null : parseJsonBytes(line.bytes);
    const usable = parsed?.ok === true && ['object', 'array'].includes(parsed.value.root.kind);
    if (first && !usable && !isInLines(await makeSourceHead(main))) {
      yield* readDocuments(input, ledger, issues);
      return;
    }
    first = false;
    noteInvalid(line.invalidUtf8At, ledger, issues);
    if (parsed?.ok === true) {
      yield { place: placeOf(parsed.value, ledger, line.offset), inLines: true };
    } else {
      ledger.malformed(line, whyNot(line, parsed));
    }
    onProgress?.({
      readBytes: line.offset + line.length,
      records: ledger.total,
      steps: 0,
    });
  }
}

function whyNot(line: SourceLine, parsed: ReturnType<typeof parseJsonBytes> | null): string {
  if (parsed === null || parsed.ok) return 'the line is longer than 256 MiB';
  return line.closed ? parsed.error.message : 'the last line is cut';
}

function noteInvalid(at: number | null, ledger: RecordLedger, issues: IssueList): void {
  if (at === null) return;
  issues.count(
    'INVALID_UTF8',
    (count) => `${counted(count, 'line')} with bytes that are no UTF-8; they are shown as U+FFFD.`,
    ledger.sha256,
    at,
  );
}

function placeOf(document: JsonBytesDocument, ledger: RecordLedger, offset: number): JsonView {
  return new JsonView(
    { kind: 'bytes', document, sha256: ledger.sha256, offset },
    document.root,
    '',
  );
}

/** The source as a whole: values that may go over many lines. */
async function* readDocuments(
  { main, signal }: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
): AsyncGenerator<TopValue> {
  if (main.sizeBytes > MAX_DOCUMENT_BYTES) {
    ledger.malformed({ offset: 0, length: main.sizeBytes }, 'larger than 256 MiB');
    issues.add(
      'DOCUMENT_TOO_LARGE',
      'A JSON document of more than 256 MiB is not read. Write its entries one a line (as `jq -c ".[]"` does with an array), or split it by trace or session.',
      main.sha256,
    );
    return;
  }
  const bytes = await main.read(0, main.sizeBytes);
  signal?.throwIfAborted();
  const { text, firstInvalidOffset } = decodeUtf8(bytes);
  noteInvalid(firstInvalidOffset, ledger, issues);
  const index = new ByteIndex(bytes);
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at, at + 4096))?.[0].length ?? 0;
    if (at >= text.length) return;
    if (/\s/.test(text.charAt(at))) continue;
    const parsed = parseJsonPrefix(text, at);
    if (parsed.ok) {
      const { root, end } = parsed.value;
      const document = { text, root, index, firstInvalidOffset: null };
      yield { place: placeOf(document, ledger, 0), inLines: false };
      at = end;
      continue;
    }
    const to = nextStart(text, Math.max(at, Math.min(parsed.error.offset, text.length)));
    const offset = index.toByte(at);
    const trimmed = at + text.slice(at, to).trimEnd().length;
    const reason =
      parsed.error.offset >= text.length ? 'the document is cut' : parsed.error.message;
    ledger.malformed({ offset, length: index.toByte(trimmed) - offset }, reason);
    at = to;
  }
}

/** Where the line begins that a next value could stand on: at `from` or behind it. */
function nextStart(text: string, from: number): number {
  const pattern = /\n(?=[[{])/g;
  pattern.lastIndex = Math.max(0, from - 1);
  const match = pattern.exec(text);
  return match === null ? text.length : match.index + 1;
}
