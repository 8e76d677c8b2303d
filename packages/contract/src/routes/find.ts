import { UlidSchema } from '@misstep/model';
import { z } from 'zod';
import { FollowedFolderSchema, FoundFolderSchema, LookedFolderSchema } from '../find-shapes.ts';
import { ImportStateSchema } from '../import-shapes.ts';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema } from '../shapes.ts';

const FoundIdSchema = z.string().min(1).max(100);

export const listFound = defineRoute({
  method: 'GET',
  path: '/api/found',
  summary: 'What known agents keep on this machine: names and sizes, nothing opened or imported.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ folders: z.array(FoundFolderSchema) }),
  errors: [],
});

/** As it is typed; `~` is the home folder of whoever started Misstep. */
const TypedPathSchema = z.string().max(4096);

export const lookAtFolder = defineRoute({
  method: 'POST',
  path: '/api/found/look',
  summary:
    'What is in a folder that the person typed: names and sizes, nothing opened. Gives it an id for this start.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ path: TypedPathSchema.min(1) }),
  responseKind: 'json',
  response: z.object({ folder: LookedFolderSchema }),
  errors: ['NOT_FOUND'],
});

export const offerFolders = defineRoute({
  method: 'POST',
  path: '/api/found/offer',
  summary: 'Folders whose paths begin as what is typed so far: names alone, 50 at most.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ path: TypedPathSchema }),
  responseKind: 'json',
  response: z.object({ folders: z.array(z.string()), omitted: z.number().int() }),
  errors: [],
});

export const importFound = defineRoute({
  method: 'POST',
  path: '/api/found/import',
  summary: 'Import what was found in some of those folders, or the part that changed since a time.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    ids: z.array(FoundIdSchema).min(1).max(100),
    /** An ISO time; null or absent = all. */
    since: z.iso.datetime({ offset: true }).nullable().optional(),
  }),
  responseKind: 'json',
  response: ImportStateSchema,
  errors: ['NOT_FOUND', 'IMPORT_RUNNING', 'IMPORT_UNREADABLE', 'DISK_FULL'],
});

export const listFollowed = defineRoute({
  method: 'GET',
  path: '/api/followed',
  summary: 'The folders that are followed, and what came of them.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    folders: z.array(FollowedFolderSchema),
    /** Raised whenever something was read. */
    savedCount: z.number().int(),
  }),
  errors: [],
});

export const followFolder = defineRoute({
  method: 'POST',
  path: '/api/followed',
  summary:
    'Follow a found folder: import new and grown files while the app runs, also after restarts.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    foundId: FoundIdSchema,
    /** True = import what is there already as well. */
    existing: z.boolean().optional(),
  }),
  responseKind: 'json',
  response: FollowedFolderSchema,
  errors: ['NOT_FOUND', 'DISK_FULL'],
});

export const unfollowFolder = defineRoute({
  method: 'DELETE',
  path: '/api/followed/:followId',
  summary: 'Follow a folder no more. What was imported stays.',
  params: z.object({ followId: UlidSchema }),
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ wasFollowed: z.boolean() }),
  errors: ['DISK_FULL'],
});
