import {
  type JsonBytesDocument,
  parseLooseJsonBytes,
  parseLooseJsonBytesPrefix,
} from '@misstep/json';
import type { EvidenceGrade } from '@misstep/model';
import { noteBareNumbers } from './bare-numbers.ts';
import { findEntryList, MAX_DOCUMENT_BYTES } from './document-entries.ts';
import type { ImportInput, ImportResult, SourceReader } from './importer.ts';
import { parsedEntries } from './json-documents.ts';
import { JsonPlace } from './json-place.ts';
import { refuseLongLine } from './long-line.ts';
import { firstLine } from './one-line.ts';
import { readLines, type SourceLine } from './read-lines.ts';
import {
  counted,
  EMPTY_DOCUMENT,
  type IssueList,
  type RecordFate,
  type RecordLedger,
} from './record-ledger.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const MOST_LINES_BEFORE = 20;

export interface JsonSource {
  readonly reader: SourceReader;
  readonly ledger: RecordLedger;
  readonly issues: IssueList;
  readonly evidence: EvidenceGrade;
}

/** Where a line stands besides its place. */
export type LineNote = Pick<SourceLine, 'offset' | 'length' | 'closed'>;

/**
 * Reads a source of JSON objects, one a line. `readRecord` says what becomes of each; everything damaged is accounted for here.
 */
export async function readJsonLines(
  { reader, ledger, issues, evidence }: JsonSource,
  { signal, onProgress }: Pick<ImportInput, 'signal' | 'onProgress'>,
  stepCount: () => number,
  readRecord: (record: JsonPlace, line: LineNote) => RecordFate,
): Promise<void> {
  for await (const line of readLines(reader, signal)) {
    const document = lineDocument(line, reader, ledger, issues);
    if (document !== null) {
      const { offset } = line;
      const place = JsonPlace.root({ document, sha256: reader.sha256, offset, evidence });
      ledger.take(line, place.kind === 'object' ? readRecord(place, line) : 'no JSON object');
    }
    if (onProgress !== undefined && ledger.total % 64 === 0) {
      const readBytes = line.offset + line.length;
      onProgress({ readBytes, records: ledger.total, steps: stepCount() });
    }
  }
}

function lineDocument(
  line: SourceLine,
  reader: SourceReader,
  ledger: RecordLedger,
  issues: IssueList,
): JsonBytesDocument | null {
  if (line.tooLong) {
    refuseLongLine(line, ledger, issues);
    return null;
  }
  noteInvalidUtf8(line.invalidUtf8At, reader, issues);
  const parsed = parseLooseJsonBytes(line.bytes);
  if (parsed.ok) {
    noteBareNumbers(parsed.value, line.offset, reader.sha256, issues);
    return parsed.value;
  }
  ledger.malformed(
    line,
    line.closed ? firstLine(parsed.error.message, 200) || 'no JSON' : 'the last line is cut',
  );
  return null;
}

function noteInvalidUtf8(at: number | null, reader: SourceReader, issues: IssueList): void {
  if (at === null) return;
  const sentence = (count: number): string =>
    `${counted(count, 'line')} with bytes that are no UTF-8; they are shown as U+FFFD.`;
  issues.count('INVALID_UTF8', sentence, reader.sha256, at);
}

/**
 * Reads a source that is one JSON document. Null where it can't be read, which is then accounted
 * for: the whole source is one malformed record (an empty source is none). Lines of text in front of
 * the document, as a command's messages, are left out and told.
 */
export async function readJsonDocument(
  { reader, ledger, issues, evidence }: JsonSource,
  input: Pick<ImportInput, 'signal' | 'onProgress' | 'maxDocumentBytes'>,
): Promise<JsonPlace | null> {
  const { sha256, sizeBytes } = reader;
  const whole = { offset: 0, length: sizeBytes };
  input.signal?.throwIfAborted();
  if (sizeBytes > (input.maxDocumentBytes ?? MAX_DOCUMENT_BYTES)) {
    const said =
      'The document is larger than 256 MiB; it is one JSON value and has to fit. Split it by session, with its own members around each.';
    issues.add('DOCUMENT_TOO_LARGE', said, sha256);
    ledger.malformed(whole, 'larger than 256 MiB');
    return null;
  }
  const bytes = await readAll(reader, input);
  const start = jsonStart(bytes);
  const parsed = parseDocument(bytes, start, ledger);
  if (!parsed.ok) {
    if (bytes.some((byte) => byte > 0x20)) {
      ledger.malformed(whole, firstLine(parsed.error.message, 200) || 'no JSON');
    }
    return null;
  }
  if (start > 0) {
    issues.add('TEXT_BEFORE_JSON', 'Text in front of the document was left out.', sha256, 0);
  }
  const { firstInvalidOffset } = parsed.value;
  noteInvalidUtf8(firstInvalidOffset === null ? null : start + firstInvalidOffset, reader, issues);
  noteBareNumbers(parsed.value, start, sha256, issues);
  return JsonPlace.root({ document: parsed.value, sha256, offset: start, evidence });
}

/**
 * The entries of a source that is one list, as places of their own: from a document that is parsed
 * whole, or one by one where it is too large for that. `entriesIn` says what the entries of a
 * document are; of an entry by itself, too.
 */
export async function* readJsonEntries(
  source: JsonSource,
  input: ImportInput,
  entriesIn: (root: JsonPlace) => readonly JsonPlace[],
  none = 'no entries in the document',
): AsyncGenerator<JsonPlace> {
  const { reader, ledger, issues, evidence } = source;
  const isLarge = reader.sizeBytes > (input.maxDocumentBytes ?? MAX_DOCUMENT_BYTES);
  const list = isLarge ? await findEntryList(reader, input.signal) : null;
  if (list?.pointer !== '') {
    const root = await readJsonDocument(source, input);
    if (root === null) return;
    yield* entriesIn(root);
    if (ledger.total > 0) return;
    if (root.kind === 'array') ledger.setAside(root.origin(), EMPTY_DOCUMENT);
    else ledger.notUnderstood(root.origin(), none);
    return;
  }
  for await (const { document, entry } of parsedEntries(input, list, ledger, issues)) {
    const { offset, pointer } = entry;
    const { sha256 } = reader;
    yield* entriesIn(JsonPlace.root({ document, sha256, offset, evidence, pointer }));
  }
}

/** The document from `start` on; what stands behind it and is none of it is one malformed record. */
function parseDocument(
  bytes: Uint8Array,
  start: number,
  ledger: RecordLedger,
): ReturnType<typeof parseLooseJsonBytes> {
  const own = bytes.subarray(start);
  const prefix = parseLooseJsonBytesPrefix(own);
  if (!prefix.ok) return prefix;
  const { end, ...document } = prefix.value;
  // Of a text that merely begins with a number or a word nothing is a document.
  if (!['object', 'array'].includes(document.root.kind)) return parseLooseJsonBytes(own);
  const length = document.index.toByte(end);
  if (own.subarray(length).every((byte) => BLANKS.has(byte))) return { ok: true, value: document };
  const rest = { offset: start + length, length: own.length - length };
  ledger.malformed(rest, 'text after the document');
  const { firstInvalidOffset: at } = document;
  const firstInvalidOffset = at !== null && at < length ? at : null;
  return { ok: true, value: { ...document, firstInvalidOffset } };
}

async function readAll(
  reader: SourceReader,
  { signal, onProgress }: Pick<ImportInput, 'signal' | 'onProgress'>,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(reader.sizeBytes);
  let at = 0;
  while (at < bytes.length) {
    signal?.throwIfAborted();
    const chunk = await reader.read(at, Math.min(CHUNK_BYTES, bytes.length - at));
    if (chunk.length === 0) break;
    bytes.set(chunk, at);
    at += chunk.length;
    onProgress?.({ readBytes: at, records: 0, steps: 0 });
  }
  return bytes.subarray(0, at);
}

const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENERS: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);

/** The byte at which a line begins with `{` or `[`; 0 where the document begins at once. */
function jsonStart(bytes: Uint8Array): number {
  let lines = 0;
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && lines < MOST_LINES_BEFORE) {
    while (BLANKS.has(bytes[at] ?? 0)) at += 1;
    if (OPENERS.has(bytes[at])) return lines === 0 ? 0 : at;
    const newline = bytes.indexOf(10, at);
    if (newline < 0) return 0;
    at = newline + 1;
    lines += 1;
  }
  return 0;
}

/** The result of a source whose runs are made. */
export function resultOf(
  runs: ImportResult['runs'],
  sources: readonly JsonSource[],
  issues: IssueList,
): ImportResult {
  return { runs, sources: sources.map(({ ledger }) => ledger.account()), issues: issues.list() };
}
