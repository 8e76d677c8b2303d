import { escapePointerSegment, replaceAt } from '@misstep/json';
import {
  type BoundaryMatrix,
  type BoundaryRound,
  type BoundaryRow,
  fail,
  MOST_EXPERIMENT_CALLS,
  ok,
  type PlannedSend,
  type Result,
} from '@misstep/model';
import { differencesBetween } from './argument-differences.ts';
import { plainWords } from './attribution-words.ts';
import { CHECKS, halvings, narrowed, widestGap } from './boundary-path.ts';
import { boundaryLeftOpen, boundaryWords } from './boundary-words.ts';
import type { ExperimentMachine, MachinePlan, PlannedCall, SentOutcome } from './experiment.ts';
import { OutcomeReader, shortOutcome } from './outcome-reader.ts';
import { type MatrixSend, sendsTogether } from './sends-together.ts';
import { describeSignature, type Signature, signatureText } from './signature.ts';
import { rangeBetween, shortValue, type ValueRange } from './value-range.ts';

interface Options {
  readonly textA: string;
  readonly textB: string;
  /** Moved from A's value to B's; the others stay as A has them. */
  readonly argument: string;
  readonly signature: Signature;
  readonly ignoredPointers: readonly string[];
  /** Values tried in the widest gaps, once the search has come to neighbours. */
  readonly elsewhere: number;
}

interface Sent extends MatrixSend {
  readonly round: BoundaryRound;
  readonly place: bigint;
}

/** One argument between two values: where does the outcome change? */
export class BoundaryExperiment implements ExperimentMachine<BoundaryMatrix> {
  readonly plan: MachinePlan;
  readonly #options: Options;
  readonly #range: ValueRange;
  readonly #otherCount: number;
  readonly #reader: OutcomeReader;
  readonly #sent: Sent[] = [];
  /** The places of the plan's sends as they were chosen, by id. */
  readonly #chosen = new Map<string, bigint>();

  private constructor(options: Options, range: ValueRange, otherCount: number) {
    this.#options = options;
    this.#range = range;
    this.#otherCount = otherCount;
    this.#reader = new OutcomeReader(options.signature, options.ignoredPointers);
    const halvingCount = halvings(range.a, range.b);
    const planned = (round: BoundaryRound, count: number): PlannedSend[] =>
      Array.from({ length: count }, (_, at) => {
        const id = `${round} ${at + 1}`;
        const label = round === 'check' ? (at % 2 === 0 ? 'A' : 'B') : LABELS[round];
        return { id, label, round };
      });
    const order = [
      ...planned('check', CHECKS * 2),
      ...planned('halving', halvingCount),
      ...planned('once more', 2),
      ...planned('elsewhere', options.elsewhere),
    ];
    const rest =
      options.elsewhere === 0
        ? ''
        : `; then at most ${options.elsewhere} in the widest stretches where nothing was tried`;
    const what = `A, and A with B’s ${options.argument}, twice each; then ${options.argument} halfway between, ${halvingCount === 1 ? 'once' : `${halvingCount} times`} at most, until two neighbours with different outcomes are left; those once more${rest}`;
    this.plan = { kind: 'boundary', callCount: order.length, what, order };
  }

  /** The error is one sentence: nothing stands between the two values. */
  static create(options: Options): Result<BoundaryExperiment, string> {
    const differences = differencesBetween(options.textA, options.textB);
    if (!differences.ok) return differences;
    const own = differences.value.find(({ name }) => name === options.argument);
    if (own === undefined) {
      return fail(`${options.argument} is no argument in which the two calls differ.`);
    }
    const range = rangeBetween(own.a, own.b);
    if (!range.ok) return fail(`${options.argument}: ${range.error}`);
    const made = new BoundaryExperiment(options, range.value, differences.value.length - 1);
    const { callCount } = made.plan;
    return callCount <= MOST_EXPERIMENT_CALLS
      ? ok(made)
      : fail(`That would be ${callCount} calls, more than ${MOST_EXPERIMENT_CALLS}.`);
  }

  next(): PlannedCall | null {
    if (this.#refusal() !== null) return null;
    const chosen = this.#choose();
    if (chosen === null) return null;
    const { round, place } = chosen;
    const id = `${round} ${this.#sent.filter((each) => each.round === round).length + 1}`;
    if (!this.plan.order.some((each) => each.id === id)) return null;
    this.#chosen.set(id, place);
    const { textA, argument } = this.#options;
    const value = this.#range.textAt(place);
    const edited =
      place === this.#range.a
        ? ok(textA)
        : replaceAt(textA, `/${escapePointerSegment(argument)}`, value);
    if (!edited.ok) throw new Error(`Argument ${argument}: ${edited.error.message}`);
    const side = place === this.#range.a ? 'A, ' : place === this.#range.b ? 'B’s, ' : '';
    const label = `${argument}: ${side}${shortValue(this.#range.wordsAt(place))}`;
    return { id, label, round, argumentsText: edited.value };
  }

  record({ id }: PlannedCall, outcome: SentOutcome): void {
    const place = this.#chosen.get(id);
    const planned = this.plan.order.find((each) => each.id === id);
    if (place === undefined || planned === undefined) return;
    this.#reader.learnWhatMoves(this.#at(place)[0]?.outcome, outcome);
    // Only this class makes the order, and gives each its round.
    const round = planned.round as BoundaryRound;
    this.#sent.push({ id, round, place, outcome });
  }

  matrix(): BoundaryMatrix {
    const { argument, signature, ignoredPointers } = this.#options;
    const range = this.#range;
    const rows = this.#places().map((place) => this.#rowOf(place));
    const refusal = this.#refusal();
    const [outcomeA, outcomeB] = [this.#signatureAt(range.a), this.#signatureAt(range.b)];
    const changes = this.#changes();
    const outcomes = new Set(rows.flatMap((row) => row.signature ?? []));
    const distance = range.a < range.b ? range.b - range.a : range.a - range.b;
    const valuesBetween = distance - 1n;
    const facts = {
      argument,
      outcomeA,
      outcomeB,
      isHash: signature.kind === 'hash',
      changes,
      refusal,
      triedCount: rows.length,
      outcomeCount: outcomes.size,
      total: distance + 1n,
      step: range.step,
    };
    const { headline, detail } = boundaryWords(facts);
    const excludedPointers = this.#reader.excludedPointers;
    const stable = rows.filter(({ isStable }) => isStable === true);
    const details = detail.length === 0 ? '' : ` ${plainWords(detail)}`;
    return {
      argument,
      a: range.textAt(range.a),
      b: range.textAt(range.b),
      step: range.step,
      signature: describeSignature(signature),
      signatureText: signatureText(signature),
      outcomeA,
      outcomeB,
      rows,
      changes,
      outcomeCount: outcomes.size,
      valuesBetween: valuesBetween.toString(),
      excludedPointers,
      ignoredPointers: [...ignoredPointers],
      refusal,
      headline,
      detail,
      sentCount: this.#sent.length,
      stableCount: stable.reduce((sum, row) => sum + row.sends.length, 0),
      errorCount: this.#sent.filter(({ outcome }) => outcome.outcome !== 'result').length,
      notShown: boundaryLeftOpen({
        argument,
        untried: distance + 1n - BigInt(rows.length),
        otherCount: this.#otherCount,
        excluded: excludedPointers,
      }),
      sentence: `${plainWords(headline)}${details}`,
    };
  }

  /** From what is known alone, so that it is the same whenever it is asked. */
  #choose(): { round: BoundaryRound; place: bigint } | null {
    const { a, b } = this.#range;
    const count = this.#sent.length;
    if (count < CHECKS * 2) return { round: 'check', place: count % 2 === 0 ? a : b };
    const { near, far, middle } = this.#narrowed();
    if (middle !== null) return { round: 'halving', place: middle };
    const open = [near, far].find((place) => this.#at(place).length < 2);
    if (open !== undefined) return { round: 'once more', place: open };
    const gap = widestGap(this.#places());
    return gap === null ? null : { round: 'elsewhere', place: gap };
  }

  #narrowed() {
    return narrowed(this.#range.a, this.#range.b, (place) => this.#signatureAt(place));
  }

  #at(place: bigint): readonly Sent[] {
    return this.#sent.filter((each) => each.place === place);
  }

  /** From A to B. */
  #places(): bigint[] {
    const isUp = this.#range.a < this.#range.b;
    const found = [...new Set(this.#sent.map(({ place }) => place))];
    return found.sort((left, right) => (left < right === isUp ? -1 : 1));
  }

  #signatureAt(place: bigint): string | null {
    const [first] = this.#at(place);
    return first === undefined ? null : this.#reader.signatureOf(first.outcome);
  }

  /** The one that the search came to first, then the others from A to B. */
  #changes(): BoundaryMatrix['changes'] {
    const places = this.#places();
    const { near, far } = this.#narrowed();
    const found = places.flatMap((from, index) => {
      const to = places[index + 1];
      if (to === undefined || this.#signatureAt(from) === this.#signatureAt(to)) return [];
      return [{ from, to }];
    });
    const isSought = ({ from, to }: { from: bigint; to: bigint }) => from === near && to === far;
    return [...found.filter(isSought), ...found.filter((each) => !isSought(each))].map(
      ({ from, to }) => ({
        from: shortValue(this.#range.wordsAt(from)),
        to: shortValue(this.#range.wordsAt(to)),
        areNeighbours: to - from === 1n || from - to === 1n,
      }),
    );
  }

  #rowOf(place: bigint): BoundaryRow {
    const own = this.#at(place);
    const { a, b } = this.#range;
    // A share of the way, for drawing: thousandths are enough.
    const share = Number(((place - a) * 1000n) / (b - a)) / 1000;
    return {
      value: shortValue(this.#range.wordsAt(place)),
      share,
      round: own[0]?.round ?? 'check',
      ...sendsTogether(own, this.#reader),
    };
  }

  /** Null also while too little is known to refuse. */
  #refusal(): string | null {
    const what = describeSignature(this.#options.signature);
    const short = (each: string) => shortOutcome(each, this.#options.signature.kind);
    const hidden = this.#sent.filter(({ outcome }) => this.#reader.isHidden(outcome)).length;
    if (hidden > 0) {
      return `Nothing can be told of ${what}: ${hidden} of ${this.#sent.length} answers could not be looked into, for together they are too large.`;
    }
    for (const place of this.#places()) {
      const own = [
        ...new Set(this.#at(place).map(({ outcome }) => this.#reader.signatureOf(outcome))),
      ];
      if (own.length < 2) continue;
      const kinds = own.slice(0, 3).map(short).join(' and ');
      return `No boundary is named: ${what} is not stable, the same call with ${shortValue(this.#range.wordsAt(place))} came to ${kinds}.`;
    }
    if (this.#sent.length < CHECKS * 2) return null;
    const [a, b] = [this.#signatureAt(this.#range.a), this.#signatureAt(this.#range.b)];
    if (a === null || a !== b) return null;
    return `No boundary is named: by ${what}, A and A with B’s ${this.#options.argument} both come to ${short(a)}. Choose another outcome, or an argument that alone is enough.`;
  }
}

const LABELS: Readonly<Record<Exclude<BoundaryRound, 'check'>, string>> = {
  halving: 'halfway',
  'once more': 'neighbour once more',
  elsewhere: 'middle of the widest gap',
};
