import { parseLooseJsonBytes } from '@misstep/json';
import type { Origin } from '@misstep/model';
import type { SourceHead } from '../importer.ts';
import { JsonPlace } from '../json-place.ts';
import { SetAside } from '../record-ledger.ts';
import type { TableRow } from './database.ts';
import { headerOf, SQLITE_MAGIC } from './database-file.ts';
import type { SourcePiece } from './database-row.ts';
import type { DatabaseSource } from './open-database.ts';

const OTHER_TABLE = new SetAside('a row of a table that holds no messages');

/** Rows of a table; none where there is no such table. */
export async function* rowsOf(
  { database }: DatabaseSource,
  name: string,
): AsyncGenerator<TableRow> {
  const table = database?.tables.get(name);
  if (database !== null && table !== undefined) yield* database.rows(table);
}

/** Rows of tables that the format doesn't read, so that every row is accounted for. */
export async function setAsideOtherTables(
  source: DatabaseSource,
  read: readonly string[],
  reasons: ReadonlyMap<string, SetAside> = new Map(),
): Promise<void> {
  for (const name of source.database?.tables.keys() ?? []) {
    if (read.includes(name)) continue;
    const reason = reasons.get(name) ?? OTHER_TABLE;
    for await (const row of rowsOf(source, name)) source.ledger.setAside(row.span, reason);
  }
}

export function originOfRow(row: TableRow): Origin {
  return { ...row.span, pointer: '' };
}

/** The document itself where it stands in one piece, so that pointers lead through it; else its row. */
export function originOfPlace(row: TableRow, place: JsonPlace): Origin {
  return place.view?.isInner === false ? place.origin() : originOfRow(row);
}

/** JSON that a column holds, as text or as bytes; null where it holds none. */
export async function jsonOf(
  source: DatabaseSource,
  row: TableRow,
  column: string,
): Promise<JsonPlace | null> {
  const value = await row.value(column);
  if (value?.kind !== 'text' && value?.kind !== 'blob') return null;
  const isUtf8 = value.kind === 'blob' || source.database?.file.header.encoding === 'utf-8';
  if (isUtf8) return placeOfBytes(originOfRow(row), value.bytes, value.pieces);
  const text = await row.text(column);
  return placeOfBytes(originOfRow(row), new TextEncoder().encode(text ?? ''), []);
}

/** A document of these bytes, which stand in the source in pieces or (without pieces) nowhere. */
export function placeOfBytes(
  carrier: Origin,
  bytes: Uint8Array,
  pieces: readonly SourcePiece[],
): JsonPlace | null {
  const parsed = parseLooseJsonBytes(bytes);
  if (!parsed.ok) return null;
  return JsonPlace.root({
    document: parsed.value,
    sha256: carrier.sha256,
    offset: carrier.offset,
    evidence: 'logged',
    scattered: { pieces, carrier },
  });
}

const STATEMENT = /CREATE (?=TABLE|INDEX|UNIQUE|TRIGGER|VIEW|VIRTUAL)/i;
const TABLE = /^TABLE (?:IF NOT EXISTS )?["'`[]?(\w{1,60})["'`\]]?\s*\(/i;

/**
 * Tables with the text of their columns that the beginning of a database shows, by name in lower
 * case; empty where it begins no database. Later pages may repeat such words in what people wrote:
 * good enough to choose a format by.
 */
export function tablesInHead(head: SourceHead): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  const header = headerOf(head.bytes);
  if (header === null || !head.text.startsWith(SQLITE_MAGIC)) return tables;
  // Statements are ASCII: in UTF-16 every other byte of them is nothing.
  const text = header.encoding === 'utf-8' ? head.text : head.text.replaceAll('\u0000', '');
  for (const statement of text.split(STATEMENT)) {
    const name = TABLE.exec(statement)?.[1]?.toLowerCase();
    if (name !== undefined && !tables.has(name)) tables.set(name, statement.slice(0, 4000));
  }
  return tables;
}
