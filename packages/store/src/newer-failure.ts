import { Failure } from './failure.ts';
import { SCHEMA_VERSION } from './migrations/index.ts';

export function newerFailure(dataFolder: string, version: number): Failure {
  return new Failure(
    'DATA_FOLDER_NEWER',
    `The data folder ${dataFolder} was written by a newer Misstep (version ${version} of its form; this one knows ${SCHEMA_VERSION}). Nothing was changed.`,
    { dataFolder, version, knownVersion: SCHEMA_VERSION },
  );
}
