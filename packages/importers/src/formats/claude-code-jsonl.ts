import { noteBareNumbers, plainWithBareNumbers } from '../bare-numbers.ts';
import { setBranchesApart } from '../continuation.ts';
import type {
  Importer,
  ImportInput,
  ImportResult,
  RunDraft,
  SourceGroup,
  SourceHead,
  SourceReader,
} from '../importer.ts';
import { refuseLongLine } from '../long-line.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { field, isObject, textField } from '../plain-fields.ts';
import { readLines, type SourceLine } from '../read-lines.ts';
import { counted, IssueList, REPEATED, type RecordFate, RecordLedger } from '../record-ledger.ts';
import { makeSourceHead } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { readAssistantRecord } from './claude-code-jsonl/assistant-record.ts';
import {
  continuationOf,
  linksOf,
  noteMissingParent,
  openContinuation,
} from './claude-code-jsonl/continuation.ts';
import { linkAgents } from './claude-code-jsonl/link-agents.ts';
import { isLogLines, readLogLines } from './claude-code-jsonl/log-lines.ts';
import {
  readAttachment,
  readProgress,
  readSystemRecord,
  readTitle,
} from './claude-code-jsonl/other-record.ts';
import { SessionRecord } from './claude-code-jsonl/record.ts';
import {
  BOOKKEEPING_TYPES,
  SESSION_TYPES,
  TITLE_FIELDS,
} from './claude-code-jsonl/record-kinds.ts';
import { isSameRecord } from './claude-code-jsonl/same-record.ts';
import { Session } from './claude-code-jsonl/session.ts';
import { makeThread, type Thread } from './claude-code-jsonl/thread.ts';
import { readUserRecord } from './claude-code-jsonl/user-record.ts';

/** Session files of Claude Code, with their sub-agents' files as companions. */
export const claudeCodeJsonl: Importer = {
  id: 'claude-code-jsonl',
  title: 'Claude Code session',
  evidence: 'logged',
  revision: 8,
  sniff,
  group: groupOf,
  read,
};

/** A first line longer than the head can't be read as JSON, but shows its first keys. */
const BEGINS_AS_RECORD =
  /^\{"(?:parentUuid|type|sessionId|uuid|isSidechain|cwd|userType|message)":(?=.*"(?:sessionId|uuid|parentUuid)":")/s;

function sniff(head: SourceHead): number {
  if (isLogLines(head)) return 0.9;
  let strong = 0;
  let weak = 0;
  for (const value of head.lineValues) {
    const type = textField(value, 'type');
    if (type === null || !SESSION_TYPES.has(type)) continue;
    if (field(value, 'session_id') !== undefined) continue;
    if (type !== 'user' && type !== 'assistant') weak += 1;
    else if (isObject(field(value, 'message'))) strong += 1;
  }
  const known = (strong + weak) / Math.max(1, head.lines.length);
  const ids = head.lineValues.some(
    (value) => textField(value, 'sessionId') !== null || textField(value, 'uuid') !== null,
  );
  if (head.lines.length === 0 && BEGINS_AS_RECORD.test(head.text.slice(0, 4000))) return 0.6;
  if (strong > 0) return (ids ? 0.55 : 0.35) + 0.4 * known;
  // What the client alone wrote: a session that never began.
  return (ids ? 0.6 : 0.3) * (weak > 0 ? known : 0);
}

/** Sub-agents' files carry the session id of the file that started them, and their own agent id. */
function groupOf(head: SourceHead): SourceGroup | null {
  const records = head.lineValues.filter((value) => textField(value, 'sessionId') !== null);
  const key = textField(records[0], 'sessionId');
  if (key === null) return null;
  const part = textField(records[0], 'agentId');
  const ofAgent =
    part !== null &&
    records.every(
      (record) => field(record, 'isSidechain') === true && textField(record, 'agentId') === part,
    );
  if (ofAgent) return { key, role: 'companion', part };
  return { key, role: 'main', part: null, ...linksOf(head) };
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main } = input;
  const issues = new IssueList();
  const session = new Session(issues);
  const group = groupOf(await makeSourceHead(main));
  if (group?.role === 'companion') {
    issues.add(
      'COMPANION_WITHOUT_MAIN',
      `This is the file of sub-agent ${group.part}; the session that started it is not here.`,
      main.sha256,
    );
  }
  const { sha256 } = main;
  const mainThread = makeThread({ agentId: null, isMain: true, part: null, sha256, offset: 0 });
  session.threads.push(mainThread);
  const sources = [new SourceState(session, main, mainThread, group?.role !== 'companion')];
  const parts = new Set<string>();
  for (const { reader, group } of input.companions) {
    let part = group.part ?? reader.sha256.slice(0, 12);
    while (parts.has(part)) part = `${part}_`;
    parts.add(part);
    if (group.isContinuation === true) {
      const thread = continuationOf(mainThread, part, reader);
      session.threads.push(thread);
      sources.push(new SourceState(session, reader, thread, true));
      continue;
    }
    const agentId = group.part;
    const thread = makeThread({ agentId, isMain: false, part, sha256: reader.sha256, offset: 0 });
    session.threads.push(thread);
    if (agentId !== null) session.threadsByKey.set(agentId, thread);
    sources.push(new SourceState(session, reader, thread, false));
  }
  let readBytes = 0;
  for (const source of sources) {
    await source.read(input, readBytes);
    readBytes += source.reader.sizeBytes;
  }
  linkAgents(session);
  setBranchesApart(session.threads.filter(({ isMain }) => isMain));
  session.forget();
  return {
    runs: runOf(session, main),
    sources: sources.map(({ ledger }) => ledger.account()),
    issues: issues.list(),
  };
}

function runOf(session: Session, main: SourceReader): RunDraft[] {
  const steps = orderSteps(session.threads.map(({ steps }) => steps));
  if (steps.length === 0) return [];
  const firstTurn = steps.find(({ kind }) => kind === 'user');
  const title = session.title?.text || firstTurn?.summary || main.name;
  return [
    {
      key: session.sessionId ?? '0',
      title: firstLine(title, 200) || 'Claude Code session',
      client: session.version === null ? 'Claude Code' : `Claude Code ${session.version}`,
      model: session.model,
      naturalId: session.sessionId,
      clock: steps.some(({ time }) => time.startedAtNs !== null) ? session.clock.kind : 'none',
      steps,
      frames: [],
      tools: [],
    },
  ];
}

class SourceState {
  readonly reader: SourceReader;
  readonly ledger: RecordLedger;
  readonly #session: Session;
  readonly #thread: Thread;
  readonly #holdsSidechains: boolean;
  #hasBegun = false;

  constructor(session: Session, reader: SourceReader, thread: Thread, holdsSidechains: boolean) {
    this.#session = session;
    this.reader = reader;
    this.#thread = thread;
    this.#holdsSidechains = holdsSidechains;
    this.ledger = new RecordLedger(reader.sha256);
  }

  async read(input: ImportInput, readBefore: number): Promise<void> {
    const { signal, onProgress } = input;
    const isDocument = isLogLines(await makeSourceHead(this.reader));
    const lines = isDocument
      ? readLogLines({ ...input, main: this.reader }, this.ledger, this.#session.issues)
      : readLines(this.reader, signal);
    for await (const line of lines) {
      signal?.throwIfAborted();
      await this.#readLine(line);
      if (onProgress === undefined || this.ledger.total % 64 !== 0) continue;
      let steps = 0;
      for (const thread of this.#session.threads) steps += thread.steps.length;
      const readBytes = readBefore + line.offset + line.length;
      onProgress({ readBytes, records: this.ledger.total, steps });
    }
  }

  async #readLine(line: SourceLine): Promise<void> {
    if (line.tooLong) {
      refuseLongLine(line, this.ledger, this.#session.issues);
      return;
    }
    if (line.invalidUtf8At !== null) {
      this.#session.issues.count(
        'INVALID_UTF8',
        (count) =>
          `${counted(count, 'line')} with bytes that are no UTF-8; they are shown as U+FFFD.`,
        this.reader.sha256,
        line.invalidUtf8At,
      );
    }
    let plain: unknown;
    let isLoose = false;
    try {
      plain = JSON.parse(line.text);
    } catch (error) {
      plain = plainWithBareNumbers(line.text);
      isLoose = plain !== undefined;
      const why = error instanceof Error ? error.message : 'no JSON';
      if (plain === undefined) {
        this.ledger.malformed(line, line.closed ? firstLine(why, 200) : 'the last line is cut');
        return;
      }
    }
    const type = textField(plain, 'type');
    if (!isObject(plain) || type === null) {
      this.ledger.notUnderstood(
        line,
        isObject(plain) ? 'a record without a type' : 'no JSON object',
      );
      return;
    }
    const record = new SessionRecord(line, plain, this.reader.sha256, this.#session.clock);
    if (isLoose)
      noteBareNumbers(record.document, line.offset, this.reader.sha256, this.#session.issues);
    if (record.uuid !== null && !this.#hasBegun) {
      this.#hasBegun = true;
      if (this.#thread.isMain) noteMissingParent(this.#session, record);
    }
    const isRepeated = await this.#isRepeated(record, line.text);
    if (!isRepeated) openContinuation(this.#session, this.#thread, record);
    this.ledger.take(line, isRepeated ? REPEATED : this.#readRecord(type, record));
  }

  /**
   * A resumed or forked session repeats records with its own session id, in some forks with uuids of
   * its own, and nothing else changed. Other content is a record of its own: nothing may be lost.
   */
  async #isRepeated(record: SessionRecord, text: string): Promise<boolean> {
    const { issues, seen } = this.#session;
    const { uuid, copiedFrom, origin } = record;
    const byUuid = uuid === null ? null : seen.get(uuid);
    const before = byUuid ?? (copiedFrom === null ? null : seen.get(copiedFrom));
    if (before === null) return false;
    for (const { reader, offset, length } of before.places) {
      const isOfOther = reader !== this.reader;
      if (!isSameRecord(text, await reader.read(offset, length), isOfOther)) continue;
      // Under its new uuid too it is what later records name as their parent.
      if (byUuid === null) this.#session.see(record, before.thread, this.reader);
      issues.count(
        'DUPLICATE_RECORDS',
        (count) =>
          `${counted(count, 'record')} repeated from before (a resumed or forked session), counted once.`,
        origin.sha256,
        origin.offset,
      );
      return true;
    }
    if (byUuid === null) return false;
    issues.count(
      'UUID_REUSED',
      (count) =>
        `${counted(count, 'record')} with the uuid of an earlier record and other content, read as their own.`,
      origin.sha256,
      origin.offset,
    );
    return false;
  }

  #readRecord(type: string, record: SessionRecord): RecordFate {
    const session = this.#session;
    const { plain } = record;
    session.sessionId ??= textField(plain, 'sessionId');
    session.version ??= textField(plain, 'version');
    const thread = this.#threadOf(record);
    session.see(record, thread, this.reader);
    if (type === 'progress') {
      const isNews = readProgress(session, plain);
      if (this.#readAgentMessage(record) || isNews) return null;
    }
    if (TITLE_FIELDS.has(type)) return readTitle(session, type, plain);
    const bookkeeping = BOOKKEEPING_TYPES.get(type);
    if (bookkeeping !== undefined) return bookkeeping;
    switch (type) {
      case 'user':
        return readUserRecord(session, thread, record);
      case 'assistant':
        return readAssistantRecord(session, thread, record);
      case 'system':
        return readSystemRecord(session, thread, record);
      case 'attachment':
        return readAttachment(session, thread, record);
      default:
        return `unknown record type ${firstLine(type, 60)}`;
    }
  }

  /**
   * What a sub-agent said and called stands in progress records too: where its own file isn't here,
   * there alone. False where it says nothing new.
   */
  #readAgentMessage(record: SessionRecord): boolean {
    const session = this.#session;
    const agentId = textField(field(record.plain, 'data'), 'agentId');
    const inner = record.within('data', 'message');
    const type = textField(inner?.plain, 'type');
    if (agentId === null || inner === null || (type !== 'user' && type !== 'assistant'))
      return false;
    const known = session.threadsByKey.get(agentId);
    if (known !== undefined && known.part !== this.#thread.part) return false;
    if (inner.uuid === null || session.seen.has(inner.uuid)) return false;
    const thread = known ?? this.#agentThread(agentId, record);
    session.see(inner, thread, this.reader);
    const read = type === 'user' ? readUserRecord : readAssistantRecord;
    return read(session, thread, inner) === null;
  }

  #agentThread(agentId: string | null, { uuid, origin }: SessionRecord): Thread {
    const session = this.#session;
    const { sha256, offset } = origin;
    const { part } = this.#thread;
    const thread = makeThread({ agentId, isMain: false, part, sha256, offset });
    session.threads.push(thread);
    session.threadsByKey.set(agentId ?? uuid ?? String(offset), thread);
    return thread;
  }

  /** Older versions wrote sub-agents' records into the session's own file. */
  #threadOf(record: SessionRecord): Thread {
    if (!this.#holdsSidechains || field(record.plain, 'isSidechain') !== true) return this.#thread;
    const session = this.#session;
    const agentId = textField(record.plain, 'agentId');
    const parent = record.parentUuid === null ? null : session.seen.get(record.parentUuid);
    if (agentId === null && parent !== null && !parent.thread.isMain) return parent.thread;
    const key = agentId ?? record.uuid ?? String(record.origin.offset);
    const known = session.threadsByKey.get(key);
    const { part } = this.#thread;
    if (known !== undefined && known.part === part) return known;
    return this.#agentThread(agentId, record);
  }
}
