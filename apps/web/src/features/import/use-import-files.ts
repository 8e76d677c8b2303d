import { create } from 'zustand';
import { type ImportInput, type NamedFile, useStartImport } from '../../api/imports.ts';
import { importOfFiles, MOST_FILES } from './collect-files.ts';

interface ImportProblemState {
  /** What kept an import from beginning; shown in the strip wherever the drop was. */
  error: unknown;
}

export const useImportProblem = create<ImportProblemState>()(() => ({ error: null }));

export function forgetImportProblem(): void {
  useImportProblem.setState({ error: null });
}

/** Imports files or text. What an import says once it has begun is in its row. */
export function useImporter() {
  const start = useStartImport();
  const begin = (making: () => Promise<ImportInput>) => {
    forgetImportProblem();
    making()
      .then((input) => start.mutateAsync({ input }))
      .catch((error: unknown) => useImportProblem.setState({ error }));
  };
  return {
    importFiles: (collecting: Promise<readonly NamedFile[]> | readonly NamedFile[]) =>
      begin(async () => inputOf(await collecting)),
    importText: (text: string) => begin(async () => ({ kind: 'text', name: 'Pasted text', text })),
  };
}

function inputOf(found: readonly NamedFile[]): ImportInput {
  if (found.length > MOST_FILES) {
    throw new Error(
      `${found.length} files at once; ${MOST_FILES} is the most. Import the folder with \`npx misstep import PATH\`.`,
    );
  }
  const input = importOfFiles(found);
  if (input === null) throw new Error('There was no file in what was dropped.');
  return input;
}
