import { RunIdSchema, UlidSchema } from '@misstep/model';
import { z } from 'zod';

/** A folder in which a known agent keeps its recordings, and what is there; no file was opened. */
export const FoundFolderSchema = z.object({
  /** Of the table of known folders. */
  id: z.string(),
  client: z.string(),
  holds: z.string(),
  folder: z.string(),
  /** The format that its files are known to have; null = none is read so far, `note` says more. */
  format: z.string().nullable(),
  note: z.string().nullable(),
  /** Where it is known from that this agent keeps its recordings there. */
  source: z.string(),
  fileCount: z.number().int(),
  sizeBytes: z.number().int(),
  newestAt: z.string().nullable(),
  /** Links, which are not followed. */
  linkCount: z.number().int(),
  /** Folders and files that could not be looked at. */
  unreadableCount: z.number().int(),
  /** True where the folder was too large to be looked through: there may be more. */
  isCut: z.boolean(),
});
export type FoundFolder = z.infer<typeof FoundFolderSchema>;

/** A folder that a person typed, and what is in it; no file was opened. */
export const LookedFolderSchema = FoundFolderSchema.pick({
  id: true,
  folder: true,
  fileCount: true,
  sizeBytes: true,
  newestAt: true,
  linkCount: true,
  unreadableCount: true,
  isCut: true,
});
export type LookedFolder = z.infer<typeof LookedFolderSchema>;

/** A folder that is followed: new and grown files are imported while the app runs. */
export const FollowedFolderSchema = z.object({
  id: UlidSchema,
  path: z.string(),
  /** The known folder that it is; null = one that was named on the command line. */
  foundId: z.string().nullable(),
  client: z.string().nullable(),
  followedAt: z.string(),
  /** `absent`: there is no such folder now; it is looked for again. */
  state: z.enum(['starting', 'following', 'absent']),
  fileCount: z.number().int(),
  isCut: z.boolean(),
  /** Of this start: files read for the first time, read again as they grew, read as other recordings. */
  newCount: z.number().int(),
  grownCount: z.number().int(),
  replacedCount: z.number().int(),
  failedCount: z.number().int(),
  lastReadAt: z.string().nullable(),
  /** The last thing to be said: a file that was not read, or one that was cut or replaced. */
  lastRemark: z.string().nullable(),
  /** Runs that were read last, the latest first; 20 at most. */
  lastRunIds: z.array(RunIdSchema),
});
export type FollowedFolderState = z.infer<typeof FollowedFolderSchema>;
