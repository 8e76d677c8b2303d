import { createReadStream } from 'node:fs';
import type { ImportState } from '@misstep/contract';
import { chooseFormat, importerById, MINIMUM_SCORE } from '@misstep/importers';
import { MisstepError, type RunId, type SourceHash } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';
import { FORMATS_ARE } from './format-page.ts';
import type { SourceOutcome } from './import/outcome.ts';
import { headOf } from './import/recognise-source.ts';
import { whyUnread } from './import/source-rows.ts';
import type { ImportService } from './import-service.ts';

export interface SourceFormats {
  readonly name: string;
  readonly sizeBytes: number;
  /** False: its bytes went with its run; told is what its import saw. */
  readonly isKept: boolean;
  /** Why its import didn't read it; null = it did, or nobody remembers. */
  readonly why: string | null;
  readonly scores: { readonly format: string; readonly score: number }[];
  readonly minimumScore: number;
  readonly runs: { readonly id: RunId; readonly format: string }[];
}

export interface SourceFormatService {
  /** SOURCE_NOT_FOUND. */
  scores(sha256: SourceHash): Promise<SourceFormats>;
  /** Begins to read a source as a format. SOURCE_NOT_FOUND; NOT_FOUND without such a format. */
  readAs(sha256: SourceHash, format: string): Promise<ImportState>;
}

/** Why a source was read as it was, worked out anew from its bytes, and how to overrule that. */
export function createSourceFormatService(
  store: Store,
  imports: ImportService,
): SourceFormatService {
  return {
    async scores(sha256) {
      const seen = imports.recall(sha256);
      const source = await store.findSource(sha256);
      if (source === null && seen?.source != null) return recalled(seen, seen.source.sizeBytes);
      if (source === null) throw notFound(sha256);
      const { scores } = chooseFormat(await headOf(store, source));
      const runs = await store.findRunsOfSource(sha256);
      return {
        name: source.name,
        sizeBytes: source.sizeBytes,
        isKept: true,
        why: seen === null ? null : whyUnread(seen),
        scores: scores.map(({ id, score }) => ({ format: id, score })),
        minimumScore: MINIMUM_SCORE,
        runs: runs.map(({ runId, format }) => ({ id: runId, format })),
      };
    },
    async readAs(sha256, format) {
      const { name, sizeBytes } = await requireSource(store, sha256);
      if (importerById(format) === null) {
        throw new MisstepError('NOT_FOUND', `There is no format "${format}".`, {}, FORMATS_ARE);
      }
      const path = await store.sourcePath(sha256);
      const file = { path: name, sizeBytes, open: () => createReadStream(path) };
      return imports.beginFiles(name, [file], format);
    },
  };
}

function recalled(seen: SourceOutcome, sizeBytes: number): SourceFormats {
  return {
    name: seen.path,
    sizeBytes,
    isKept: false,
    why: whyUnread(seen),
    scores: [...seen.scores],
    minimumScore: MINIMUM_SCORE,
    runs: seen.runs.map(({ id }) => ({ id, format: seen.format ?? '' })),
  };
}

function notFound(sha256: SourceHash): MisstepError {
  return new MisstepError('SOURCE_NOT_FOUND', `There is no source ${sha256}.`, { sha256 });
}

async function requireSource(store: Store, sha256: SourceHash): Promise<StoredSource> {
  const source = await store.findSource(sha256);
  if (source !== null) return source;
  throw notFound(sha256);
}
