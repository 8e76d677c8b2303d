import type { ReplayOutcome } from '@misstep/model';

/** How a replay ended, in one or two words. Only the first two mean that the tool answered. */
export const OUTCOME_WORDS: Readonly<Record<ReplayOutcome, string>> = {
  result: 'answered',
  toolError: 'isError',
  protocolError: 'protocol error',
  malformedAnswer: 'answer not readable',
  timedOut: 'timed out',
  cancelled: 'cancelled',
  serverDidNotStart: 'did not start',
  serverExited: 'server exited',
  connectionFailed: 'no connection',
  connectionLost: 'connection lost',
  handshakeFailed: 'handshake failed',
  tooLarge: 'answer too large',
  interrupted: 'interrupted',
};

/** Outcomes that are no error of anybody: an answer, or the person's own cancel. */
export const CALM_OUTCOMES: ReadonlySet<ReplayOutcome> = new Set<ReplayOutcome>([
  'result',
  'cancelled',
]);
