import { adviceOn, MisstepError } from '@misstep/model';
import type { ReadResult } from '../../jobs/import-message.ts';
import { headOfOutcome } from './known-outcome.ts';
import { type SourceOutcome, shownIssues, unreadIssues } from './outcome.ts';
import type { RecognisedSource } from './recognise-source.ts';

const OTHER_FORMAT =
  'It can be read, but this format has nothing of the kind. If you know its format, choose it under “read as” in its row, or use `--format ID`.';

/**
 * A source in which everything was understood or set aside and which holds no run (a session that
 * never began) is no failure; one of which something or all is unreadable is.
 */
export function nothingRead(
  member: RecognisedSource,
  result: ReadResult,
  records: SourceOutcome['records'],
): SourceOutcome {
  const { sha256 } = member.source;
  const read = result.sources.find((source) => source.sha256 === sha256);
  const unread = (read?.unused ?? []).filter(({ state }) => state !== 'setAside');
  const told = shownIssues(result.issues, sha256);
  const issues = [...told, ...unreadIssues(unread)];
  const says = `${member.importer.title} finds no run in ${member.path}`;
  const outcome = { ...headOfOutcome(member), alreadyImported: false, runs: [], records };
  const isEmpty = records.total === 0 && told.length === 0;
  if (isEmpty || (records.total > 0 && records.notUnderstood + records.malformed === 0)) {
    const why = isEmpty ? 'it holds no records' : whyAside(read, records.total);
    const message = why === null ? (told[0]?.message ?? `${says}.`) : `${says}: ${why}.`;
    return {
      ...outcome,
      issues: [...issues, { code: 'NO_RUN', message, offset: null }],
      error: null,
    };
  }
  const [first] = unread;
  const why = first === undefined ? '' : `: ${first.reason} (at byte ${first.offset})`;
  const [issue] = told;
  const message = issue?.message ?? `${says}${why}.`;
  const details = { format: member.importer.id, scores: member.scores };
  const hint = hintFor(issue?.code ?? null, records);
  return {
    ...outcome,
    issues,
    error: new MisstepError('IMPORT_UNREADABLE', message, details, hint === null ? {} : { hint }),
  };
}

/** The most frequent reason for which its records were set aside; null where none was. */
function whyAside(read: ReadResult['sources'][number] | undefined, total: number): string | null {
  const counts = new Map<string, number>();
  const add = (reason: string, count: number): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  };
  for (const { state, reason } of read?.unused ?? []) if (state === 'setAside') add(reason, 1);
  for (const { state, reason, count } of read?.unlisted ?? []) {
    if (state === 'setAside') add(reason, count);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (most === undefined) return null;
  const [reason, count] = most;
  return count === total ? reason : `${reason} (${count} of ${total} records)`;
}

/** Null = the catalogue's, which is for a file that is cut or of bytes that are no text. */
function hintFor(code: string | null, records: SourceOutcome['records']): string | null {
  const advice = code === null ? null : adviceOn(code);
  if (advice !== null && !advice.startsWith('Nothing to do')) return advice;
  return records.malformed === 0 && records.total > 0 ? OTHER_FORMAT : null;
}
