import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema } from '../shapes.ts';

export const getStatus = defineRoute({
  method: 'GET',
  path: '/api/status',
  summary: 'What the status bar and first screen need to know of this start.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    version: z.string(),
    dataFolder: z.string(),
    runCount: z.number().int(),
    sourceBytes: z.number().int(),
    /** Who marks are signed by. */
    author: z.string(),
    /** The run that `npm start` opens on; null = none. */
    demoRunId: z.string().nullable(),
  }),
  errors: [],
});
