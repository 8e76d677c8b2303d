import { createReadStream } from 'node:fs';
import type { RunId } from '@misstep/model';
import type { FollowedFile } from '@misstep/store';
import type { RecordingFile } from '../find/list-recordings.ts';
import type { ImportInputFile } from '../import/input-files.ts';
import type { SourceOutcome } from '../import/outcome.ts';
import type { ImportService } from '../import-service.ts';
import type { ChangedFile } from './folder-watch.ts';

export type FileChange = 'new' | 'grown' | 'replaced' | 'failed';

export interface ReadFile {
  readonly change: FileChange;
  readonly outcome: SourceOutcome;
  readonly kept: FollowedFile;
}

/**
 * Imports changed files, each up to the size that it had when it was looked at. `replaced`: the file
 * was cut, rotated or written anew, so that it is read as a recording of its own; the run that was
 * read before stays.
 */
export async function readChanged(
  imports: ImportService,
  changed: readonly ChangedFile[],
  options: { readonly signal: AbortSignal; readonly format?: string | null },
): Promise<ReadFile[]> {
  const outcomes = await imports.importFiles(
    changed.map(({ file }) => inputOf(file)),
    options,
  );
  return outcomes.flatMap((outcome) => {
    const each = changed.find(({ file }) => file.path === outcome.path);
    if (each === undefined) return [];
    const runIds = outcome.runs.map(({ id }) => id);
    const { path, sizeBytes, modifiedMs, inode } = each.file;
    // One that was emptied and not yet written again is still the file of the run from before.
    const keptIds = outcome.error === null ? runIds : (each.before?.runIds ?? []);
    const kept = { path, sizeBytes, modifiedMs, inode: String(inode), runIds: keptIds };
    return [{ change: changeOf(each, outcome, runIds), outcome, kept }];
  });
}

function changeOf(
  { file, before }: ChangedFile,
  outcome: SourceOutcome,
  runIds: readonly RunId[],
): FileChange {
  if (outcome.error !== null) return 'failed';
  if (before === null) return 'new';
  const goesOn = before.runIds.length === 0 || runIds.some((id) => before.runIds.includes(id));
  return file.sizeBytes >= before.sizeBytes && goesOn ? 'grown' : 'replaced';
}

/** A file of this machine as it was when it was listed: what is written to it meanwhile is left. */
export function inputOf({
  path,
  sizeBytes,
}: RecordingFile): ImportInputFile & { sizeBytes: number } {
  return {
    path,
    sizeBytes,
    async *open() {
      if (sizeBytes === 0) return;
      yield* createReadStream(path, { end: sizeBytes - 1, highWaterMark: 1_048_576 });
    },
  };
}
