import type {
  ExperimentEnding,
  ExperimentKind,
  PlannedSend,
  ReplayOutcome,
  Result,
} from '@misstep/model';

/** One call that an experiment wants sent. */
export interface PlannedCall extends PlannedSend {
  readonly argumentsText: string;
}

/** What came of a call. */
export interface SentOutcome {
  /** Null where the call is no replay of its own. */
  readonly replayId: string | null;
  readonly outcome: ReplayOutcome;
  /** In one sentence, for outcomes that end an experiment; null otherwise. */
  readonly sentence?: string | null;
  /** Name and version of the server, and the SHA-256 of the tool's definition, where a receipt has them. */
  readonly server?: string | null;
  readonly toolSha256?: string | null;
  /** The exact text of the `result` member; null where the answer has none. */
  readonly resultText: string | null;
  /**
   * SHA-256 of a result that came but was too large to keep at hand, `resultText` being null: equal
   * ones can be told, nothing can be told of what stands in it. Absent or null = it was kept.
   */
  readonly notLookedIntoSha256?: string | null;
  readonly callDurationNs: number | null;
}

/** Sends one call once; the error is one sentence. Everything that touches a server is behind it. */
export type SendOnce = (
  call: PlannedCall,
  signal: AbortSignal,
) => Promise<Result<SentOutcome, string>>;

/** What a machine says of itself; the service makes the plan that a person confirms from it. */
export interface MachinePlan {
  readonly kind: ExperimentKind;
  /** The most calls that it will send. */
  readonly callCount: number;
  readonly what: string;
  /** In the order in which they go out. */
  readonly order: readonly PlannedSend[];
}

/**
 * An experiment as a machine without side effects: it says which call comes next, is told what
 * came of it, and can give its matrix at any time, however little is known by then.
 */
export interface ExperimentMachine<Matrix> {
  readonly plan: MachinePlan;
  /** Null = nothing more to send. */
  next(): PlannedCall | null;
  record(call: PlannedCall, outcome: SentOutcome): void;
  matrix(): Matrix;
}

export interface ExperimentEnd {
  readonly ending: ExperimentEnding;
  /** Why it ended before its end; null otherwise. */
  readonly reason: string | null;
  readonly sentCount: number;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (sentCount: number, call: PlannedCall) => void;
  /** Awaited before each call but the first: the bound of the rate. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
  /** Awaited after each call that was sent, whatever came of it: what is known is kept. */
  readonly onSent?: (call: PlannedCall, outcome: SentOutcome) => Promise<void>;
}

/** The call never left: going on would only fail again. */
const NOT_SENT: ReadonlySet<ReplayOutcome> = new Set([
  'serverDidNotStart',
  'connectionFailed',
  'handshakeFailed',
]);

/**
 * Sends what an experiment asks for, one after the other, until it wants no more, the signal stops
 * it, a call is refused or the server can't be reached. What was known by then is in the matrix.
 * Never sends a call twice.
 */
export async function runExperiment(
  experiment: Pick<ExperimentMachine<unknown>, 'next' | 'record'>,
  sendOnce: SendOnce,
  options: RunOptions,
): Promise<ExperimentEnd> {
  const { signal } = options;
  let sentCount = 0;
  const end = (ending: ExperimentEnding, reason: string | null = null) => ({
    ending,
    reason,
    sentCount,
  });
  for (let call = experiment.next(); call !== null; call = experiment.next()) {
    if (sentCount > 0) await options.pause?.(signal);
    options.onProgress?.(sentCount, call);
    if (signal.aborted) return end('stopped');
    const sent = await sendOnce(call, signal);
    if (!sent.ok) return signal.aborted ? end('stopped') : end('failed', sent.error);
    const { outcome, sentence } = sent.value;
    if (NOT_SENT.has(outcome)) {
      const why = sentence ?? 'The server could not be reached.';
      return end('failed', `Call ${sentCount + 1} (${call.label}) was not sent: ${why}`);
    }
    sentCount += 1;
    // A call that was cut short says nothing of its arguments.
    const isCutShort = outcome === 'cancelled' || outcome === 'interrupted';
    if (!isCutShort) experiment.record(call, sent.value);
    await options.onSent?.(call, sent.value);
    if (outcome === 'interrupted') return end('interrupted', sentence ?? null);
    if (outcome === 'cancelled') {
      return end('stopped', signal.aborted ? null : `Call ${sentCount} was cancelled.`);
    }
  }
  return end('complete');
}
