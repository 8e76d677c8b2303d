import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { type JsonOutline, outlineOf } from '../json-outline.ts';
import type { JsonPlace } from '../json-place.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { field, isObject, textField } from '../plain-fields.ts';
import { type JsonSource, readJsonDocument, readJsonLines, resultOf } from '../read-json-source.ts';
import { type RecordLedger, SetAside } from '../record-ledger.ts';
import { draftOf, type Moment, momentAt, RunWriter } from '../run-writer.ts';
import { makeSourceHead } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addChatMessage, type ChatMessage } from './gemini-cli/chat-message.ts';
import { addHistoryEntry } from './gemini-cli/checkpoint.ts';

/** Chats that Gemini CLI keeps (a document, or a log of changes), and saved checkpoints. */
export const geminiCli: Importer = {
  id: 'gemini-cli',
  title: 'Gemini CLI chat',
  evidence: 'logged',
  revision: 6,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  if (isChatLog(head)) return 0.9;
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const { paths } = outline;
  if (paths.has('messages[]') && paths.has('sessionId') && paths.has('projectHash')) return 0.95;
  if (isHistory(outline, '[]') || isHistory(outline, 'history[]')) return 0.85;
  return 0;
}

function isHistory({ paths, strings }: JsonOutline, path: string): boolean {
  const roles = strings.get(`${path}.role`) ?? [];
  const known = roles.filter((role) => role === 'user' || role === 'model').length;
  return known > roles.length * 0.7 && paths.has(`${path}.parts[]`);
}

/** A head of the chat among the first lines, with messages or changes behind it; or those without it. */
function isChatLog({ lineValues }: SourceHead): boolean {
  const isHead = (value: unknown): boolean =>
    textField(value, 'sessionId') !== null &&
    textField(value, 'projectHash') !== null &&
    field(value, 'messages') === undefined;
  if (lineValues.slice(0, 5).some(isHead)) return true;
  const isAnswer = (value: unknown): boolean =>
    textField(value, 'type') === 'gemini' &&
    textField(value, 'id') !== null &&
    field(value, 'content') !== undefined;
  const isChange = (value: unknown): boolean =>
    isObject(field(value, '$set')) || textField(value, '$rewindTo') !== null;
  return (
    lineValues.some(isAnswer) &&
    (lineValues.some(isChange) || lineValues.filter(isAnswer).length > 1)
  );
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const chat = new Chat(new RunWriter(input.main, source.issues, 'logged'));
  if (isChatLog(await makeSourceHead(input.main))) await readLog(source, input, chat);
  else {
    const root = await readJsonDocument(source, input);
    if (root !== null) readDocument(source, root, chat);
  }
  const { writer } = chat;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: chat.sessionId ?? '0',
    title: chat.summary,
    client: 'Gemini CLI',
    model: writer.model,
    naturalId: chat.sessionId,
    clock: writer.clock,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

class Chat {
  readonly writer: RunWriter;
  sessionId: string | null = null;
  summary: string | null = null;
  #before: Moment | null = null;

  constructor(writer: RunWriter) {
    this.writer = writer;
  }

  readHead(head: JsonPlace): void {
    this.sessionId ??= head.get('sessionId').text();
    this.summary = head.get('summary').text() ?? this.summary;
  }

  add(message: ChatMessage): string | null {
    const reason = addChatMessage(this.writer, message, this.#before);
    for (const call of message.last.get('toolCalls').items()) {
      this.#before = momentAt(call.get('timestamp')) ?? this.#before;
    }
    const own = momentAt(message.last.get('timestamp'));
    const isLater = own !== null && (this.#before === null || own.ns >= this.#before.ns);
    if (isLater) this.#before = own;
    return reason;
  }
}

function readDocument(source: JsonSource, root: JsonPlace, chat: Chat): void {
  chat.readHead(root);
  const messages = root.get('messages');
  if (messages.kind === 'array') {
    accountFor(source, root, messages, (message) =>
      chat.add({ first: message, last: message, record: message }),
    );
    return;
  }
  const named = root.get('clientHistory');
  const history = root.get('history');
  const entries = root.kind === 'array' ? root : history.kind === 'array' ? history : named;
  accountFor(source, root, entries, (entry) => addHistoryEntry(chat.writer, entry));
}

/**
 * A later line with a known id replaces the message: the steps are made at the end, from the last
 * one, with the id of the first. What a rewind took back did happen, so it stays, and is told.
 */
async function readLog(source: JsonSource, input: ImportInput, chat: Chat): Promise<void> {
  const log = new ChatLog(source.ledger);
  await readJsonLines(
    source,
    input,
    () => log.entries.length,
    (record) => {
      if (record.get('$rewindTo').isThere) {
        log.entries.push({ rewind: record });
        return null;
      }
      const set = record.get('$set');
      if (set.isThere) {
        chat.readHead(set);
        // A checkpoint says all messages again.
        const messages = set.get('messages').items();
        for (const message of messages) log.put(message, record);
        const tells = set.get('summary').isThere || set.get('sessionId').isThere;
        return messages.length > 0 || tells ? null : LIST_ONLY;
      }
      const type = record.get('type').text();
      if (type === null) {
        chat.readHead(record);
        return record.get('sessionId').isThere ? null : 'a record without a type';
      }
      if (!KNOWN_TYPES.has(type)) return 'an unknown message type';
      return log.put(record, record) ? null : EARLIER;
    },
  );
  for (const entry of log.entries) {
    if ('message' in entry) chat.add(entry.message);
    else {
      const text = entry.rewind.get('$rewindTo').text() ?? '';
      chat.writer.note(entry.rewind.origin(), null, 'Rewound', [], `to before message ${text}`);
    }
  }
}

const LIST_ONLY = new SetAside('a change to what the list of chats shows');
const EARLIER = new SetAside('an earlier state of a message that later grew');

class ChatLog {
  readonly #ledger: RecordLedger;
  readonly entries: ({ message: ChatMessage } | { rewind: JsonPlace })[] = [];
  readonly #places = new Map<string, number>();

  constructor(ledger: RecordLedger) {
    this.#ledger = ledger;
  }

  /**
   * Replaces the message with this id, or adds it. `record` is the line that it stands in. False where
   * the message is known with more calls: messages only grow, so this is an older state of it.
   */
  put(message: JsonPlace, record: JsonPlace): boolean {
    const id = message.get('id').text();
    const known = id === null ? undefined : this.#places.get(id);
    const earlier = known === undefined ? undefined : this.entries[known];
    if (known !== undefined && earlier !== undefined && 'message' in earlier) {
      const { first, last } = earlier.message;
      if (callsIn(message) < callsIn(last)) return false;
      // Of the lines that a message grew through, the first gives its place and the last what it says.
      if (last !== first && last === earlier.message.record) {
        this.#ledger.setAsideLate(last.origin(), EARLIER);
      }
      this.entries[known] = { message: { first, last: message, record } };
      return true;
    }
    if (id !== null) this.#places.set(id, this.entries.length);
    this.entries.push({ message: { first: message, last: message, record } });
    return true;
  }
}

function callsIn(message: JsonPlace): number {
  return message.get('toolCalls').items().length;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(['user', 'gemini', 'info', 'error', 'warning']);
