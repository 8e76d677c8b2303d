import type { SourceSpan } from '../record-ledger.ts';
import type { DatabaseFile } from './database-file.ts';
import { type RowCell, readTablePage, type TableKind } from './database-page.ts';
import { DatabaseRow, type DatabaseValue } from './database-row.ts';
import { columnsOf, type TableColumns } from './table-columns.ts';

export interface DatabaseTable extends TableColumns {
  readonly name: string;
  readonly rootPage: number;
}

/** Is told of every piece of the file that can't be read. */
export type OnDamage = (span: SourceSpan, reason: string) => void;

const DECODERS = {
  'utf-8': new TextDecoder('utf-8', { ignoreBOM: true }),
  'utf-16le': new TextDecoder('utf-16le', { ignoreBOM: true }),
  'utf-16be': new TextDecoder('utf-16be', { ignoreBOM: true }),
};

/** Tables of a SQLite file, read by its own format: nothing in it is run. */
export class Database {
  readonly file: DatabaseFile;
  /** By name in lower case. Virtual tables are left out. */
  readonly tables: ReadonlyMap<string, DatabaseTable>;
  readonly #onDamage: OnDamage;

  private constructor(
    file: DatabaseFile,
    tables: ReadonlyMap<string, DatabaseTable>,
    onDamage: OnDamage,
  ) {
    this.file = file;
    this.tables = tables;
    this.#onDamage = onDamage;
  }

  static async open(file: DatabaseFile, onDamage: OnDamage): Promise<Database> {
    const tables = new Map<string, DatabaseTable>();
    for await (const row of rowsBelow(file, { rootPage: 1, kind: 'rowid' }, onDamage)) {
      const [kind, name, , root, sql] = await Promise.all(
        [0, 1, 2, 3, 4].map((at) => row.value(at)),
      );
      const table = textOf(kind, file) === 'table' ? (textOf(name, file) ?? '') : '';
      const columns = table === '' ? null : columnsOf(textOf(sql, file) ?? '');
      if (columns === null || root?.kind !== 'integer' || table.startsWith('sqlite_')) continue;
      tables.set(table.toLowerCase(), { ...columns, name: table, rootPage: Number(root.integer) });
    }
    return new Database(file, tables, onDamage);
  }

  /** Every row of a table, in the order of rowids, or of its primary key. */
  async *rows(table: DatabaseTable): AsyncGenerator<TableRow> {
    for await (const row of rowsBelow(this.file, table, this.#onDamage)) {
      yield new TableRow(row, table, this.file);
    }
  }
}

/** A row whose columns have names. */
export class TableRow {
  readonly rowid: bigint | null;
  readonly span: SourceSpan;
  readonly #row: DatabaseRow;
  readonly #table: DatabaseTable;
  readonly #file: DatabaseFile;

  constructor(row: DatabaseRow, table: DatabaseTable, file: DatabaseFile) {
    this.#row = row;
    this.#table = table;
    this.#file = file;
    this.rowid = row.rowid;
    this.span = row.span;
  }

  /** Null where the row is damaged or the table has no such column. */
  async value(column: string): Promise<DatabaseValue | null> {
    const at = this.#table.names.indexOf(column);
    if (at < 0) return null;
    if (at === this.#table.rowidColumn && this.rowid !== null) {
      return { kind: 'integer', integer: this.rowid };
    }
    return this.#row.value(this.#table.stored[at] ?? at);
  }

  /** Text; whole numbers as they are written. Null for anything else. */
  async text(column: string): Promise<string | null> {
    const value = await this.value(column);
    return value?.kind === 'integer' ? String(value.integer) : textOf(value, this.#file);
  }
}

function textOf(value: DatabaseValue | null | undefined, file: DatabaseFile): string | null {
  return value?.kind === 'text' ? DECODERS[file.header.encoding].decode(value.bytes) : null;
}

async function* rowsBelow(
  file: DatabaseFile,
  { rootPage, kind }: { readonly rootPage: number; readonly kind: TableKind },
  onDamage: OnDamage,
): AsyncGenerator<DatabaseRow> {
  // A page that is met twice would go round for ever.
  const seen = new Set<number>();
  const start: SourceSpan = { sha256: file.reader.sha256, offset: 0, length: 1 };
  /** The next one last. */
  const waiting: (RowCell | { readonly child: number; readonly from: SourceSpan })[] = [
    { child: rootPage, from: start },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!('child' in next)) {
      yield new DatabaseRow(file, next);
      continue;
    }
    const { child, from } = next;
    const page = seen.has(child) ? null : await file.page(child);
    seen.add(child);
    if (page === null) {
      onDamage(from, 'leads to a page that is not in the file');
      continue;
    }
    const span = { sha256: page.sha256, offset: page.offset, length: page.bytes.length };
    const read = readTablePage(page, file.header, kind);
    if (read === null) {
      onDamage(span, 'no page of a table');
      continue;
    }
    for (let count = 0; count < read.damaged; count += 1) onDamage(span, 'a damaged cell');
    for (const entry of read.entries.toReversed()) {
      waiting.push('child' in entry ? { child: entry.child, from: span } : entry);
    }
  }
}
