import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonPlace } from '../json-place.ts';
import { runsOfSessions, Session } from '../linked-sessions.ts';
import { NO_CONTENT, REPEATED, SetAside } from '../record-ledger.ts';
import type { Moment } from '../run-writer.ts';
import { epochToNs } from '../source-time.ts';
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
import { addStoredMessage, type MessagePart } from './opencode/exported-message.ts';
import { addGoMessage } from './opencode-database/go-message.ts';

/** Databases of OpenCode, and of the older product of that name that became Crush. */
export const opencodeDatabase: Importer = {
  id: 'opencode-database',
  title: 'OpenCode or Crush database',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const FILES = new SetAside('a version of a file that the agent changed');
const NO_MESSAGES = new SetAside('a session without messages');
const NO_SESSION = 'a message of a session that is not in the database';
const NO_MESSAGE = 'a part of a message that is not in the database';

function sniff(head: SourceHead): number {
  const tables = tablesInHead(head);
  const isNew = tables.has('session') && tables.has('message') && tables.has('part');
  const isOld = tables.has('sessions') && /\bparts\b/i.test(tables.get('messages') ?? '');
  return isNew || isOld ? 0.97 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = await openDatabase(input);
  const isNew = source.database?.tables.has('session') === true;
  const names = isNew ? ['session', 'message', 'part'] : ['sessions', 'messages'];
  const sessions = new Map<string, Session>();
  const rows = new Map<string, TableRow>();
  for await (const row of rowsOf(source, names[0] ?? '')) {
    const id = await row.text('id');
    if (id === null) source.ledger.malformed(row.span, 'a session without an id');
    else if (rows.has(id)) source.ledger.setAside(row.span, REPEATED);
    else {
      const parentId = await row.text(isNew ? 'parent_id' : 'parent_session_id');
      const version = isNew ? await row.text('version') : null;
      const client = version === null ? 'OpenCode' : `OpenCode ${version}`;
      const facts = { id, parentId, title: await row.text('title'), client };
      sessions.set(id, new Session(facts, input.main, source.issues));
      rows.set(id, row);
    }
  }
  if (isNew) await readMessages(source, sessions);
  else await readGoMessages(source, sessions);
  for (const [id, row] of rows) {
    const isUsed = (sessions.get(id)?.writer.steps.length ?? 0) > 0;
    source.ledger.take(row.span, isUsed ? null : NO_MESSAGES);
  }
  await setAsideOtherTables(source, names, new Map([['files', FILES]]));
  const { ledger, issues } = source;
  const runs = runsOfSessions(sessions, input.main.name);
  return { runs, sources: ledger.accounts(), issues: issues.list() };
}

/** Ids sort by time, also where rows were written anew. */
async function sortedRows(source: DatabaseSource, name: string): Promise<[string, TableRow][]> {
  const rows: [string, TableRow][] = [];
  for await (const row of rowsOf(source, name)) {
    const id = await row.text('id');
    if (id === null) source.ledger.malformed(row.span, 'a row without an id');
    else rows.push([id, row]);
  }
  return rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

interface StoredPart extends MessagePart {
  readonly row: TableRow;
}

async function readMessages(
  source: DatabaseSource,
  sessions: ReadonlyMap<string, Session>,
): Promise<void> {
  const { ledger } = source;
  const partRows = new Map<string, TableRow[]>();
  for (const [, row] of await sortedRows(source, 'part')) {
    const owner = (await row.text('message_id')) ?? '';
    const known = partRows.get(owner);
    if (known === undefined) partRows.set(owner, [row]);
    else known.push(row);
  }
  for (const [id, row] of await sortedRows(source, 'message')) {
    const session = sessions.get((await row.text('session_id')) ?? '');
    const info = session === undefined ? null : await jsonOf(source, row, 'data');
    if (session === undefined) {
      ledger.notUnderstood(row.span, NO_SESSION);
      continue;
    }
    const parts = await readParts(source, partRows.get(id) ?? []);
    partRows.delete(id);
    if (info === null) ledger.malformed(row.span, 'a message that is no JSON');
    else {
      session.writer.idOffset = idNumberOf(id);
      const fate = addStoredMessage(session.writer, {
        record: originOfPlace(row, info),
        id,
        info,
        parts,
        onTask: (step, child) => session.tasks.set(child, step),
      });
      ledger.take(row.span, fate);
    }
    for (const part of parts) ledger.take(part.row.span, info === null ? NO_MESSAGE : null);
  }
  for (const rest of partRows.values()) {
    for (const row of rest) ledger.notUnderstood(row.span, NO_MESSAGE);
  }
}

async function readParts(source: DatabaseSource, rows: readonly TableRow[]): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  for (const row of rows) {
    const place = await jsonOf(source, row, 'data');
    if (place === null) source.ledger.malformed(row.span, 'a part that is no JSON');
    else parts.push({ place, record: originOfPlace(row, place), row });
  }
  return parts;
}

async function readGoMessages(
  source: DatabaseSource,
  sessions: ReadonlyMap<string, Session>,
): Promise<void> {
  const { ledger } = source;
  for await (const row of rowsOf(source, 'messages')) {
    const session = sessions.get((await row.text('session_id')) ?? '');
    const id = await row.text('id');
    const parts: JsonPlace | null = await jsonOf(source, row, 'parts');
    if (session === undefined) ledger.notUnderstood(row.span, NO_SESSION);
    else if (parts === null) ledger.malformed(row.span, 'a message that is no JSON');
    else {
      session.writer.idOffset = idNumberOf(id ?? String(row.rowid));
      const fate = addGoMessage(session.writer, {
        record: originOfPlace(row, parts),
        id,
        role: (await row.text('role')) ?? '',
        model: await row.text('model'),
        at: momentOf(await row.text('created_at')),
        end: momentOf(await row.text('finished_at')),
        parts,
      });
      ledger.take(row.span, parts.items().length === 0 ? NO_CONTENT : fate);
    }
  }
}

function momentOf(text: string | null): Moment | null {
  const ns = text === null ? null : epochToNs(text);
  return ns === null || text === null ? null : { clock: 'zoned', ns, text };
}
