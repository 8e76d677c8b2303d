import { parseJson } from '@misstep/json';
import type { AnswerServer, ServerRequest, ServerRequestAnswer } from '@misstep/mcp';
import { fail, ok, type Result } from '@misstep/model';
import type { PausableTimeout } from '../pausable-timeout.ts';
import { loneSurrogateAt } from '../policy.ts';
import { type AskEvent, encodeAskEvent } from './ask-event.ts';
import { defaultAnswerTo } from './default-answer.ts';

/** Asks that a person can be expected to look at; the rest is answered by default at once. */
export const MOST_ASKS = 200;

interface OpenAsk {
  readonly settle: (answer: ServerRequestAnswer) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * Where a server's requests wait for a person while a replay runs. Each has a default that answers
 * in time; while one waits, the replay's own clock stands still, for the server is not the one who
 * keeps silent. One desk serves one replay.
 */
export class AskDesk {
  readonly #waitMs: number;
  readonly #open = new Map<number, OpenAsk>();
  #count = 0;
  #isOver = false;
  #note: (bytes: Uint8Array) => void = () => undefined;
  #timeout: PausableTimeout | null = null;

  /** `waitMs`: how long a person has, at most; 0 = every ask is answered by default at once. */
  constructor(options: { readonly waitMs: number }) {
    this.#waitMs = options.waitMs;
  }

  /** Called by the replay: where notes for the frame log go, and the clock that stands still. */
  open(note: (bytes: Uint8Array) => void, timeout: PausableTimeout): void {
    this.#note = note;
    this.#timeout = timeout;
  }

  readonly answerServer: AnswerServer = (request) => {
    const defaultAnswer = defaultAnswerTo(request.method);
    if (this.#isOver) return Promise.resolve(defaultAnswer);
    this.#count += 1;
    if (this.#count > MOST_ASKS) {
      if (this.#count === MOST_ASKS + 1) this.#tell({ step: 'tooMany' });
      return Promise.resolve(defaultAnswer);
    }
    return this.#wait(request, this.#count, defaultAnswer);
  };

  /**
   * The answer of the person: JSON text, sent as it is. `unknown`: no such ask; `closed`: answered
   * already, taken back, or the replay is over.
   */
  answer(ordinal: number, answer: ServerRequestAnswer): 'sent' | 'unknown' | 'closed' {
    if (this.#answered(ordinal, 'person', answer)) return 'sent';
    return ordinal >= 1 && ordinal <= Math.min(this.#count, MOST_ASKS) ? 'closed' : 'unknown';
  }

  /** Called by the replay before its log is closed: what is open stays unanswered. */
  end(): void {
    this.#isOver = true;
    for (const ordinal of [...this.#open.keys()]) this.#drop(ordinal, 'replayEnded');
  }

  #wait(
    request: ServerRequest,
    ordinal: number,
    defaultAnswer: ServerRequestAnswer,
  ): Promise<ServerRequestAnswer> {
    const { method, idText, signal } = request;
    const remainingMs = this.#timeout?.remainingMs() ?? Number.POSITIVE_INFINITY;
    // The server must have time left to work with the default.
    const defaultAfterMs = Math.min(this.#waitMs, Math.floor(remainingMs / 2));
    return new Promise((settle) => {
      const byDefault = () => this.#answered(ordinal, 'default', defaultAnswer);
      const timer = defaultAfterMs === 0 ? undefined : setTimeout(byDefault, defaultAfterMs);
      this.#open.set(ordinal, { settle, timer });
      this.#timeout?.pause();
      this.#tell({ step: 'opened', ordinal, method, idText, defaultAnswer, defaultAfterMs });
      signal?.addEventListener('abort', () => this.#drop(ordinal, 'withdrawn'), { once: true });
      if (defaultAfterMs === 0) byDefault();
    });
  }

  #answered(ordinal: number, by: 'person' | 'default', answer: ServerRequestAnswer): boolean {
    return this.#close(ordinal, { step: 'answered', ordinal, by, kind: answer.kind }, answer);
  }

  #drop(ordinal: number, step: 'withdrawn' | 'replayEnded'): void {
    // Nothing is sent for it any more; whoever waits is let go.
    const nothing = { kind: 'error', text: '{"code":-1,"message":"no answer"}' } as const;
    this.#close(ordinal, { step, ordinal }, nothing);
  }

  /** False where that ask is not open. */
  #close(ordinal: number, event: AskEvent, answer: ServerRequestAnswer): boolean {
    const ask = this.#open.get(ordinal);
    if (ask === undefined) return false;
    clearTimeout(ask.timer);
    this.#open.delete(ordinal);
    this.#tell(event);
    if (this.#open.size === 0) this.#timeout?.resume();
    ask.settle(answer);
    return true;
  }

  #tell(event: AskEvent): void {
    this.#note(encodeAskEvent(event));
  }
}

/** The text where it can go out as a member of an answer, or one sentence why it can't. */
export function checkAnswerText(text: string): Result<string, string> {
  const parsed = parseJson(text);
  if (!parsed.ok)
    return fail(`The answer is not JSON, so nothing was sent. ${parsed.error.message}`);
  const surrogate = loneSurrogateAt(text);
  if (surrogate === null) return ok(text);
  return fail(
    `The answer holds half of a surrogate pair at character ${surrogate + 1}, which UTF-8 can't carry, so nothing was sent. Write it as an escape such as \\ud800.`,
  );
}
