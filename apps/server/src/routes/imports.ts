import type { Services } from '../compose.ts';
import { readFormatPage } from '../services/format-page.ts';
import type { Handlers } from './handler.ts';

type ImportRoute =
  | 'listFormats'
  | 'getFormat'
  | 'listImports'
  | 'createImport'
  | 'uploadImportFile'
  | 'getImport'
  | 'listImportSources'
  | 'dismissImport';

export function importHandlers({ imports }: Services): Pick<Handlers, ImportRoute> {
  return {
    listFormats: async () => ({ formats: imports.formats() }),
    getFormat: ({ params }) => readFormatPage(params.formatId),
    listImports: async ({ query }) => ({
      imports: imports.list({ withSources: query.sources === 'all' }),
    }),
    createImport: ({ body }) =>
      imports.begin({
        name: body.name,
        format: body.format ?? null,
        text: body.text ?? null,
        files: body.files ?? [],
      }),
    uploadImportFile: ({ params, bytes }) => imports.upload(params.importId, params.index, bytes),
    getImport: async ({ params }) => imports.get(params.importId),
    listImportSources: async ({ params, query }) => imports.rows(params.importId, query),
    dismissImport: ({ params }) => imports.dismiss(params.importId),
  };
}
