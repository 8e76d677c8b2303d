import { createContext, Script } from 'node:vm';
import { shortened } from '@misstep/mcp';

/** What came of work that might never end by itself. */
export type Bounded<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'tooLong' }
  | { readonly kind: 'failed'; readonly message: string };

const context = createContext({ work: null });
const script = new Script('work()');

/**
 * Time for schemas of others, spent over several checks. Regular expressions and references in a
 * schema can take for ever; the engine is stopped when the time is over, inside an expression too.
 */
export class CheckBudget {
  #leftMs: number;
  readonly #onceMs: number;
  #ranOut = false;

  /** `totalMs` for all checks together, `onceMs` for each. */
  constructor(totalMs: number, onceMs: number) {
    this.#leftMs = totalMs;
    this.#onceMs = onceMs;
  }

  /** True once a check was stopped, or not begun, because its time was over. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  /** Never throws, whatever `work` does. It must be synchronous. */
  run<T>(work: () => T): Bounded<T> {
    const timeout = Math.floor(Math.min(this.#leftMs, this.#onceMs));
    if (timeout < 1) return this.#tooLong();
    const startedMs = performance.now();
    let value: { readonly of: T } | null = null;
    try {
      // The work is a function of ours; only its time is the context's to bound.
      context.work = () => {
        value = { of: work() };
      };
      script.runInContext(context, { timeout });
      // Assigned inside the callback, which the compiler does not follow.
      const made = value as { readonly of: T } | null;
      return made === null ? this.#tooLong() : { kind: 'done', value: made.of };
    } catch (error) {
      if (isTimeout(error)) return this.#tooLong();
      return { kind: 'failed', message: messageOf(error) };
    } finally {
      context.work = null;
      this.#leftMs -= performance.now() - startedMs;
    }
  }

  #tooLong(): { readonly kind: 'tooLong' } {
    this.#ranOut = true;
    return { kind: 'tooLong' };
  }
}

// The engine may make the error in the context's realm, of whose Error it is then an instance.
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** One line, short enough for a sentence. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return shortened(text.replace(/\s+/g, ' '), 200);
}
