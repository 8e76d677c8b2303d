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
import { type RunSource, sourcesInOrder } from '../run-sources.ts';
import { makeSourceHead } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { readAssistantRecord } from './claude-code-jsonl/assistant-record.ts';
import {
  continuationOf,
  linksOf,
  noteMissingParent,
  openContinuation,
} from './claude-code-jsonl/continuation.ts';
import { Copies, type HeldRecord } from './claude-code-jsonl/copies.ts';
import { linkAgents } from './claude-code-jsonl/link-agents.ts';
import { isLogLines, readLogLines, recordsAt } from './claude-code-jsonl/log-lines.ts';
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
import { RecordNumbers } from './claude-code-jsonl/record-numbers.ts';
import { Session } from './claude-code-jsonl/session.ts';
import { makeThread, type Thread } from './claude-code-jsonl/thread.ts';
import { readUserRecord } from './claude-code-jsonl/user-record.ts';

/** Session files of Claude Code, with their sub-agents' files as companions. */
export const claudeCodeJsonl: Importer = {
  id: 'claude-code-jsonl',
  title: 'Claude Code session',
  evidence: 'logged',
  revision: 11,
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
  const all = recordsAt(head);
  const records = all.filter((value) => textField(value, 'sessionId') !== null);
  const key = textField(records[0], 'sessionId');
  if (key === null) return null;
  const part = textField(records[0], 'agentId');
  const ofAgent =
    part !== null &&
    records.every(
      (record) => field(record, 'isSidechain') === true && textField(record, 'agentId') === part,
    );
  if (ofAgent) return { key, role: 'companion', part };
  return { key, role: 'main', part: null, ...linksOf(all) };
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main } = input;
  const issues = new IssueList();
  const session = new Session(issues);
  const ordered = sourcesInOrder(input);
  const first = ordered.find(({ role }) => role === 'first') ?? null;
  const group = input.mainGroup ?? groupOf(await makeSourceHead(main));
  const isLone = group?.role === 'companion' && (first === null || first.reader === main);
  if (isLone) {
    issues.add(
      'COMPANION_WITHOUT_MAIN',
      `This is the file of sub-agent ${group.part}; the session that started it is not here.`,
      main.sha256,
    );
  }
  const sources = ordered.map((source) => {
    session.sources.set(source.reader, source);
    const thread = threadOf(session, source, isLone);
    session.threads.push(thread);
    return new SourceState(session, source, thread, source.role !== 'below' && !isLone);
  });
  let readBytes = 0;
  for (const source of sources) {
    await source.read(input, readBytes);
    readBytes += source.reader.sizeBytes;
  }
  linkAgents(session);
  setBranchesApart(session.threads.filter(({ isMain }) => isMain));
  session.forget();
  return {
    runs: runOf(session, ordered[0]?.reader ?? main),
    sources: sources.map((source) => source.account()),
    issues: issues.list(),
  };
}

/** The first thread is that of the run's first source, or of a sub-agent's that is here alone. */
function threadOf(session: Session, source: RunSource, isLone: boolean): Thread {
  const { reader, part, role, group } = source;
  const [trunk] = session.threads;
  if (role === 'next' && trunk !== undefined) return continuationOf(trunk, source);
  const agentId = role === 'below' && !isLone ? (group?.part ?? null) : null;
  const isMain = role !== 'below' || isLone;
  const thread = makeThread({ agentId, isMain, part, sha256: reader.sha256, offset: 0 });
  if (agentId !== null) session.threadsByKey.set(agentId, thread);
  return thread;
}

function runOf(session: Session, first: SourceReader): RunDraft[] {
  const streams = session.threads.map((thread) => thread.steps);
  session.aliases.apply(streams);
  const steps = orderSteps(streams);
  if (steps.length === 0) return [];
  const firstTurn = steps.find(({ kind }) => kind === 'user');
  const title = session.title?.text || firstTurn?.summary || first.name;
  return [
    {
      key: session.mainId ?? '0',
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
  readonly #isKnownBy: boolean;
  readonly #holdsSidechains: boolean;
  readonly #copies: Copies;
  readonly #numbers = new RecordNumbers();
  #hasBegun = false;

  constructor(session: Session, source: RunSource, thread: Thread, holdsSidechains: boolean) {
    const { reader, rank } = source;
    this.#session = session;
    this.reader = reader;
    this.#thread = thread;
    this.#isKnownBy = rank === 0;
    this.#holdsSidechains = holdsSidechains;
    this.#copies = new Copies(session, thread, source);
    this.ledger = new RecordLedger(reader.sha256);
  }

  account(): ImportResult['sources'][number] {
    const account = this.ledger.account();
    return this.#holdsSidechains ? { ...account, numbers: this.#numbers.list() } : account;
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
    for (const held of this.#copies.release()) this.#takeOwn(held);
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
    if (this.#isKnownBy) this.#session.mainId ??= textField(plain, 'sessionId');
    if (this.#holdsSidechains) this.#numbers.take(plain);
    await this.#take({ line, record, type });
  }

  async #take(read: HeldRecord): Promise<void> {
    const original = await this.#copies.find(read.record, read.line.text);
    if (original !== null) {
      for (const held of await this.#copies.settle(original)) {
        if (held.isCopy) this.ledger.take(held.line, REPEATED);
        else this.#takeOwn(held);
      }
      this.ledger.take(read.line, REPEATED);
      return;
    }
    if (this.#copies.holds(read)) return;
    if (read.type === 'user' || read.type === 'assistant') {
      for (const held of this.#copies.release()) this.#takeOwn(held);
    }
    this.#takeOwn(read);
  }

  #takeOwn({ line, record, type }: HeldRecord): void {
    openContinuation(this.#session, this.#thread, record);
    this.ledger.take(line, this.#readRecord(type, record));
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
