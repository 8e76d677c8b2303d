import type { ImportInput, SourceHead, SourceReader } from '../importer.ts';
import { counted, IssueList, SetAside } from '../record-ledger.ts';
import { headFromBytes } from '../source-head.ts';
import { Database } from './database.ts';
import { DatabaseFile, type DatabaseHeader, HEADER_BYTES, headerOf } from './database-file.ts';
import { RowLedger } from './row-ledger.ts';
import { beginsLog, readWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts';

/** A database that is being imported. */
export interface DatabaseSource {
  /** Null where the file is no database; that is accounted for. */
  readonly database: Database | null;
  readonly ledger: RowLedger;
  readonly issues: IssueList;
}

const REWRITTEN = new SetAside('a page as it was before the log wrote it again');
const UNFINISHED = new SetAside('a page of a change that was not finished');
const OTHER_STATE = new SetAside('a state of the log of which another file here holds more');
const STALE = new SetAside('what an earlier log left at the end of the file');

/** The database with the log that was given along with it, if one was. */
export async function openDatabase(input: ImportInput): Promise<DatabaseSource> {
  const { main, signal } = input;
  signal?.throwIfAborted();
  const readers = input.companions.map(({ reader }) => reader);
  const ledger = new RowLedger([main.sha256, ...readers.map(({ sha256 }) => sha256)]);
  const issues = new IssueList();
  const { beside, log } = await fullestLog(readers, signal);
  for (const { sha256, sizeBytes } of readers) {
    if (sha256 === beside?.sha256 || sizeBytes === 0) continue;
    ledger.setAside({ sha256, offset: 0, length: sizeBytes }, OTHER_STATE);
  }
  const header = await headerWith(main, log);
  if (header === null) {
    if (main.sizeBytes > 0) {
      const span = { sha256: main.sha256, offset: 0, length: main.sizeBytes };
      ledger.malformed(span, 'no SQLite database');
    }
    if (beside !== undefined) tellLog({ ledger, issues }, beside, null);
    return { database: null, ledger, issues };
  }
  const fits = log?.pageBytes === header.pageBytes ? log : null;
  if (beside !== undefined) tellLog({ ledger, issues }, beside, fits);
  else if (header.usesLog) {
    issues.add(
      'DATABASE_LOG_NOT_READ',
      'While its program runs, this database keeps what was written last in a file beside it (named "-wal"), which was not given. If there is one, import both together.',
      main.sha256,
      18,
    );
  }
  const database = await Database.open(
    new DatabaseFile(main, header, { signal, log: fits }),
    (span, reason) => {
      ledger.malformed(span, reason);
      issues.count(
        'DATABASE_DAMAGED',
        (count) => `${counted(count, 'place')} in the database can't be read; the rest is.`,
        span.sha256,
        span.offset,
      );
    },
  );
  return { database, ledger, issues };
}

/**
 * The log to read the database with. Of several states of one log (a copy that was taken while its program
 * wrote, or was damaged on the way) that which most can be read of.
 */
async function fullestLog(
  readers: readonly SourceReader[],
  signal: AbortSignal | undefined,
): Promise<{ beside: SourceReader | undefined; log: WriteAheadLog | null }> {
  const [first] = readers;
  let best = {
    beside: first,
    log: first === undefined ? null : await readWriteAheadLog(first, signal),
  };
  for (const beside of readers.slice(1)) {
    const log = await readWriteAheadLog(beside, signal);
    if (log === null) continue;
    const isState = best.log === null || log.salt === best.log.salt;
    if (isState && log.frameCount > (best.log?.frameCount ?? -1)) best = { beside, log };
  }
  return best;
}

/** What the log holds besides pages of the database, and what of it can't be used. */
function tellLog(
  { ledger, issues }: Pick<DatabaseSource, 'ledger' | 'issues'>,
  { sha256, sizeBytes }: SourceReader,
  log: WriteAheadLog | null,
): void {
  if (log === null) {
    if (sizeBytes === 0) return;
    ledger.malformed({ sha256, offset: 0, length: sizeBytes }, 'no log of this database');
    issues.add(
      'DATABASE_LOG_REFUSED',
      'The file beside the database is damaged, or the log of another one: the database was read without it.',
      sha256,
      0,
    );
    return;
  }
  for (const { span, why } of log.left) {
    const at = { sha256, ...span };
    if (why === 'rewritten') ledger.setAside(at, REWRITTEN);
    else if (why === 'stale') ledger.setAside(at, STALE);
    else if (why === 'unfinished') {
      ledger.setAside(at, UNFINISHED);
      issues.count(
        'DATABASE_LOG_UNFINISHED',
        (count) => `${counted(count, 'page')} of a change that was not finished: left out.`,
        sha256,
        span.offset,
      );
    } else {
      ledger.malformed(at, 'a part of the log that is cut or damaged');
      issues.add(
        'DATABASE_LOG_DAMAGED',
        'The log of the database is cut or damaged from here on: what it held was left out.',
        sha256,
        span.offset,
      );
    }
  }
}

/** The first page may be in the log, with what the database says of itself. */
async function headerWith(
  main: SourceReader,
  log: WriteAheadLog | null,
): Promise<DatabaseHeader | null> {
  const first = log?.pages.get(1);
  const newest =
    log === null || first === undefined
      ? null
      : headerOf(await log.reader.read(first, HEADER_BYTES));
  if (newest !== null && (main.sizeBytes === 0 || newest.pageBytes === log?.pageBytes))
    return newest;
  return headerOf(await main.read(0, Math.min(HEADER_BYTES, main.sizeBytes)));
}

/** The name of the log that SQLite keeps beside a database. */
const LOG_NAME = /^(.+)-wal$/;

/** The name of the database that a log of this name belongs to; null where it is no log's name. */
export function databaseOfLog(path: string): string | null {
  return LOG_NAME.exec(path)?.[1] ?? null;
}

/** True where a file is such a log by its beginning, or an empty one. */
export function isDatabaseLog(path: string, bytes: Uint8Array): boolean {
  return LOG_NAME.test(path) && (bytes.length === 0 || beginsLog(bytes));
}

const HEAD_PAGES_BYTES = 262_144;

/**
 * The head of a database as it is with its log: a database that its program has just made may have
 * its tables in the log alone. Null where the log changes nothing that can be read.
 */
export async function headWithLog(
  main: SourceReader,
  beside: SourceReader,
): Promise<SourceHead | null> {
  const log = await readWriteAheadLog(beside);
  const header = await headerWith(main, log);
  if (log === null || header === null || log.pageBytes !== header.pageBytes) return null;
  const file = new DatabaseFile(main, header, { log });
  const pages: Uint8Array[] = [];
  for (let number = 1; number * header.pageBytes <= HEAD_PAGES_BYTES; number += 1) {
    const page = await file.page(number);
    if (page === null) break;
    pages.push(page.bytes.slice());
  }
  const bytes = new Uint8Array(pages.length * header.pageBytes);
  for (const [index, page] of pages.entries()) bytes.set(page, index * header.pageBytes);
  return headFromBytes(main.name, Math.max(main.sizeBytes, bytes.length), bytes);
}
