import type { RaceMatrix, RaceRow } from '@misstep/model';
import type { ExperimentMachine, MachinePlan, PlannedCall, SentOutcome } from './experiment.ts';
import { raceLeftOpen } from './left-open.ts';
import { medianOf } from './median.ts';
import { hashView, movingPointers, viewResult } from './result-view.ts';

export type RaceConnections = 'one' | 'each';

/** What came of one of several calls at once. */
export interface RacedOutcome extends SentOutcome {
  /** Of the frame log. */
  readonly connection: string;
  /** On one clock for all of them; null = no answer. */
  readonly answeredAtNs: number | null;
}

/** How often each call is sent alone first, to know its answer and what in it moves by itself. */
const ALONE = 2;

interface Options {
  readonly textA: string;
  /** The second call, with which answers could be crossed; null = only one call. */
  readonly textB: string | null;
  readonly atOnce: number;
  readonly connections: RaceConnections;
}

/** K calls at once, held against what the same calls answer alone. */
export class RaceExperiment implements ExperimentMachine<RaceMatrix> {
  readonly plan: MachinePlan;
  readonly connections: RaceConnections;
  readonly #options: Options;
  readonly #variants: readonly ('A' | 'B')[];
  readonly #alone: { variant: 'A' | 'B'; outcome: SentOutcome }[] = [];
  #raced: readonly RacedOutcome[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.connections = options.connections;
    this.#variants = options.textB === null ? ['A'] : ['A', 'B'];
    const alone = this.#variants.length * ALONE;
    const where = options.connections === 'one' ? 'one connection' : 'a connection each';
    const what = `${alone} alone, then ${options.atOnce} at once on ${where}`;
    const order = [
      ...Array.from({ length: alone }, (_, at) => this.#aloneCall(at)),
      ...this.raceCalls(),
    ].map(({ id, label, round }) => ({ id, label, round }));
    this.plan = { kind: 'race', callCount: order.length, what, order };
  }

  /** The calls alone; those at once are `raceCalls`. */
  next(): PlannedCall | null {
    const at = this.#alone.length;
    return at >= this.#variants.length * ALONE ? null : this.#aloneCall(at);
  }

  record({ label }: PlannedCall, outcome: SentOutcome): void {
    this.#alone.push({ variant: label.startsWith('B') ? 'B' : 'A', outcome });
  }

  raceCalls(): readonly PlannedCall[] {
    return Array.from({ length: this.#options.atOnce }, (_, at) =>
      this.#call(this.#variants[at % this.#variants.length] ?? 'A', 'at once', at),
    );
  }

  /** In the order of `raceCalls`. */
  recordRace(outcomes: readonly RacedOutcome[]): void {
    this.#raced = outcomes;
  }

  matrix(): RaceMatrix {
    const moving = new Set(this.#variants.flatMap((variant) => this.#moving(variant)));
    const alone = new Map(
      this.#variants.flatMap((variant) => {
        const first = this.#alone.find((each) => each.variant === variant);
        return first === undefined || this.#isHidden(variant)
          ? []
          : [[variant, identity(first.outcome, moving)] as const];
      }),
    );
    const canSeeCrossing = alone.size === 2 && alone.get('A') !== alone.get('B');
    const rows = this.#rows(alone, moving, canSeeCrossing);
    const facts = {
      errorCount: rows.filter(({ outcome }) => outcome !== 'result').length,
      differentCount: rows.filter(({ likeAlone }) => likeAlone === false).length,
      crossedCount: rows.filter(({ crossedWith }) => crossedWith !== null).length,
      canSeeCrossing,
      inOrder: inOrder(rows),
    };
    const hiddenCount = this.#alone.filter(({ outcome }) => isHidden(outcome)).length;
    return {
      connections: this.#options.connections,
      alone: this.#alone.map(({ variant, outcome: { replayId, outcome, callDurationNs } }) => ({
        variant,
        replayId,
        outcome,
        callDurationNs,
      })),
      movingPointers: [...moving],
      rows,
      ...facts,
      medianAloneNs: medianOf(this.#alone.map(({ outcome }) => outcome.callDurationNs)),
      medianRacedNs: medianOf(rows.map(({ callDurationNs }) => callDurationNs)),
      notShown: raceLeftOpen({
        connections: this.#options.connections,
        canSeeCrossing,
        rows,
        movingPointers: [...moving],
      }),
      sentence: sentenceOf(rows.length, this.#variants.length, facts, hiddenCount),
    };
  }

  #aloneCall(at: number): PlannedCall {
    return this.#call(this.#variants[at % this.#variants.length] ?? 'A', 'alone', at);
  }

  #call(variant: 'A' | 'B', round: 'alone' | 'at once', at: number): PlannedCall {
    const { textA, textB } = this.#options;
    const argumentsText = variant === 'B' && textB !== null ? textB : textA;
    const id = `${round} ${at + 1}`;
    return { id, label: `${variant}, ${id}`, round, argumentsText };
  }

  /** True where the call's answers alone are not all at hand: what is its own can't be told then. */
  #isHidden(variant: 'A' | 'B'): boolean {
    return this.#alone.some((each) => each.variant === variant && isHidden(each.outcome));
  }

  #moving(variant: 'A' | 'B'): string[] {
    return movingPointers(
      this.#alone
        .filter((each) => each.variant === variant && !isHidden(each.outcome))
        .map(({ outcome: { resultText } }) =>
          resultText === null ? null : viewResult(resultText),
        ),
    );
  }

  #rows(
    alone: ReadonlyMap<'A' | 'B', string>,
    moving: ReadonlySet<string>,
    canSeeCrossing: boolean,
  ): RaceRow[] {
    const order = this.#raced
      .flatMap(({ answeredAtNs }, index) =>
        answeredAtNs === null ? [] : [{ answeredAtNs, index }],
      )
      .sort((a, b) => a.answeredAtNs - b.answeredAtNs)
      .map(({ index }) => index);
    return this.#raced.map((outcome, index): RaceRow => {
      const variant = this.#variants[index % this.#variants.length] ?? 'A';
      const other = variant === 'A' ? 'B' : 'A';
      const own = identity(outcome, moving);
      const expected = alone.get(variant);
      const likeAlone = expected === undefined ? null : own === expected;
      const isCrossed = canSeeCrossing && likeAlone === false && own === alone.get(other);
      return {
        label: `${variant}, at once ${index + 1}`,
        variant,
        connection: outcome.connection,
        outcome: outcome.outcome,
        callDurationNs: outcome.callDurationNs,
        answerOrder: order.includes(index) ? order.indexOf(index) + 1 : null,
        likeAlone,
        crossedWith: isCrossed ? other : null,
      };
    });
  }
}

function isHidden({ notLookedIntoSha256 = null }: SentOutcome): boolean {
  return notLookedIntoSha256 !== null;
}

/** Equal texts are equal answers, but for the pointers that move by themselves. */
function identity({ outcome, resultText }: SentOutcome, moving: ReadonlySet<string>): string {
  const view = resultText === null ? null : viewResult(resultText);
  return view === null
    ? `(${outcome})`
    : `${outcome} ${hashView(view, (pointer) => moving.has(pointer))}`;
}

function inOrder(rows: readonly RaceRow[]): boolean | null {
  const orders = rows.flatMap(({ answerOrder }) => (answerOrder === null ? [] : [answerOrder]));
  if (orders.length < 2) return null;
  return orders.every((order, index) => index === 0 || order > (orders[index - 1] ?? 0));
}

function sentenceOf(
  count: number,
  variantCount: number,
  facts: Pick<
    RaceMatrix,
    'errorCount' | 'differentCount' | 'crossedCount' | 'canSeeCrossing' | 'inOrder'
  >,
  hiddenCount: number,
): string {
  if (count === 0) return 'No calls were sent at once.';
  const { errorCount, differentCount, crossedCount, canSeeCrossing } = facts;
  const parts = [
    crossedCount > 0
      ? `${crossedCount} of ${count} ${count === 1 ? 'call' : 'calls'} got the answer of the other call`
      : canSeeCrossing
        ? `none of ${count} answers was crossed`
        : `${count} ${count === 1 ? 'call' : 'calls'}; whether answers were crossed can't be seen, ${variantCount === 1 ? 'for all are the same call' : hiddenCount > 0 ? 'for answers alone could not be looked into' : 'for both calls answer the same alone'}`,
    hiddenCount > 0
      ? `whether each answer is the one that the call gets alone can't be told of all: ${hiddenCount} ${hiddenCount === 1 ? 'answer' : 'answers'} alone could not be looked into, for together they are too large${differentCount === 0 ? '' : `; ${differentCount} of the others answered otherwise than alone`}`
      : differentCount === 0
        ? 'every answer is the one that the call gets alone'
        : `${differentCount} answered otherwise than alone`,
    ...(errorCount === 0 ? [] : [`${errorCount} ended without a result`]),
    ...(facts.inOrder === null
      ? []
      : [
          facts.inOrder
            ? 'answers came in the order of the calls'
            : 'answers came in another order than the calls',
        ]),
  ];
  const sentence = parts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
