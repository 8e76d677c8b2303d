import { RunIdSchema, SourceHashSchema } from '@misstep/model';
import { z } from 'zod';
import { ImportStateSchema } from '../import-shapes.ts';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema, SourceWindowSchema } from '../shapes.ts';

const SourceParamsSchema = z.object({ sha256: SourceHashSchema });

export const getSourceWindow = defineRoute({
  method: 'GET',
  path: '/api/sources/:sha256/bytes',
  summary: 'Raw bytes of a source, 64 kB at most at once.',
  params: SourceParamsSchema,
  query: z.strictObject({
    offset: z.coerce.number().int().min(0),
    length: z.coerce.number().int().min(1).max(65_536),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: SourceWindowSchema,
  errors: ['SOURCE_NOT_FOUND'],
});

export const getSourceFormats = defineRoute({
  method: 'GET',
  path: '/api/sources/:sha256/formats',
  summary: 'Why a source was read as it was: what every format scores for it, highest first.',
  params: SourceParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    name: z.string(),
    sizeBytes: z.number().int(),
    /** False where its bytes went with its run; what is told is what its import saw. */
    isKept: z.boolean(),
    /** Why its import left it aside, or didn't read it; null = it was read, or nobody remembers. */
    why: z.string().nullable(),
    scores: z.array(z.object({ format: z.string(), score: z.number() })),
    /** Below or at that score a format is not chosen by content. */
    minimumScore: z.number(),
    /** Runs that were read from it, and as what. */
    runs: z.array(z.object({ id: RunIdSchema, format: z.string() })),
  }),
  errors: ['SOURCE_NOT_FOUND'],
});

export const readSourceAs = defineRoute({
  method: 'POST',
  path: '/api/sources/:sha256/read',
  summary: 'Read a source as a format of the person’s choice; runs read from it before stay.',
  params: SourceParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ format: z.string().min(1).max(100) }),
  responseKind: 'json',
  response: ImportStateSchema,
  errors: ['SOURCE_NOT_FOUND', 'NOT_FOUND', 'IMPORT_RUNNING', 'DISK_FULL'],
});

export const exportSource = defineRoute({
  method: 'GET',
  path: '/api/sources/:sha256/export',
  summary: 'The source byte for byte, as a download.',
  params: SourceParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'bytes',
  response: z.unknown(),
  errors: ['SOURCE_NOT_FOUND'],
});
