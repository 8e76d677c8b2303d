import type { HeavyTask } from './heavy-tasks.ts';

/** One piece of work; the thread is asked for the next when it has answered. */
export interface HeavyRequest {
  readonly task: HeavyTask;
  readonly input: unknown;
}

export type HeavyMessage =
  /** `length` tells about how much memory the result takes. */
  | { readonly kind: 'done'; readonly result: unknown; readonly length: number }
  | { readonly kind: 'failed'; readonly name: string; readonly stack: string };
