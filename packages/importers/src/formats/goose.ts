import { type Origin, readUsd } from '@misstep/model';
import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import { jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { countField, field, textField } from '../plain-fields.ts';
import { readJsonLines, resultOf } from '../read-json-source.ts';
import { NO_CONTENT, REPEATED, SetAside } from '../record-ledger.ts';
import { draftOf, type Moment, momentAt, RunWriter } from '../run-writer.ts';
import { epochToNs } from '../source-time.ts';
import type { TableRow } from '../sqlite/database.ts';
import { headerOf } from '../sqlite/database-file.ts';
import {
  jsonOf,
  originOfPlace,
  rowsOf,
  setAsideOtherTables,
  tablesInHead,
} from '../sqlite/database-source.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { idNumberOf } from '../step-ids.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addGooseMessage } from './goose/message.ts';

/** Sessions of Goose: its database, and the files of older versions. */
export const goose: Importer = {
  id: 'goose',
  title: 'Goose sessions',
  evidence: 'logged',
  revision: 5,
  sniff,
  read,
};

const NO_MESSAGES = new SetAside('a session without messages');
const SUMS = new SetAside('sums of tokens, not of any one message');
const OWN_BLOCK = /^(?:toolRequest|toolResponse|frontendToolRequest|toolConfirmationRequest)$/;

function sniff(head: SourceHead): number {
  if (/\bcontent_json\b/.test(tablesInHead(head).get('messages') ?? '')) return 0.97;
  const [first, ...rest] = head.lineValues;
  const isHeader =
    textField(first, 'working_dir') !== null &&
    (field(first, 'message_count') !== undefined || field(first, 'description') !== undefined);
  const messages = isHeader ? rest : head.lineValues;
  const dated = messages.filter(
    (each) => countField(each, 'created') !== null && textField(each, 'role') !== null,
  );
  if (isHeader && (messages.length === 0 || dated.length > 0)) return 0.97;
  const types = dated.flatMap((each) => {
    const content = field(each, 'content');
    return Array.isArray(content) ? content.map((block) => textField(block, 'type') ?? '') : [];
  });
  return types.some((type) => OWN_BLOCK.test(type)) ? 0.96 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const header = headerOf(await input.main.read(0, Math.min(100, input.main.sizeBytes)));
  return header === null ? readSessionFile(input) : readDatabase(input);
}

async function readSessionFile(input: ImportInput): Promise<ImportResult> {
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  let title: string | null = null;
  await readJsonLines(
    source,
    input,
    () => writer.steps.length,
    (record) => {
      if (!record.get('role').isThere && record.get('working_dir').isThere) {
        title ??= record.get('description').text();
        return null;
      }
      return addGooseMessage(writer, {
        record: record.origin(),
        id: record.get('id').text(),
        role: record.get('role').text() ?? '',
        at: momentAt(record.get('created')),
        content: record.get('content'),
        metadata: record.get('metadata'),
      });
    },
  );
  const draft = draftOf(orderSteps([writer.steps]), {
    key: '0',
    title,
    client: 'Goose',
    model: writer.model,
    naturalId: null,
    clock: writer.clock,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

interface Session {
  readonly row: TableRow;
  readonly writer: RunWriter;
  readonly title: string | null;
}

async function readDatabase(input: ImportInput): Promise<ImportResult> {
  const source = await openDatabase(input);
  const { ledger, issues } = source;
  const sessions = new Map<string, Session>();
  for await (const row of rowsOf(source, 'sessions')) {
    const id = await row.text('id');
    if (id === null) ledger.malformed(row.span, 'a session without an id');
    else if (sessions.has(id)) ledger.setAside(row.span, REPEATED);
    else {
      const writer = new RunWriter(input.main, issues, 'logged');
      const config = await jsonOf(source, row, 'model_config_json');
      writer.model = config?.get('model_name').text() ?? null;
      const title = (await row.text('name')) || (await row.text('description'));
      sessions.set(id, { row, writer, title });
    }
  }
  for await (const row of rowsOf(source, 'messages')) {
    const session = sessions.get((await row.text('session_id')) ?? '');
    const content = session === undefined ? null : await jsonOf(source, row, 'content_json');
    if (session === undefined) {
      ledger.notUnderstood(row.span, 'a message of a session that is not in the database');
    } else if (content === null) ledger.malformed(row.span, 'a message that is no JSON');
    else {
      const id = (await row.text('message_id')) ?? (await row.text('id'));
      session.writer.idOffset = idNumberOf(id ?? String(row.rowid));
      const fate = addGooseMessage(session.writer, {
        record: originOfPlace(row, content),
        id,
        role: (await row.text('role')) ?? '',
        at: momentOf(await row.text('created_timestamp')),
        content,
        metadata: await jsonOf(source, row, 'metadata_json'),
      });
      ledger.take(row.span, content.items().length === 0 ? NO_CONTENT : fate);
    }
  }
  const runs: RunDraft[] = [];
  for (const [id, { row, writer, title }] of sessions) {
    ledger.take(row.span, writer.steps.length > 0 ? null : NO_MESSAGES);
    const origin = { ...row.span, pointer: '' };
    if (writer.steps.length > 0) {
      writer.idOffset = idNumberOf(`totals of ${id}`);
      addTotals(
        writer,
        origin,
        await numberOf(row, 'accumulated_input_tokens'),
        await numberOf(row, 'accumulated_output_tokens'),
      );
    }
    const cost = await numberOf(row, 'accumulated_cost');
    const draft = draftOf(orderSteps([writer.steps]), {
      key: id,
      title,
      client: 'Goose',
      model: writer.model,
      naturalId: id,
      clock: writer.clock,
      sourceName: input.main.name,
      recordedCostUsd: cost === null || readUsd(cost) === null ? null : cost,
    });
    if (draft !== null) runs.push(draft);
  }
  await setAsideOtherTables(source, ['sessions', 'messages'], new Map([['usage_ledger', SUMS]]));
  return { runs, sources: ledger.accounts(), issues: issues.list() };
}

/** A number as it is written; null where there is none, or no such column. */
async function numberOf(row: TableRow, column: string): Promise<string | null> {
  const value = await row.value(column);
  if (value?.kind === 'integer') return String(value.integer);
  return value?.kind === 'real' && Number.isFinite(value.real) ? String(value.real) : null;
}

/**
 * Goose counts the tokens of a session and not those of its messages. Their model is left open: a price
 * that goes by the size of a call can't be had from a sum.
 */
function addTotals(
  writer: RunWriter,
  origin: Origin,
  input: string | null,
  output: string | null,
): void {
  const inputTokens = tokensOf(input);
  const outputTokens = tokensOf(output);
  if (inputTokens === null && outputTokens === null) return;
  writer.turn = null;
  writer.step(origin, null, {
    kind: 'note',
    name: 'Tokens of the whole session',
    summary: 'as Goose counts them; its messages tell none',
    usage: {
      inputTokens,
      outputTokens,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      inputExcludesCache: false,
    },
  });
}

function tokensOf(written: string | null): number | null {
  const count = Number(written ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Whole seconds. */
function momentOf(text: string | null): Moment | null {
  const ns = text === null ? null : epochToNs(text);
  return ns === null || text === null ? null : { clock: 'zoned', ns, text };
}
