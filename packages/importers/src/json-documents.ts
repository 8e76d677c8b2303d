import {
  ByteIndex,
  decodeUtf8,
  type JsonBytesDocument,
  parseLooseJsonBytes,
  parseLooseJsonPrefix,
} from '@misstep/json';
import { noteBareNumbers } from './bare-numbers.ts';
import {
  DocumentEntries,
  type DocumentEntry,
  type EntryList,
  findEntryList,
  MAX_DOCUMENT_BYTES,
} from './document-entries.ts';
import { isEventStream } from './event-stream.ts';
import { isInLines } from './head-values.ts';
import type { ImportInput, SourceReader } from './importer.ts';
import { assembledView, JsonView } from './json-view.ts';
import { readLines, type SourceLine } from './read-lines.ts';
import { counted, type IssueList, type RecordLedger, SetAside } from './record-ledger.ts';
import { makeSourceHead } from './source-head.ts';
import { SourceRecords } from './source-records.ts';
import { readSseEvents, STREAM_END } from './sse-events.ts';

const LOOK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** One JSON value at the top of a source, with its place in it. */
export interface TopValue {
  readonly place: JsonView;
  /** True where values stand one a line, so that a next one is likely. */
  readonly inLines: boolean;
  /** Where the list stands that this is an entry of, in a document too large to be read whole; null elsewhere. */
  readonly listAt: string | null;
}

/**
 * The JSON values of a source: one document, one a line, or several one after the other. What is
 * no JSON goes to the ledger as malformed; every value that comes out is for the caller to account
 * for. Of a document larger than 256 MiB the entries of its list come out one by one where
 * `takesEntries` says that the caller reads them as it would read them in their list; else it is
 * refused with an issue. `onStreamEnd` is told of the sign behind the last event of a stream.
 */
export async function* readTopValues(
  input: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
  takesEntries: (list: EntryList) => boolean = () => false,
  onStreamEnd: () => void = () => {},
): AsyncGenerator<TopValue> {
  const { main, signal, onProgress, maxDocumentBytes = MAX_DOCUMENT_BYTES } = input;
  if (main.sizeBytes > maxDocumentBytes && (await isOneLine(input, maxDocumentBytes))) {
    yield* readEntries(input, ledger, issues, takesEntries);
    return;
  }
  if (isEventStream(await makeSourceHead(main))) {
    yield* readEvents(input, ledger, issues, onStreamEnd);
    return;
  }
  let first = true;
  for await (const line of readLines(main, signal, MAX_DOCUMENT_BYTES)) {
    const parsed = line.tooLong ? null : parseLooseJsonBytes(line.bytes);
    const usable = parsed?.ok === true && ['object', 'array'].includes(parsed.value.root.kind);
    if (first && !usable && !isInLines(await makeSourceHead(main))) {
      if (main.sizeBytes > maxDocumentBytes) {
        yield* readEntries(input, ledger, issues, takesEntries);
      } else yield* readDocuments(input, ledger, issues);
      return;
    }
    first = false;
    noteInvalid(line.invalidUtf8At, ledger, issues);
    if (parsed?.ok === true) {
      noteBareNumbers(parsed.value, line.offset, ledger.sha256, issues);
      yield { place: placeOf(parsed.value, ledger, line.offset), inLines: true, listAt: null };
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

function whyNot(line: SourceLine, parsed: ReturnType<typeof parseLooseJsonBytes> | null): string {
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

/** Whether the first line is longer than a line may be; what is kept of it is nothing. */
async function isOneLine({ main, signal }: ImportInput, maxLineBytes: number): Promise<boolean> {
  for (let at = 0; at < Math.min(main.sizeBytes, maxLineBytes); at += LOOK_BYTES) {
    signal?.throwIfAborted();
    const chunk = await main.read(at, Math.min(LOOK_BYTES, main.sizeBytes - at));
    if (chunk.indexOf(NEWLINE) >= 0) return false;
  }
  return true;
}

/** A document that is too large: entry by entry, or not at all. */
async function* readEntries(
  input: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
  takesEntries: (list: EntryList) => boolean,
): AsyncGenerator<TopValue> {
  const list = await findEntryList(input.main, input.signal);
  if (list === null || !takesEntries(list)) {
    refuseDocument(input.main, ledger, issues);
    return;
  }
  for await (const { document, entry } of parsedEntries(input, list, ledger, issues)) {
    const ground = {
      kind: 'bytes',
      document,
      sha256: ledger.sha256,
      offset: entry.offset,
    } as const;
    const place = new JsonView(ground, document.root, entry.pointer);
    yield { place, inLines: false, listAt: list.pointer };
  }
}

/** The entries of a list that are JSON; the others are accounted for. */
export async function* parsedEntries(
  { main, signal, onProgress }: ImportInput,
  list: EntryList,
  ledger: RecordLedger,
  issues: IssueList,
): AsyncGenerator<{ document: JsonBytesDocument; entry: DocumentEntry }> {
  const records = new SourceRecords(main);
  const entries = new DocumentEntries(main, list);
  for await (const entry of entries.all(signal)) {
    const { offset, length, closed } = entry;
    if (length > MAX_DOCUMENT_BYTES) {
      ledger.malformed(entry, 'larger than 256 MiB');
      const told = 'An entry of more than 256 MiB is not read; the others of its list are.';
      issues.add('DOCUMENT_TOO_LARGE', told, ledger.sha256, offset);
      continue;
    }
    const parsed = parseLooseJsonBytes(await records.bytes(offset, length));
    if (!parsed.ok) {
      ledger.malformed(entry, closed ? parsed.error.message : 'the document is cut');
      continue;
    }
    const { firstInvalidOffset } = parsed.value;
    noteInvalid(firstInvalidOffset === null ? null : offset + firstInvalidOffset, ledger, issues);
    noteBareNumbers(parsed.value, offset, ledger.sha256, issues);
    yield { document: parsed.value, entry };
    onProgress?.({ readBytes: offset + length, records: ledger.total, steps: 0 });
  }
  const rest = await entries.rest();
  if (rest === 'cut') {
    const told = 'The document is cut; its entries up to there were read.';
    issues.add('CUT_TAIL', told, ledger.sha256, main.sizeBytes);
  } else if (rest !== null) ledger.malformed(rest, 'text after the document');
}

/** Accounts for a document that is too large to be read. */
export function refuseDocument(
  { sizeBytes }: SourceReader,
  ledger: RecordLedger,
  issues: IssueList,
): void {
  ledger.malformed({ offset: 0, length: sizeBytes }, 'larger than 256 MiB');
  issues.add(
    'DOCUMENT_TOO_LARGE',
    'A JSON document of more than 256 MiB is read only where it is one list of entries. Write its entries one a line (as `jq -c ".[]"` does with an array), or split it by trace or session.',
    ledger.sha256,
  );
}

/** The source as a whole: values that may go over many lines. */
async function* readDocuments(
  { main, signal }: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
): AsyncGenerator<TopValue> {
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
    const parsed = parseLooseJsonPrefix(text, at);
    if (parsed.ok) {
      const { end, ...read } = parsed.value;
      const document = { text, ...read, index, firstInvalidOffset: null };
      noteBareNumbers(document, 0, ledger.sha256, issues);
      yield { place: placeOf(document, ledger, 0), inLines: false, listAt: null };
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

const END_OF_STREAM = new SetAside('the sign that a stream ended');

/** The data of the events of a stream as it went over the line. */
async function* readEvents(
  { main, signal }: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
  onStreamEnd: () => void,
): AsyncGenerator<TopValue> {
  const bytes = await main.read(0, main.sizeBytes);
  signal?.throwIfAborted();
  noteInvalid(decodeUtf8(bytes).firstInvalidOffset, ledger, issues);
  for (const { data, span, end } of readSseEvents(bytes)) {
    if (data.trim() === STREAM_END) {
      onStreamEnd();
      ledger.setAside(spanOf(span ?? { start: end - data.length, end }), END_OF_STREAM);
      continue;
    }
    if (span === null) {
      const offset = end - new TextEncoder().encode(data).length;
      const carrier = { sha256: ledger.sha256, offset, length: end - offset, pointer: '' };
      const place = assembledView(data, carrier);
      if (place === null) ledger.malformed(carrier, 'the data of the event are no JSON');
      else yield { place, inLines: true, listAt: null };
      continue;
    }
    const parsed = parseLooseJsonBytes(bytes.subarray(span.start, span.end));
    if (!parsed.ok) {
      const isCut = span.end >= bytes.length;
      ledger.malformed(spanOf(span), isCut ? 'the last event is cut' : parsed.error.message);
      continue;
    }
    noteBareNumbers(parsed.value, span.start, ledger.sha256, issues);
    yield { place: placeOf(parsed.value, ledger, span.start), inLines: true, listAt: null };
  }
}

const spanOf = ({ start, end }: { start: number; end: number }) => ({
  offset: start,
  length: end - start,
});

/** Where the line begins that a next value could stand on: at `from` or behind it. */
function nextStart(text: string, from: number): number {
  const pattern = /\n(?=[[{])/g;
  pattern.lastIndex = Math.max(0, from - 1);
  const match = pattern.exec(text);
  return match === null ? text.length : match.index + 1;
}
