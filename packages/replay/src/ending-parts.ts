import type { Opening } from '@misstep/mcp';
import type { ReplayOutcome } from '@misstep/model';

/** How a replay ended, in one word, one sentence and the detail for the receipt. */
export interface Ending {
  readonly outcome: ReplayOutcome;
  readonly sentence: string;
  readonly detail: string | null;
}

/** What we were waiting for when it ended. */
export type Phase = Opening | 'tools/list' | 'tools/call';

export const UNKNOWN_EFFECT = 'Whether the tool did its work is not known.';
export const NOT_SENT = 'The call was not sent.';
