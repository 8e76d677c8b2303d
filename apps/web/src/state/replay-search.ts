import { z } from 'zod';

/** What a copied link to a call's replays restores. Nothing in it can send anything. */
export const ReplaySearchSchema = z.object({
  /** The replay shown; absent = the draft. */
  replay: z.string().optional().catch(undefined),
  /** The server that the draft would go to; absent = the one it went to last. */
  target: z.string().optional().catch(undefined),
});
