import {
  type Experiment,
  type ExperimentPlan,
  type PlannedCall,
  planOf,
  type SentOutcome,
} from './experiment.ts';
import { movingPointers, viewResult } from './result-view.ts';

export interface RepeatMatrix {
  readonly rows: readonly {
    readonly replayId: string | null;
    readonly outcome: SentOutcome['outcome'];
    readonly callDurationNs: number | null;
    /** The first row with the very same result bytes, counted from 1; itself where it is the first. */
    readonly sameBytesAs: number;
  }[];
  /** Null until two calls have answered. */
  readonly sameBytes: boolean | null;
  readonly sameOutcome: boolean | null;
  /** Where the results differ, the first 200; a difference in white space alone has no pointer. */
  readonly movingPointers: readonly string[];
  readonly movingPointersOmitted: number;
  readonly sentence: string;
}

const MOST_POINTERS = 200;

/** The same call N times: are the bytes the same, and which pointers move? */
export class RepeatExperiment implements Experiment<RepeatMatrix> {
  readonly plan: ExperimentPlan;
  readonly #argumentsText: string;
  readonly #times: number;
  readonly #outcomes: SentOutcome[] = [];

  constructor(options: {
    readonly argumentsText: string;
    readonly times: number;
    readonly isReadOnly: boolean;
  }) {
    this.#argumentsText = options.argumentsText;
    this.#times = options.times;
    this.plan = planOf('repeat', options.times, options.isReadOnly, 'the same call each time');
  }

  next(): PlannedCall | null {
    const number = this.#outcomes.length + 1;
    if (number > this.#times) return null;
    const label = `call ${number} of ${this.#times}`;
    return { id: String(number), label, argumentsText: this.#argumentsText };
  }

  record(_call: PlannedCall, outcome: SentOutcome): void {
    this.#outcomes.push(outcome);
  }

  matrix(): RepeatMatrix {
    const outcomes = this.#outcomes;
    const key = ({ outcome, resultText }: SentOutcome) => `${outcome} ${resultText ?? ''}`;
    const keys = outcomes.map(key);
    const isOne = outcomes.length < 2;
    const sameBytes = isOne ? null : keys.every((each) => each === keys[0]);
    const kinds = new Set(outcomes.map(({ outcome }) => outcome));
    const moving = sameBytes === false ? movingPointers(outcomes.map(viewOf)) : [];
    return {
      rows: outcomes.map(({ replayId, outcome, callDurationNs }, index) => ({
        replayId,
        outcome,
        callDurationNs,
        sameBytesAs: keys.indexOf(keys[index] ?? '') + 1,
      })),
      sameBytes,
      sameOutcome: isOne ? null : kinds.size === 1,
      movingPointers: moving.slice(0, MOST_POINTERS),
      movingPointersOmitted: Math.max(0, moving.length - MOST_POINTERS),
      sentence: sentenceOf(outcomes.length, sameBytes, kinds, moving),
    };
  }
}

function viewOf({ resultText }: SentOutcome) {
  return resultText === null ? null : viewResult(resultText);
}

function sentenceOf(
  count: number,
  sameBytes: boolean | null,
  kinds: ReadonlySet<string>,
  moving: readonly string[],
): string {
  if (sameBytes === null) return 'Fewer than two calls were made, so nothing can be told.';
  if (sameBytes) return `All ${count} answers are the same, byte for byte.`;
  if (kinds.size > 1) return `The same call ended in ${[...kinds].join(' and ')}.`;
  if (moving.length === 0) return `The ${count} answers differ only in how they are written.`;
  const shown = moving.slice(0, 5).join(', ');
  const rest = moving.length > 5 ? ` and ${moving.length - 5} more` : '';
  return `The same call gave different answers: ${shown}${rest} move. A result that isn't stable can't carry an attribution by these.`;
}
