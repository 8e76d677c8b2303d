import { z } from 'zod';

/** What a copied link to the formats restores. */
export const FormatsSearchSchema = z.object({
  /** The format whose page is shown. */
  format: z.string().optional().catch(undefined),
  /** The source whose scores stand beside the formats. */
  source: z.string().optional().catch(undefined),
});
