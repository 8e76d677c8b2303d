import { TargetAddressSchema, TargetNameSchema } from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema, TargetViewSchema } from '../shapes.ts';

const TargetParamsSchema = z.object({ name: TargetNameSchema });

export const listTargets = defineRoute({
  method: 'GET',
  path: '/api/targets',
  summary: 'The live MCP servers that the person configured.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ targets: z.array(TargetViewSchema) }),
  errors: [],
});

export const addTarget = defineRoute({
  method: 'POST',
  path: '/api/targets',
  summary: 'Configure a server. Nothing is started; it must be confirmed first.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ name: TargetNameSchema, address: TargetAddressSchema }),
  responseKind: 'json',
  response: TargetViewSchema,
  errors: ['TARGET_EXISTS', 'DISK_FULL'],
});

export const confirmTarget = defineRoute({
  method: 'POST',
  path: '/api/targets/:name/confirm',
  summary: 'The person has read the whole command or URL (sent back word for word) and allows it.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    description: z.string(),
    trustsReadOnlyHint: z.boolean().default(false),
  }),
  responseKind: 'json',
  response: TargetViewSchema,
  errors: ['TARGET_NOT_FOUND'],
});

export const removeTarget = defineRoute({
  method: 'DELETE',
  path: '/api/targets/:name',
  summary: 'Forget a server. Its replays stay.',
  params: TargetParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ removed: z.boolean() }),
  errors: ['TARGET_NOT_FOUND'],
});
