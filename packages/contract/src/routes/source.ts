import { SourceHashSchema } from '@misstep/model';
import { z } from 'zod';
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
