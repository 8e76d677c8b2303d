import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import type { JsonPlace } from '../json-place.ts';
import { runsOfSessions, Session } from '../linked-sessions.ts';
import { orderSteps } from '../order-steps.ts';
import { counted, NO_CONTENT, REPEATED, SetAside } from '../record-ledger.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import type { TableRow } from '../sqlite/database.ts';
import {
  jsonOf,
  originOfPlace,
  rowsOf,
  setAsideOtherTables,
  tablesInHead,
} from '../sqlite/database-source.ts';
import { type DatabaseSource, openDatabase } from '../sqlite/open-database.ts';
import { idNumberOf } from '../step-ids.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addBubble } from './cursor-database/bubble.ts';
import { readVscodeChats, VSCODE_CHATS, VSCODE_INDEX } from './cursor-database/vscode-chats.ts';

/** Conversations as Cursor keeps them, and VS Code did: `state.vscdb`, a key-value store in SQLite. */
export const cursorDatabase: Importer = {
  id: 'cursor-database',
  title: 'Cursor or VS Code state database',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const TABLE = 'cursordiskkv';
const OTHER_KEY = new SetAside('what the editor keeps besides conversations');
const INDEX = new SetAside('a list of chats that are files of their own');
const NO_VALUE = new SetAside('a key without a value');
const NO_MESSAGES = new SetAside('a conversation without messages');
const NOT_LISTED = new SetAside('an entry that no conversation lists');
const BUBBLE = /^bubbleId:([^:]+):(.+)$/;
const CONVERSATION = /^composerData:(.+)$/;
const CHAT_PANEL = 'workbench.panel.aichat.view.aichat.chatdata';

/** The tables that every editor of this family has score lower: it may hold no conversations. */
function sniff(head: SourceHead): number {
  const tables = tablesInHead(head);
  if (tables.has(TABLE)) return 0.97;
  return tables.has('itemtable') ? 0.9 : 0;
}

interface Rows {
  readonly conversations: Map<string, TableRow>;
  /** By conversation and by the bubble's own id. */
  readonly bubbles: Map<string, Map<string, TableRow>>;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = await openDatabase(input);
  const runs: RunDraft[] = [];
  const { conversations, bubbles } = await collectRows(source);
  const sessions = new Map<string, Session>();
  for (const [id, row] of conversations) {
    input.signal?.throwIfAborted();
    const session = await readConversation(input, source, { id, row, bubbles: bubbles.get(id) });
    if (session !== null) sessions.set(id, session);
    input.onProgress?.({
      readBytes: input.main.sizeBytes,
      records: source.ledger.total,
      steps: sessions.size,
    });
  }
  runs.push(...runsOfSessions(sessions, input.main.name));
  for (const rest of bubbles.values()) {
    for (const row of rest.values()) source.ledger.setAside(row.span, NOT_LISTED);
  }
  for await (const row of rowsOf(source, 'itemtable')) {
    const key = await row.text('key');
    if (key === CHAT_PANEL) runs.push(...(await readChatPanel(input, source, row)));
    else if (key === VSCODE_CHATS) runs.push(...(await readChatsOfVscode(input, source, row)));
    else if (key === VSCODE_INDEX) await tellIndex(source, row);
    else source.ledger.setAside(row.span, OTHER_KEY);
  }
  await setAsideOtherTables(source, [TABLE, 'itemtable']);
  return { runs, sources: source.ledger.accounts(), issues: source.issues.list() };
}

/** Only keys are read: a row knows where its value is. */
async function collectRows(source: DatabaseSource): Promise<Rows> {
  const rows: Rows = { conversations: new Map(), bubbles: new Map() };
  for await (const row of rowsOf(source, TABLE)) {
    const key = await row.text('key');
    const [, conversation] = CONVERSATION.exec(key ?? '') ?? [];
    const [, owner, bubble] = BUBBLE.exec(key ?? '') ?? [];
    if (key === null) source.ledger.malformed(row.span, "a key that can't be read");
    else if (conversation !== undefined) keep(source, rows.conversations, conversation, row);
    else if (owner !== undefined && bubble !== undefined) {
      const known = rows.bubbles.get(owner) ?? new Map<string, TableRow>();
      rows.bubbles.set(owner, known);
      keep(source, known, bubble, row);
    } else source.ledger.setAside(row.span, OTHER_KEY);
  }
  return rows;
}

/** Keys stand once; where one doesn't, the last counts, as it would in the editor. */
function keep(
  { ledger }: DatabaseSource,
  rows: Map<string, TableRow>,
  key: string,
  row: TableRow,
): void {
  const before = rows.get(key);
  if (before !== undefined) ledger.setAside(before.span, REPEATED);
  rows.set(key, row);
}

interface Conversation {
  readonly id: string;
  readonly row: TableRow;
  readonly bubbles: Map<string, TableRow> | undefined;
}

async function readConversation(
  { main }: ImportInput,
  source: DatabaseSource,
  { id, row, bubbles = new Map() }: Conversation,
): Promise<Session | null> {
  const { ledger, issues } = source;
  const data = await readJson(source, row);
  if (data === null) return null;
  const started = data.get('subagentInfo');
  const session = new Session(
    {
      id,
      parentId: started.get('parentComposerId').text(),
      startedBy: started.get('toolCallId').text(),
      title: data.get('name').text() || started.get('subagentTypeName').text(),
      client: 'Cursor',
    },
    main,
    issues,
  );
  const { writer } = session;
  writer.model = data.get('modelConfig').get('modelName').text();
  for (const header of data.get('fullConversationHeadersOnly').items()) {
    const bubbleId = header.get('bubbleId').text() ?? '';
    const bubble = bubbles.get(bubbleId);
    if (bubble === undefined) {
      const sentence = (count: number): string =>
        `${counted(count, 'message')} that a conversation lists and the database doesn't hold.`;
      issues.count('MESSAGE_MISSING', sentence, row.span.sha256, row.span.offset);
      continue;
    }
    bubbles.delete(bubbleId);
    const place = await readJson(source, bubble);
    if (place === null) continue;
    writer.idOffset = idNumberOf(bubbleId);
    ledger.take(bubble.span, addBubble(writer, originOfPlace(bubble, place), place));
  }
  // Before the entries had rows of their own, the conversation held them.
  for (const [index, bubble] of data.get('conversation').items().entries()) {
    writer.idOffset = idNumberOf(bubble.get('bubbleId').text() ?? String(index));
    addBubble(writer, originOfPlace(row, data), bubble);
  }
  ledger.take(row.span, writer.steps.length > 0 ? null : NO_MESSAGES);
  return session;
}

/** The value of a key as JSON; null where it is none, which is then accounted for. */
async function readJson(source: DatabaseSource, row: TableRow): Promise<JsonPlace | null> {
  const value = await row.value('value');
  const place = value?.kind === 'null' ? null : await jsonOf(source, row, 'value');
  if (value?.kind === 'null') source.ledger.setAside(row.span, NO_VALUE);
  else if (place === null) source.ledger.malformed(row.span, 'a value that is no JSON');
  return place;
}

async function readChatsOfVscode(
  input: ImportInput,
  source: DatabaseSource,
  row: TableRow,
): Promise<RunDraft[]> {
  const data = await readJson(source, row);
  if (data === null) return [];
  const { runs, fate } = readVscodeChats(input, source, data);
  source.ledger.take(row.span, fate);
  return runs;
}

/** The chats themselves are files, which people who look for them here don't know. */
async function tellIndex(source: DatabaseSource, row: TableRow): Promise<void> {
  const data = await readJson(source, row);
  if (data === null) return;
  source.ledger.setAside(row.span, INDEX);
  const count = data.get('entries').entries().size;
  if (count === 0) return;
  source.issues.add(
    'CHATS_IN_FILES',
    `This database lists ${counted(count, 'chat')} of VS Code; what was said stands in the folder chatSessions beside it. Import that.`,
    row.span.sha256,
    row.span.offset,
  );
}

/** The chat panel that Cursor had before: tabs of bubbles under one key. */
async function readChatPanel(
  { main }: ImportInput,
  source: DatabaseSource,
  row: TableRow,
): Promise<RunDraft[]> {
  const { issues, ledger } = source;
  const data = await readJson(source, row);
  if (data === null) return [];
  const runs: RunDraft[] = [];
  for (const [tabIndex, tab] of data.get('tabs').items().entries()) {
    const writer = new RunWriter(main, issues, 'logged');
    const id = tab.get('tabId').text() ?? `tab ${tabIndex + 1}`;
    for (const [index, bubble] of tab.get('bubbles').items().entries()) {
      writer.idOffset = idNumberOf(`${id} ${index}`);
      addBubble(writer, originOfPlace(row, data), bubble);
    }
    const draft = draftOf(orderSteps([writer.steps]), {
      key: id,
      title: tab.get('chatTitle').text(),
      client: 'Cursor',
      model: writer.model,
      naturalId: tab.get('tabId').text(),
      clock: writer.clock,
      sourceName: main.name,
    });
    if (draft !== null) runs.push(draft);
  }
  ledger.take(row.span, runs.length > 0 ? null : NO_CONTENT);
  return runs;
}
