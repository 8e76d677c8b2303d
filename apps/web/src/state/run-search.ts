import { UlidSchema } from '@misstep/model';
import { z } from 'zod';

export const RUN_TABS = ['call', 'frames', 'evidence', 'replay'] as const;
export type RunTab = (typeof RUN_TABS)[number];
export const RUN_VIEWS = ['tree', 'order'] as const;

/** What a copied link to a run restores. Unknown or damaged values are left out, never an error. */
export const RunSearchSchema = z.object({
  /** A step's id; its number also finds it. The router reads bare digits as a number. */
  step: z.union([z.string(), z.number().int()]).optional().catch(undefined),
  tab: z.enum(RUN_TABS).optional().catch(undefined),
  view: z.enum(RUN_VIEWS).optional().catch(undefined),
  filter: z.string().optional().catch(undefined),
  replay: z.string().optional().catch(undefined),
  /** Opens the mark's form with this place of the step's result cited; '' = all of it. */
  cite: z.string().max(2000).optional().catch(undefined),
  /** Beside `cite`: the place is one in this replay's answer. */
  citeReplay: UlidSchema.optional().catch(undefined),
  /** Opens the mark's form with the verdict of this experiment on the step cited. */
  verdict: UlidSchema.optional().catch(undefined),
  /** Index of the first row in view. */
  top: z.number().int().min(0).optional().catch(undefined),
});
export type RunSearch = z.infer<typeof RunSearchSchema>;
