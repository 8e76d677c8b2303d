import type { ReplayOutcome, Result } from '@misstep/model';

/** One call that an experiment wants sent. */
export interface PlannedCall {
  /** Unique within the experiment. */
  readonly id: string;
  /** For a person, e.g. `A, again`. */
  readonly label: string;
  readonly argumentsText: string;
}

/** What came of a call. */
export interface SentOutcome {
  /** Null where the call is no replay of its own. */
  readonly replayId: string | null;
  readonly outcome: ReplayOutcome;
  /** The exact text of the `result` member; null where the answer has none. */
  readonly resultText: string | null;
  readonly callDurationNs: number | null;
}

/** Sends one call once; the error is one sentence. Everything that touches a server is behind it. */
export type SendOnce = (
  call: PlannedCall,
  signal: AbortSignal,
) => Promise<Result<SentOutcome, string>>;

export interface ExperimentPlan {
  readonly kind: 'repeat' | 'race' | 'attribute';
  /** The most calls that it will send. */
  readonly callCount: number;
  /** Calls that may change something at the server: all, unless it is trusted to say otherwise. */
  readonly destructiveCount: number;
  readonly sentence: string;
}

/**
 * An experiment as a machine without side effects: it says which call comes next, is told what
 * came of it, and can give its matrix at any time, however little is known by then.
 */
export interface Experiment<Matrix> {
  readonly plan: ExperimentPlan;
  /** Null = nothing more to send. */
  next(): PlannedCall | null;
  record(call: PlannedCall, outcome: SentOutcome): void;
  matrix(): Matrix;
}

export interface ExperimentEnd<Matrix> {
  readonly ending: 'complete' | 'stopped' | 'failed';
  /** Why it failed; null otherwise. */
  readonly reason: string | null;
  readonly sentCount: number;
  readonly matrix: Matrix;
}

/**
 * Sends what an experiment asks for, one after the other, until it wants no more, the signal stops
 * it or a call is refused. What was known by then is in the matrix. Never sends a call twice.
 */
export async function runExperiment<Matrix>(
  experiment: Experiment<Matrix>,
  sendOnce: SendOnce,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress?: (sentCount: number, call: PlannedCall) => void;
  },
): Promise<ExperimentEnd<Matrix>> {
  let sentCount = 0;
  const end = (ending: ExperimentEnd<Matrix>['ending'], reason: string | null = null) => ({
    ending,
    reason,
    sentCount,
    matrix: experiment.matrix(),
  });
  for (let call = experiment.next(); call !== null; call = experiment.next()) {
    options.onProgress?.(sentCount, call);
    if (options.signal.aborted) return end('stopped');
    const sent = await sendOnce(call, options.signal);
    if (!sent.ok) {
      return options.signal.aborted ? end('stopped') : end('failed', sent.error);
    }
    sentCount += 1;
    if (options.signal.aborted && sent.value.outcome === 'cancelled') return end('stopped');
    experiment.record(call, sent.value);
  }
  return end('complete');
}

/** The part of a plan that says what it may do. */
export function planOf(
  kind: ExperimentPlan['kind'],
  callCount: number,
  isReadOnly: boolean,
  what: string,
): ExperimentPlan {
  const calls = `${callCount} ${callCount === 1 ? 'call' : 'calls'}`;
  const harm = isReadOnly
    ? 'The server, which you trust in this, says that the tool only reads.'
    : 'Each may change something at the server.';
  return {
    kind,
    callCount,
    destructiveCount: isReadOnly ? 0 : callCount,
    sentence: `${calls} at most: ${what}. ${harm}`,
  };
}
