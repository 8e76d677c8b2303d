import { createReadStream } from 'node:fs';
import type { ImportState } from '@misstep/contract';
import { chooseFormat, importerById, MINIMUM_SCORE } from '@misstep/importers';
import { MisstepError, type RunId, type SourceHash } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';
import { FORMATS_ARE } from './format-page.ts';
import { headOf } from './import/recognise-source.ts';
import type { ImportService } from './import-service.ts';

export interface SourceFormats {
  readonly name: string;
  readonly sizeBytes: number;
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
      const source = await requireSource(store, sha256);
      const { scores } = chooseFormat(await headOf(store, source));
      const runs = await store.findRunsOfSource(sha256);
      return {
        name: source.name,
        sizeBytes: source.sizeBytes,
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

async function requireSource(store: Store, sha256: SourceHash): Promise<StoredSource> {
  const source = await store.findSource(sha256);
  if (source !== null) return source;
  throw new MisstepError('SOURCE_NOT_FOUND', `There is no source ${sha256}.`, { sha256 });
}
