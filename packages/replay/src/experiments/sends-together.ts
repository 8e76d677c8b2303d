import type { AttributionCell } from '@misstep/model';
import type { SentOutcome } from './experiment.ts';
import { medianOf } from './median.ts';
import type { OutcomeReader } from './outcome-reader.ts';
import { NOT_LOOKED_INTO } from './signature.ts';

/** A call that was sent for a matrix. */
export interface MatrixSend {
  readonly id: string;
  readonly round: string;
  readonly outcome: SentOutcome;
}

/** What the sends with the same arguments came to together. */
export function sendsTogether(
  sent: readonly MatrixSend[],
  reader: OutcomeReader,
): Pick<AttributionCell, 'signature' | 'isStable' | 'medianNs' | 'sends'> {
  const sends = sent.map(({ id, round, outcome }) => ({
    id,
    round,
    replayId: outcome.replayId,
    outcome: outcome.outcome,
    signature: reader.signatureOf(outcome),
    callDurationNs: outcome.callDurationNs,
  }));
  const found = new Set(sends.map(({ signature }) => signature));
  const isSeen = !found.has(NOT_LOOKED_INTO);
  return {
    signature: found.size === 1 && isSeen ? (sends[0]?.signature ?? null) : null,
    isStable: sends.length < 2 || !isSeen ? null : found.size === 1,
    medianNs: medianOf(sends.map(({ callDurationNs }) => callDurationNs)),
    sends,
  };
}
