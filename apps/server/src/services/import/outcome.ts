import type { ImportedSource } from '@misstep/contract';
import type { SideFile } from '@misstep/importers';
import {
  type ImportIssue,
  MisstepError,
  NO_RECORDS,
  type Run,
  type SourceHash,
  timeText,
  type UnusedRecord,
} from '@misstep/model';
import type { StoredSource } from '@misstep/store';
import { explainError } from '../../errors/explain-error.ts';
import type { EndTexts } from './step-summary.ts';

/** Issues told of one source; a damaged file of a million lines has a million. */
const MAX_ISSUES = 1000;
const MAX_UNREAD = 200;

/** What became of one source: read, known already, or why not. */
export interface SourceOutcome extends Omit<ImportedSource, 'source' | 'error'> {
  /** Null where not even its bytes could be read. */
  readonly source: { readonly sha256: SourceHash; readonly sizeBytes: number } | null;
  readonly error: MisstepError | null;
  /** Of a container: what became of each recording, or other file, that is packed in it. */
  readonly parts?: readonly SourceOutcome[];
}

export function failedOutcome(
  path: string,
  source: StoredSource | null,
  error: MisstepError,
  format: string | null = null,
): SourceOutcome {
  const { scores } = error.details;
  return {
    path,
    source: source === null ? null : { sha256: source.sha256, sizeBytes: source.sizeBytes },
    format,
    formatScore: 0,
    scores: Array.isArray(scores) ? scores : [],
    alreadyImported: false,
    runs: [],
    records: NO_RECORDS,
    issues: [{ code: error.code, message: error.message, offset: null }],
    error,
  };
}

/** A known file beside recordings: it is no failure that it holds no run. */
export function asideOutcome(
  path: string,
  { sha256, sizeBytes }: StoredSource,
  { format, what }: SideFile,
): SourceOutcome {
  return {
    path,
    source: { sha256, sizeBytes },
    format,
    formatScore: 0,
    scores: [],
    alreadyImported: false,
    runs: [],
    records: { ...NO_RECORDS, total: 1, setAside: 1 },
    issues: [{ code: 'LEFT_ASIDE', message: `Left aside: ${what}.`, offset: null }],
    error: null,
  };
}

export function shownIssues(
  issues: readonly ImportIssue[],
  sha256: string,
): SourceOutcome['issues'] {
  const own = issues.filter((issue) => issue.sha256 === sha256);
  const shown = own
    .slice(0, MAX_ISSUES)
    .map(({ code, message, offset }) => ({ code, message, offset }));
  const rest = own.length - shown.length;
  if (rest === 0) return shown;
  const message = `${rest} further remark${rest === 1 ? '' : 's'}, not listed.`;
  return [...shown, { code: 'ISSUES_OMITTED', message, offset: null }];
}

/**
 * Records that weren't read, as issues: a source without a run has no other place where they
 * could be looked up.
 */
export function unreadIssues(unread: readonly UnusedRecord[]): SourceOutcome['issues'] {
  const shown = unread.slice(0, MAX_UNREAD).map(({ state, reason, offset, length }) => ({
    code: state === 'malformed' ? 'RECORD_MALFORMED' : 'RECORD_NOT_UNDERSTOOD',
    message: `${length} bytes: ${reason}.`,
    offset,
  }));
  const rest = unread.slice(MAX_UNREAD);
  if (rest.length === 0) return shown;
  const malformed = rest.filter(({ state }) => state === 'malformed').length;
  const message = `${rest.length} further records, ${malformed} of them malformed, not listed.`;
  return [...shown, { code: 'RECORDS_OMITTED', message, offset: rest[0]?.offset ?? null }];
}

/** A run as an import tells it. */
export function importedRun(run: Run, texts: EndTexts): SourceOutcome['runs'][number] {
  const at = (atNs: bigint | null, text: string | null) =>
    atNs === null ? null : timeText(run.clock, atNs, text);
  return {
    id: run.id,
    title: run.title,
    steps: run.stepCount,
    toolCalls: run.toolCallCount,
    modelCalls: run.modelCallCount,
    startedAt: at(run.startedAtNs, texts.first),
    endedAt: at(run.endedAtNs, texts.last),
  };
}

/** As routes send it. Those without bytes, which nothing can be asked of, are told in the lines of a result. */
export function toImportedSource(outcome: SourceOutcome): ImportedSource[] {
  const { source, error, parts: _parts, ...told } = outcome;
  if (source === null) return [];
  return [{ ...told, source, ...sentError(error) }];
}

/** As routes send it; absent where there is none. */
export function sentError(error: MisstepError | null): Pick<ImportedSource, 'error'> {
  if (error === null) return {};
  const { code, message, hint, details } = error;
  return { error: { code, message, hint, details } };
}

/** Failures are known before anything is read, so outcomes come in another order than the files. */
export function inOrderOf(
  files: readonly { readonly path: string }[],
  outcomes: readonly SourceOutcome[],
): SourceOutcome[] {
  const places = new Map(files.map(({ path }, index) => [path, index]));
  return [...outcomes].sort((a, b) => (places.get(a.path) ?? 0) - (places.get(b.path) ?? 0));
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'You may not read it: let its owner allow that, or import a copy.',
  EPERM: 'You may not read it: let its owner allow that, or import a copy.',
  EISDIR: 'It is a folder: give the folder itself.',
  ENOENT: 'It was moved or deleted meanwhile: check the path.',
  EMFILE: 'Too many files are open: import fewer at once.',
  ELOOP: 'The links on its path lead in a circle.',
};

/** What the file system says of a file that can't be read, as an error of the import. */
export function explainUnreadable(path: string, error: unknown): MisstepError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code === null || error instanceof MisstepError || !/^E[A-Z]+$/.test(code)) {
    return explainError(error);
  }
  const hint = HINTS[code] ?? 'Check that the disk is there and works, then import it again.';
  const message = `${path} cannot be read (${code}).`;
  return new MisstepError('IMPORT_UNREADABLE', message, { code }, { hint });
}
