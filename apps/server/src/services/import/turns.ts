/** A cancelled read that has not ended by then holds up nobody any more. */
const CANCEL_DEADLINE_MS = 5000;

/** Work that is done one after the other; what was cancelled and never ends loses its turn. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last = orCancelled(ended, signal);
    return result;
  }
}

/** Resolves with `ended`, or when it has had its time after the signal: it may wait for ever. */
function orCancelled(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  const listening = new AbortController();
  return new Promise((resolve) => {
    const onAbort = () => void byDeadline(ended).then(resolve);
    signal.addEventListener('abort', onAbort, { once: true, signal: listening.signal });
    if (signal.aborted) onAbort();
    void ended.then(() => {
      listening.abort();
      resolve();
    });
  });
}

/** Resolves with `ended`, or once a cancelled read has had its time. */
export async function byDeadline(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CANCEL_DEADLINE_MS);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
