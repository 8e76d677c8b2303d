import { MisstepError, type Ulid } from '@misstep/model';
import type { ReplayRefusal } from '@misstep/replay';

/** Only the process that runs a replay can do something about it. */
export function elsewhere(replayId: Ulid, advice: string): MisstepError {
  return refused(
    {
      reason: 'alreadyRunning',
      sentence: `Replay ${replayId} runs in another Misstep process. ${advice}`,
    },
    { replayId },
  );
}

/** Why a person's answer reaches no ask. */
export function unanswerable(state: 'unknown' | 'closed', ordinal: number): MisstepError {
  return state === 'unknown'
    ? new MisstepError('ASK_NOT_FOUND', `The server has no ask ${ordinal} in this replay.`)
    : new MisstepError('ASK_CLOSED', `Ask ${ordinal} is closed, so nothing was sent.`);
}

export function refused(
  { reason, sentence }: ReplayRefusal,
  details: Readonly<Record<string, unknown>> = {},
): MisstepError {
  return new MisstepError('REPLAY_REFUSED', sentence, { reason, sentence, ...details });
}
