import { z } from 'zod';

export const RUN_SORT_KEYS = [
  'title',
  'evidence',
  'client',
  'started',
  'duration',
  'steps',
  'calls',
  'errors',
  'tokens',
  'cost',
  'mark',
  'outcome',
] as const;
export type RunSortKey = (typeof RUN_SORT_KEYS)[number];

/** What a copied link to the run list restores. `sort` begins with "-" where it falls. */
export const RunsSearchSchema = z.object({
  q: z.string().optional().catch(undefined),
  sort: z
    .string()
    .regex(new RegExp(`^-?(${RUN_SORT_KEYS.join('|')})$`))
    .optional()
    .catch(undefined),
  /** Id of the run under the cursor. */
  at: z.string().optional().catch(undefined),
  /** Id of the import whose sources are shown. */
  import: z.string().optional().catch(undefined),
});
