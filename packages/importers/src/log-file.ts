import {
  ByteIndex,
  decodeUtf8,
  type JsonBytesDocument,
  parseLooseJsonBytes,
  parseLooseJsonPrefix,
} from '@misstep/json';
import type { FrameDirection, Origin } from '@misstep/model';
import { noteBareNumbers } from './bare-numbers.ts';
import type { ImportResult, SourceReader } from './importer.ts';
import type { JsonRpcSessions } from './json-rpc-session.ts';
import { byteAt, joinLines, markUnits } from './line-bytes.ts';
import type { LogCopies } from './log-copies.ts';
import type { LogDialect, LogHead, LogNote } from './log-dialect.ts';
import { type EntryPlace, type EntryPlaces, entryNumber } from './log-entries.ts';
import { refuseLongLine } from './long-line.ts';
import { firstLine } from './one-line.ts';
import type { SourceLine } from './read-lines.ts';
import { counted, type IssueList, REPEATED, RecordLedger, SetAside } from './record-ledger.ts';
import type { RunSource } from './run-sources.ts';
import { readTime } from './source-time.ts';
import { makeStep, originAt, valueAt } from './step-builder.ts';
import { placedValue } from './wire-value.ts';

const MOST_BLOCK_BYTES = 16 * 1024 * 1024;
const LEFT_BY_THE_LOGGER = /^\s*\{ metadata: undefined \}/;
/** A bracket alone, which people leave behind when they lay a message out by hand. */
const LONELY_BRACKET = /^\s*[{}]\s*$/;

const AROUND = new SetAside('a fence or file name around the log');
const LEFT_BY_LOGGER = new SetAside("the logger's own value or a bracket left behind");

/** What the logs of one run share. */
interface SharedLog {
  readonly issues: IssueList;
  readonly sessions: JsonRpcSessions;
  readonly logs: LogCopies;
  readonly places: EntryPlaces;
}

interface Entry {
  readonly head: LogHead;
  readonly line: SourceLine;
  /** Where in the line's text it begins. */
  readonly start: number;
}

export class LogFile {
  readonly ledger: RecordLedger;
  readonly issues: IssueList;
  readonly sessions: JsonRpcSessions;
  sawTime = false;
  readonly #reader: SourceReader;
  readonly #dialect: LogDialect;
  readonly #copies: LogCopies;
  readonly #places: EntryPlaces;
  readonly #rank: number;
  readonly #numbers: number[] = [];
  #server: string | null = null;
  /** A message that is printed over several lines, with the lines so far. */
  #open: { entry: Entry; lines: SourceLine[]; sizeBytes: number } | null = null;
  /** A logger's own value over several lines, which nobody needs. */
  #inspected: RegExp | null = null;
  #stderr: SourceLine[] = [];

  constructor({ reader, rank }: RunSource, dialect: LogDialect, shared: SharedLog) {
    const { issues, sessions, logs, places } = shared;
    this.#places = places;
    this.#rank = rank;
    this.#reader = reader;
    this.#dialect = dialect;
    this.ledger = new RecordLedger(reader.sha256);
    this.issues = issues;
    this.sessions = sessions;
    this.#copies = logs;
  }

  account(): ImportResult['sources'][number] {
    const account = this.ledger.account();
    if (this.#dialect.hasOtherLogs !== true) return account;
    return { ...account, numbers: Float64Array.from(this.#numbers) };
  }

  addLine(line: SourceLine): void {
    if (line.tooLong) {
      this.endBlock();
      refuseLongLine(line, this.ledger, this.issues);
      return;
    }
    if (line.invalidUtf8At !== null) {
      const sentence = (count: number): string =>
        `${counted(count, 'line')} with bytes that are no UTF-8; they are shown as U+FFFD.`;
      this.issues.count('INVALID_UTF8', sentence, this.#reader.sha256, line.invalidUtf8At);
    }
    const head = this.#dialect.headAt(line.text, 0);
    if (head !== null) {
      this.endBlock();
      this.#addEntries(line, { head, line, start: 0 });
    } else if (this.#dialect.isNoise(line.text)) {
      this.endBlock();
      this.ledger.setAside(line, AROUND);
    } else if (this.#open !== null) {
      this.#continueMessage(line);
    } else if (this.#inspected !== null) {
      if (this.#inspected.test(line.text)) this.#inspected = null;
      this.ledger.setAside(line, LEFT_BY_LOGGER);
    } else if (LEFT_BY_THE_LOGGER.test(line.text) || LONELY_BRACKET.test(line.text)) {
      this.ledger.setAside(line, LEFT_BY_LOGGER);
    } else {
      this.#stderr.push(line);
    }
  }

  /** What stands between two entries is done. */
  endBlock(): void {
    this.#inspected = null;
    if (this.#open !== null) this.#endMessage(this.#open);
    this.#open = null;
    const [first] = this.#stderr;
    const last = this.#stderr.at(-1);
    if (first === undefined || last === undefined) return;
    const length = last.offset + last.length - first.offset;
    const origin = originAt(this.#reader.sha256, { offset: first.offset, length });
    this.#addNote(
      origin,
      { name: 'Server output', kind: 'note', restarts: false },
      null,
      first.text,
    );
    for (const _ of this.#stderr) this.ledger.understood();
    this.#stderr = [];
  }

  /** In a paste without line breaks one line holds several entries. */
  #addEntries(line: SourceLine, first: Entry): void {
    let entry: Entry | null = first;
    while (entry !== null) {
      const end = this.#addEntry(entry);
      if (end === null) return;
      const rest = line.text.slice(end).replace(LEFT_BY_THE_LOGGER, '');
      const from = line.text.length - rest.trimStart().length;
      const head: LogHead | null = this.#dialect.headAt(line.text, from);
      entry = head === null ? null : { head, line, start: from };
    }
  }

  /** Where in the line the entry ends; null where the rest of the line belongs to it. */
  #addEntry(entry: Entry): number | null {
    const { head, line, start } = entry;
    const body = line.text.slice(head.bodyAt);
    const message = this.#dialect.messageIn(body);
    if (message === null) return this.#addOther(entry, body);
    const json = body.slice(message.jsonAt);
    const parsed = parseLooseJsonPrefix(json, 0);
    if (parsed.ok) {
      const from = byteAt(line, head.bodyAt + message.jsonAt);
      const to = byteAt(line, head.bodyAt + message.jsonAt + parsed.value.end);
      const record = this.#recordOf(line, start);
      this.#addMessage(
        entry,
        message.direction,
        line.bytes.subarray(from, to),
        line.offset + from,
        record,
      );
      return head.bodyAt + message.jsonAt + parsed.value.end;
    }
    if (/^[\s{]*$/.test(json)) {
      this.#open = { entry, lines: [], sizeBytes: 0 };
      return null;
    }
    this.#addBroken(entry, message.direction, this.#recordOf(line, start), parsed.error.message);
    return null;
  }

  #recordOf(line: SourceLine, start: number): Origin {
    const from = byteAt(line, start);
    const span = { offset: line.offset + from, length: line.length - from };
    return originAt(this.#reader.sha256, span);
  }

  #continueMessage(line: SourceLine): void {
    const open = this.#open;
    if (open === null) return;
    open.lines.push(line);
    open.sizeBytes += line.length;
    if (open.sizeBytes > MOST_BLOCK_BYTES) this.endBlock();
  }

  /** The message is what can be read from one of the brackets on its first lines. */
  #endMessage({ entry, lines }: { entry: Entry; lines: SourceLine[] }): void {
    const { head, line } = entry;
    const message = this.#dialect.messageIn(line.text.slice(head.bodyAt));
    if (message === null) return;
    const bytes = joinLines([line, ...lines]);
    const { text } = decodeUtf8(bytes);
    const offset = line.offset;
    const length = bytes.length;
    const record = originAt(this.#reader.sha256, { offset, length });
    for (const _ of lines) this.ledger.understood();
    const index = new ByteIndex(bytes);
    let at = text.indexOf('{', head.bodyAt + message.jsonAt + markUnits(bytes));
    for (let tries = 0; at >= 0 && tries < 3; tries += 1) {
      const parsed = parseLooseJsonPrefix(text, at);
      if (parsed.ok) {
        const from = index.toByte(at);
        const to = index.toByte(parsed.value.end);
        this.#addMessage(entry, message.direction, bytes.subarray(from, to), offset + from, record);
        return;
      }
      const next = text.indexOf('{', at + 1);
      // A bracket may be doubled; one further in would be a part of the message.
      at = next >= 0 && text.slice(at + 1, next).trim() === '' ? next : -1;
    }
    this.#addBroken(entry, message.direction, record, 'the message is cut');
  }

  #addMessage(
    entry: Entry,
    direction: FrameDirection,
    bytes: Uint8Array,
    offset: number,
    record: Origin,
  ): void {
    const parsed = parseLooseJsonBytes(bytes);
    if (!parsed.ok) {
      this.#addBroken(entry, direction, record, parsed.error.message);
      return;
    }
    const frame = this.#frameOf(entry, direction, record);
    const number = this.#numberOf(entry);
    if (number !== null) this.#numbers.push(number);
    const { text } = parsed.value;
    const key = `${frame.timeText} ${frame.server} ${direction} ${text.length} ${text.slice(0, 300)}`;
    if (this.#copies.repeats(key)) {
      this.#noteDuplicate(record);
      this.ledger.setAside(record, REPEATED);
      return;
    }
    const document: JsonBytesDocument = parsed.value;
    noteBareNumbers(document, offset, this.#reader.sha256, this.issues);
    const origin = originAt(this.#reader.sha256, { offset, length: bytes.length });
    const place = { document, sha256: this.#reader.sha256, offset };
    this.sessions.calledBy = this.#placeOf(number);
    const known = this.sessions.addFrame({
      ...frame,
      origin,
      sizeBytes: bytes.length,
      document,
      node: document.root,
      capture: (node, pointer) => placedValue(place, node, pointer, this.#dialect.evidence),
    });
    this.sessions.calledBy = null;
    if (known) this.ledger.understood();
    else this.ledger.notUnderstood(record, 'not a JSON-RPC message');
  }

  /** Null where no other log can hold a copy of the entry. */
  #numberOf({ head, line }: Entry): number | null {
    if (this.#dialect.hasOtherLogs !== true) return null;
    return entryNumber(head, line.text.slice(head.bodyAt));
  }

  #placeOf(number: number | null): EntryPlace | null {
    return number === null ? null : this.#places.take(number, this.#rank);
  }

  #noteDuplicate({ sha256, offset }: Origin): void {
    this.issues.count(
      'DUPLICATE_RECORDS',
      (count) => `${counted(count, 'message')} written to two logs, counted once.`,
      sha256,
      offset,
    );
  }

  #addBroken(entry: Entry, direction: FrameDirection, record: Origin, why: string): void {
    const frame = this.#frameOf(entry, direction, record);
    this.sessions.addUnreadableFrame(frame, 'malformed', firstLine(why, 200));
    this.ledger.malformed(record, firstLine(why, 200) || 'the message is no JSON');
  }

  #frameOf({ head }: Entry, direction: FrameDirection, record: Origin) {
    const server = head.server ?? this.#server;
    return {
      direction,
      transport: 'unknown',
      connection: server ?? '',
      server,
      monotonicNs: null,
      wallNs: this.#timeOf(head.timeText),
      timeText: head.timeText,
      origin: record,
      sizeBytes: record.length,
      recordOffset: record.offset,
      transportRemark: null,
    } as const;
  }

  #timeOf(text: string): bigint | null {
    const time = readTime(text);
    if (time?.clock !== this.#dialect.clock) return null;
    this.sawTime = true;
    return time.ns;
  }

  #addOther(entry: Entry, body: string): number | null {
    const { head, line, start } = entry;
    const note = this.#dialect.noteOf(body);
    this.#server = this.#dialect.serverIn?.(body) ?? this.#server;
    if (note.restarts) this.sessions.restart(head.server ?? this.#server ?? '');
    if (/\{\s*$/.test(body)) this.#inspected = /^\}/;
    if (this.#copies.standsInOther(`${head.timeText} ${head.server ?? this.#server} ${body}`)) {
      this.ledger.setAside(this.#recordOf(line, start), REPEATED);
      return null;
    }
    const cut = LEFT_BY_THE_LOGGER.exec(body.slice(body.indexOf(' { metadata: undefined }')));
    const bodyEnd = cut === null ? body.length : body.indexOf(' { metadata: undefined }');
    const from = byteAt(line, head.bodyAt);
    const to = byteAt(line, head.bodyAt + bodyEnd);
    const record = this.#recordOf(line, start);
    const text = originAt(this.#reader.sha256, { offset: line.offset + from, length: to - from });
    if (note.isNoise === true) {
      const frame = this.#frameOf(entry, 'server-to-client', record);
      this.sessions.addUnreadableFrame(frame, 'noise', 'text on the transport that is no JSON');
    }
    this.sessions.calledBy = this.#placeOf(this.#numberOf(entry));
    this.#addNote(record, note, head, body.slice(0, bodyEnd), text);
    this.sessions.calledBy = null;
    this.ledger.understood();
    return cut === null ? null : head.bodyAt + bodyEnd;
  }

  #addNote(
    record: Origin,
    note: LogNote,
    head: LogHead | null,
    text: string,
    value: Origin = record,
  ): void {
    const ns = head === null ? null : this.#timeOf(head.timeText);
    this.sessions.addStep(
      makeStep({
        id: this.sessions.nextId(record.offset),
        kind: note.kind,
        name: note.name,
        server: head?.server ?? this.#server,
        evidence: this.#dialect.evidence,
        origin: record,
        content: [{ kind: 'text', value: valueAt(value, 'text', this.#dialect.evidence) }],
        summary: firstLine(text),
        time: {
          startedAtNs: ns,
          endedAtNs: null,
          startedAtText: head?.timeText ?? null,
          endedAtText: null,
          evidence: this.#dialect.evidence,
        },
      }),
    );
  }
}
