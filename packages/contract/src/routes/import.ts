import { UlidSchema } from '@misstep/model';
import { z } from 'zod';
import { ImportRowSchema, ImportStateSchema, SourceFateSchema } from '../import-shapes.ts';
import { defineRoute } from '../route.ts';
import { EmptySchema, FormatInfoSchema, NoneSchema } from '../shapes.ts';

const ImportParamsSchema = z.object({ importId: UlidSchema });
const FileNameSchema = z.string().min(1).max(1024);

export const listFormats = defineRoute({
  method: 'GET',
  path: '/api/formats',
  summary: 'The formats that can be read.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ formats: z.array(FormatInfoSchema) }),
  errors: [],
});

export const getFormat = defineRoute({
  method: 'GET',
  path: '/api/formats/:formatId',
  summary:
    'One format: what is read of it, what is lost, how to get such a file (its page, Markdown).',
  params: z.object({ formatId: z.string().min(1).max(100) }),
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ format: FormatInfoSchema, page: z.string() }),
  errors: ['NOT_FOUND'],
});

export const listImports = defineRoute({
  method: 'GET',
  path: '/api/imports',
  summary: 'Imports of this start that nobody dismissed, newest first.',
  params: EmptySchema,
  query: z.strictObject({
    /** `none`: without what became of each file, which may be much. */
    sources: z.enum(['all', 'none']).default('all'),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ imports: z.array(ImportStateSchema) }),
  errors: [],
});

export const createImport = defineRoute({
  method: 'POST',
  path: '/api/imports',
  summary:
    'Begin an import of pasted text (`text`), or of files whose bytes follow with uploadImportFile.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    name: FileNameSchema,
    /** Overrules the recognition; null or absent = by content. */
    format: z.string().max(100).nullable().optional(),
    text: z.string().optional(),
    files: z
      .array(z.strictObject({ name: FileNameSchema, sizeBytes: z.number().int().min(0) }))
      .max(2000)
      .optional(),
  }),
  responseKind: 'json',
  response: ImportStateSchema,
  errors: ['BODY_TOO_LARGE', 'DISK_FULL'],
});

export const uploadImportFile = defineRoute({
  method: 'PUT',
  path: '/api/imports/:importId/files/:index',
  summary: 'The bytes of one file; the import starts to read when the last has come.',
  params: ImportParamsSchema.extend({ index: z.coerce.number().int().min(0).max(1999) }),
  query: EmptySchema,
  bodyKind: 'bytes',
  body: z.unknown(),
  responseKind: 'json',
  response: ImportStateSchema,
  errors: ['IMPORT_NOT_FOUND', 'IMPORT_RUNNING', 'BODY_TOO_LARGE', 'DISK_FULL'],
});

export const getImport = defineRoute({
  method: 'GET',
  path: '/api/imports/:importId',
  summary: 'Progress of one import.',
  params: ImportParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: ImportStateSchema,
  errors: ['IMPORT_NOT_FOUND'],
});

export const listImportSources = defineRoute({
  method: 'GET',
  path: '/api/imports/:importId/sources',
  summary:
    'What became of each source of an import, also of those packed in an archive; those that failed first.',
  params: ImportParamsSchema,
  query: z.strictObject({
    offset: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
    fate: SourceFateSchema.optional(),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    /** Lines that the filter lets through. */
    total: z.number().int(),
    rows: z.array(ImportRowSchema),
  }),
  errors: ['IMPORT_NOT_FOUND'],
});

export const dismissImport = defineRoute({
  method: 'DELETE',
  path: '/api/imports/:importId',
  summary: 'Cancel an import that runs, or dismiss one that ended.',
  params: ImportParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ cancelled: z.boolean() }),
  errors: ['IMPORT_NOT_FOUND'],
});
