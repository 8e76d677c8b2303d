import type { Stop } from './stop.ts';

/** How a step of a conversation came to its end. */
export type Settled<T> =
  | { readonly type: 'done'; readonly value: T }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'stopped'; readonly stop: Stop };

/** Whichever comes first; never rejects. */
export function settle<T>(work: Promise<T>, stop: Promise<Stop>): Promise<Settled<T>> {
  return Promise.race([
    work.then(
      (value): Settled<T> => ({ type: 'done', value }),
      (error: unknown): Settled<T> => ({ type: 'failed', error }),
    ),
    stop.then((reason): Settled<T> => ({ type: 'stopped', stop: reason })),
  ]);
}
