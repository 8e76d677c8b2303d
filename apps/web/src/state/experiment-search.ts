import { z } from 'zod';

/** What a link to a new experiment restores. Nothing in it can send anything. */
export const NewExperimentSearchSchema = z.object({
  run: z.string().optional().catch(undefined),
  step: z.string().optional().catch(undefined),
  kind: z.enum(['repeat', 'race', 'attribute', 'boundary']).optional().catch(undefined),
  /** `recorded`, `draft` or the id of a replay. */
  a: z.string().optional().catch(undefined),
  b: z.string().optional().catch(undefined),
  /** An experiment whose request is taken over. */
  from: z.string().optional().catch(undefined),
  /** The server that the calls would go to. */
  target: z.string().optional().catch(undefined),
  /** The argument whose boundary is sought. */
  argument: z.string().optional().catch(undefined),
  times: z.number().int().optional().catch(undefined),
});
