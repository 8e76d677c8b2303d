import type { ReplayOutcome } from '@misstep/model';
import type { IconName } from '../../ui/icon-shapes.ts';

/** How a replay ended, in a word or two. */
export const OUTCOME_WORDS: Readonly<Record<ReplayOutcome, string>> = {
  result: 'answered',
  toolError: 'isError',
  protocolError: 'protocol error',
  malformedAnswer: 'malformed answer',
  timedOut: 'timed out',
  cancelled: 'cancelled',
  serverDidNotStart: 'server did not start',
  serverExited: 'server exited',
  connectionFailed: 'connection failed',
  connectionLost: 'connection lost',
  handshakeFailed: 'handshake failed',
  tooLarge: 'answer too large',
  interrupted: 'interrupted',
};

/** Crimson only where something failed. */
export function outcomeTone(outcome: ReplayOutcome): 'plain' | 'error' {
  return outcome === 'result' || outcome === 'cancelled' || outcome === 'interrupted'
    ? 'plain'
    : 'error';
}

export function outcomeIcon(outcome: ReplayOutcome): IconName {
  if (outcome === 'result') return 'check';
  return outcome === 'cancelled' || outcome === 'interrupted' ? 'block' : 'cross';
}
