import type { ImportIssue, SourceHash } from '@misstep/model';
import type { Database } from '../database.ts';
import type { StoredRunDetail } from '../store.ts';
import { decodeText, encodeText } from '../stored-text.ts';

/** More than a person reads; the rest is counted. */
const ISSUES_SHOWN = 1000;

export function listIssues(
  database: Database,
  runKey: bigint,
  format: string,
): Pick<StoredRunDetail, 'issues' | 'issuesOmitted'> {
  const query = database.builder
    .selectFrom('runSources')
    .innerJoin('importIssues', 'importIssues.sha256', 'runSources.sha256')
    .where('runSources.runKey', '=', runKey)
    .where('importIssues.format', '=', format);
  const total = database.first(query.select((column) => column.fn.countAll<bigint>().as('n')));
  const issues = database
    .all(
      query
        .selectAll('importIssues')
        .orderBy('runSources.ordinal')
        .orderBy('importIssues.ordinal')
        .limit(ISSUES_SHOWN),
    )
    .map((row) => ({
      code: row.code,
      message: decodeText(row.message),
      // Written by saveImport from a SourceHash.
      sha256: row.sha256 as SourceHash,
      offset: row.offset === null ? null : Number(row.offset),
    }));
  return { issues, issuesOmitted: Number(total?.n ?? 0) - issues.length };
}

/** Raw: a damaged source can have as many of these as lines. */
export function insertIssues(
  database: Database,
  format: string,
  sha256: SourceHash,
  issues: readonly ImportIssue[],
): void {
  const insert = database.prepare(
    `INSERT INTO importIssues (sha256, format, ordinal, code, message, offset)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  issues.forEach(({ code, message, offset }, ordinal) => {
    insert.run(sha256, format, ordinal, code, encodeText(message), offset);
  });
}
