import type { TransportEnd } from '@misstep/mcp';
import { PausableTimeout } from './pausable-timeout.ts';
import { MisstepStopped } from './replay-call.ts';

/** Why a replay goes no further than it is. */
export type Stop =
  | { readonly reason: 'timeout' }
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'misstepStopped' }
  | { readonly reason: 'logFailed' }
  | { readonly reason: 'ended'; readonly end: TransportEnd };

/** Resolves with the first reason to stop; `release` lets go of the timer and the signal. */
export function watchForStop(options: {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly ended: Promise<TransportEnd>;
  readonly logFailed: Promise<void>;
}): { stop: Promise<Stop>; timeout: PausableTimeout; release: () => void } {
  const { timeoutMs, signal, ended, logFailed } = options;
  let release: () => void = () => undefined;
  let onTimeout: () => void = () => undefined;
  const timeout = new PausableTimeout(timeoutMs, () => onTimeout());
  const stop = new Promise<Stop>((resolve) => {
    onTimeout = () => resolve({ reason: 'timeout' });
    const onAbort = () =>
      resolve({
        reason: signal.reason instanceof MisstepStopped ? 'misstepStopped' : 'cancelled',
      });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    release = () => {
      timeout.clear();
      signal.removeEventListener('abort', onAbort);
    };
    // `closed` is our own doing (or the SDK's, after an answer it can't use), so it stops nothing.
    void ended.then((end) => {
      if (end.reason !== 'closed') resolve({ reason: 'ended', end });
    });
    void logFailed.then(() => resolve({ reason: 'logFailed' }));
  });
  return { stop, timeout, release };
}
