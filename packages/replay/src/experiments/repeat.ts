import type { RepeatMatrix } from '@misstep/model';
import type { ExperimentMachine, MachinePlan, PlannedCall, SentOutcome } from './experiment.ts';
import { repeatLeftOpen } from './left-open.ts';
import { medianOf } from './median.ts';
import { leavesOf, movingPointers, type ResultView, viewResult } from './result-view.ts';

const MOST_POINTERS = 200;
const MOST_MOVES = 40;
const MOST_VALUES = 4;
const VALUE_LENGTH = 80;

/** The same call N times: are the bytes the same, and which pointers move? */
export class RepeatExperiment implements ExperimentMachine<RepeatMatrix> {
  readonly plan: MachinePlan;
  readonly #argumentsText: string;
  readonly #outcomes: SentOutcome[] = [];

  constructor(options: { readonly argumentsText: string; readonly times: number }) {
    const { argumentsText, times } = options;
    this.#argumentsText = argumentsText;
    const order = Array.from({ length: times }, (_, at) => ({
      id: String(at + 1),
      label: `call ${at + 1} of ${times}`,
      round: 'repeat',
    }));
    this.plan = { kind: 'repeat', callCount: times, what: 'the same call each time', order };
  }

  next(): PlannedCall | null {
    const planned = this.plan.order[this.#outcomes.length];
    return planned === undefined ? null : { ...planned, argumentsText: this.#argumentsText };
  }

  record(_call: PlannedCall, outcome: SentOutcome): void {
    this.#outcomes.push(outcome);
  }

  matrix(): RepeatMatrix {
    const outcomes = this.#outcomes;
    const keys = outcomes.map(keyOf);
    const hiddenCount = outcomes.filter(isHidden).length;
    const isOne = outcomes.length < 2;
    const sameBytes = isOne ? null : keys.every((each) => each === keys[0]);
    const kinds = new Set(outcomes.map(({ outcome }) => outcome));
    // What moves in an answer that is not at hand can't be told, so it takes no part.
    const seen = outcomes.filter((each) => !isHidden(each));
    const views = sameBytes === false ? seen.map(viewOf) : [];
    const moving = movingPointers(views);
    const rows = outcomes.map(({ replayId, outcome, callDurationNs }, index) => ({
      replayId,
      outcome,
      callDurationNs,
      sameBytesAs: keys.indexOf(keys[index] ?? '') + 1,
    }));
    return {
      rows,
      sameBytes,
      sameOutcome: isOne ? null : kinds.size === 1,
      movingPointers: moving.slice(0, MOST_POINTERS),
      movingPointersOmitted: Math.max(0, moving.length - MOST_POINTERS),
      moves: movesOf(views, moving.slice(0, MOST_MOVES)),
      medianNs: medianOf(outcomes.map(({ callDurationNs }) => callDurationNs)),
      notShown: repeatLeftOpen({ rows, sameBytes }),
      sentence: sentenceOf(outcomes.length, sameBytes, kinds, moving, hiddenCount),
    };
  }
}

function isHidden({ notLookedIntoSha256 = null }: SentOutcome): boolean {
  return notLookedIntoSha256 !== null;
}

function keyOf({ outcome, resultText, notLookedIntoSha256 = null }: SentOutcome): string {
  return notLookedIntoSha256 === null
    ? `${outcome} ${resultText ?? ''}`
    : `${outcome} SHA-256 ${notLookedIntoSha256}`;
}

function viewOf({ resultText }: SentOutcome): ResultView | null {
  return resultText === null ? null : viewResult(resultText);
}

function movesOf(
  views: readonly (ResultView | null)[],
  pointers: readonly string[],
): RepeatMatrix['moves'] {
  const all = views.map((view) => (view === null ? new Map<string, string>() : leavesOf(view)));
  return pointers.map((pointer) => {
    const values = new Set(all.map((leaves) => cut(leaves.get(pointer) ?? '(absent)')));
    return { pointer, values: [...values].slice(0, MOST_VALUES) };
  });
}

function cut(text: string): string {
  return text.length <= VALUE_LENGTH
    ? text
    : `${text.slice(0, VALUE_LENGTH)} (${text.length - VALUE_LENGTH} more)`;
}

function sentenceOf(
  count: number,
  sameBytes: boolean | null,
  kinds: ReadonlySet<string>,
  moving: readonly string[],
  hiddenCount: number,
): string {
  if (sameBytes === null) return 'Fewer than two calls were made, so nothing can be told.';
  if (sameBytes) return `All ${count} answers are the same, byte for byte.`;
  if (kinds.size > 1) return `The same call ended in ${[...kinds].join(' and ')}.`;
  if (hiddenCount > 0) {
    const known =
      moving.length === 0 ? '' : ` In the others ${moving.slice(0, 5).join(', ')} moved.`;
    return `The same call gave different answers; in what can't be told, for ${hiddenCount} of ${count} could not be looked into: together they are too large.${known}`;
  }
  if (moving.length === 0) return `The ${count} answers differ only in how they are written.`;
  const shown = moving.slice(0, 5).join(', ');
  const rest = moving.length > 5 ? ` and ${moving.length - 5} more` : '';
  const verb = moving.length === 1 ? 'moves' : 'move';
  return `The same call gave different answers: ${shown}${rest} ${verb}. A result that isn't stable can't carry an attribution by these.`;
}
