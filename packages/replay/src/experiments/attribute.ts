import {
  type ArgumentDifference,
  type AttributionCell,
  type AttributionMatrix,
  fail,
  MOST_EXPERIMENT_CALLS,
  ok,
  type Result,
  type Words,
} from '@misstep/model';
import { sha256 } from '../receipt.ts';
import { differencesBetween, mixArguments } from './argument-differences.ts';
import { judgeArguments } from './attribution.ts';
import {
  type OrderedSend,
  orderSends,
  type PlannedCell,
  planCells,
  WHOLE_LATTICE,
} from './attribution-order.ts';
import { leftOpen, plainWords, verdictWords } from './attribution-words.ts';
import type { ExperimentMachine, MachinePlan, PlannedCall, SentOutcome } from './experiment.ts';
import { OutcomeReader, shortOutcome } from './outcome-reader.ts';
import { outermostDifferences } from './outermost-differences.ts';
import type { ResultView } from './result-view.ts';
import { type MatrixSend, sendsTogether } from './sends-together.ts';
import { describeSignature, type Signature, signatureText } from './signature.ts';

const MOST_DIFFERENCES = 32;

interface Options {
  readonly textA: string;
  readonly textB: string;
  readonly signature: Signature;
  /** Left out of a hash, with all below them. */
  readonly ignoredPointers: readonly string[];
  /** How often each combination is called, beside the check of A and B. */
  readonly repeats: number;
  /** Of the order in each repeat; a whole number of 32 bits. */
  readonly seed: number;
}

/** Two calls that differ in several arguments: which of them makes the difference? */
export class AttributeExperiment implements ExperimentMachine<AttributionMatrix> {
  readonly plan: MachinePlan;
  readonly isWhole: boolean;
  readonly #options: Options;
  readonly #differences: readonly ArgumentDifference[];
  readonly #cells: readonly PlannedCell[];
  readonly #order: readonly OrderedSend[];
  readonly #sent = new Map<string, MatrixSend[]>();
  readonly #reader: OutcomeReader;
  #at = 0;

  private constructor(
    options: Options,
    differences: readonly ArgumentDifference[],
    cells: readonly PlannedCell[],
    order: readonly OrderedSend[],
  ) {
    this.#options = options;
    this.#differences = differences;
    this.#cells = cells;
    this.#order = order;
    this.#reader = new OutcomeReader(options.signature, options.ignoredPointers);
    this.isWhole = differences.length <= WHOLE_LATTICE;
    const names = differences.map(({ name }) => name).join(', ');
    const which = this.isWhole
      ? `all ${cells.length} combinations of ${names}`
      : `A, B and each of ${names} switched alone from either side (more than ${WHOLE_LATTICE} differ, so not every combination)`;
    const what = `A and B first, twice each, to see whether their answers hold still; then ${which}, ${options.repeats} times each, in another order every time`;
    this.plan = { kind: 'attribute', callCount: order.length, what, order };
  }

  /** The error is one sentence: there is nothing to tell apart, or too much. */
  static create(options: Options): Result<AttributeExperiment, string> {
    const differences = differencesBetween(options.textA, options.textB);
    if (!differences.ok) return differences;
    const count = differences.value.length;
    if (count === 0) return fail('The two calls have the same arguments: nothing to attribute.');
    if (count > MOST_DIFFERENCES) {
      return fail(`The two calls differ in ${count} arguments, more than ${MOST_DIFFERENCES}.`);
    }
    const cells = planCells(differences.value);
    const order = orderSends(cells, differences.value, options.repeats, options.seed);
    if (order.length > MOST_EXPERIMENT_CALLS) {
      return fail(
        `That would be ${order.length} calls, more than ${MOST_EXPERIMENT_CALLS}: ask for fewer repeats.`,
      );
    }
    return ok(new AttributeExperiment(options, differences.value, cells, order));
  }

  next(): PlannedCall | null {
    const send = this.#order[this.#at];
    if (send === undefined || this.#refusal() !== null) return null;
    const { textA, textB } = this.#options;
    const fromB = [...send.key].map((side) => side === 'B');
    const argumentsText = fromB.includes(true)
      ? mixArguments(textA, textB, this.#differences, fromB)
      : textA;
    const { id, label, round } = send;
    return { id, label, round, argumentsText };
  }

  record({ id }: PlannedCall, outcome: SentOutcome): void {
    const at = this.#order.findIndex((send) => send.id === id);
    const send = this.#order[at];
    if (send === undefined) return;
    this.#at = at + 1;
    const before = this.#sentOf(send.key);
    this.#reader.learnWhatMoves(before[0]?.outcome, outcome);
    this.#sent.set(send.key, [...before, { id, round: send.round, outcome }]);
  }

  matrix(): AttributionMatrix {
    const { signature, ignoredPointers } = this.#options;
    const cells = this.#cells.map((cell) => this.#cellOf(cell));
    const byKey = new Map(
      cells.flatMap(({ key, signature: own }) => (own === null ? [] : [[key, own] as const])),
    );
    const count = this.#differences.length;
    const [keyA, keyB] = ['A'.repeat(count), 'B'.repeat(count)];
    const refusal = this.#refusal();
    const names = this.#differences.map(({ name }) => name);
    const [outcomeA, outcomeB] = [byKey.get(keyA) ?? null, byKey.get(keyB) ?? null];
    const judgements = refusal === null ? judgeArguments(names, byKey) : [];
    const { headline, detail } = this.#verdict(refusal, judgements, outcomeA, outcomeB);
    const [viewA, viewB] = [this.#firstView(keyA), this.#firstView(keyB)];
    const differences =
      viewA === null || viewB === null
        ? { rows: [], omitted: 0 }
        : outermostDifferences(viewA, viewB, this.#reader.isLeftOut);
    const excludedPointers = this.#reader.excludedPointers;
    const excludedWords =
      excludedPointers.length === 0
        ? ''
        : ` Left out because they move by themselves: ${excludedPointers.join(', ')}.`;
    const sends = cells.flatMap((cell) => cell.sends);
    const stable = cells.filter(({ isStable }) => isStable === true);
    const details = detail.length === 0 ? '' : ` ${plainWords(detail)}`;
    return {
      arguments: [...this.#differences],
      signature: describeSignature(signature),
      signatureText: signatureText(signature),
      outcomeA,
      outcomeB,
      cells,
      signatures: this.#signatureRows(cells),
      differences: differences.rows,
      differencesOmitted: differences.omitted,
      excludedPointers,
      ignoredPointers: [...ignoredPointers],
      refusal,
      judgements,
      headline,
      detail,
      sentCount: sends.length,
      stableCount: stable.reduce((sum, cell) => sum + cell.sends.length, 0),
      errorCount: sends.filter(({ outcome }) => outcome !== 'result').length,
      notShown: leftOpen(this.isWhole, excludedPointers),
      sentence: `${plainWords(headline)}${details}${excludedWords}`,
    };
  }

  #verdict(
    refusal: string | null,
    judgements: AttributionMatrix['judgements'],
    outcomeA: string | null,
    outcomeB: string | null,
  ): { headline: Words; detail: Words } {
    if (refusal !== null) return { headline: [{ text: refusal, isName: false }], detail: [] };
    if (outcomeA === null || outcomeB === null) {
      return { headline: [{ text: 'Nothing can be told yet.', isName: false }], detail: [] };
    }
    const { kind } = this.#options.signature;
    const isHash = kind === 'hash';
    const short = (each: string) => shortOutcome(each, kind);
    const areHashes = isHash && !outcomeA.startsWith('(') && !outcomeB.startsWith('(');
    const outcomes = areHashes
      ? { a: 'A’s result', b: 'B’s' }
      : { a: short(outcomeA), b: short(outcomeB) };
    return verdictWords({ judgements, outcomes, isWhole: this.isWhole });
  }

  #cellOf(cell: PlannedCell): AttributionCell {
    const { signature, isStable, medianNs, sends } = sendsTogether(
      this.#sentOf(cell.key),
      this.#reader,
    );
    const digits =
      signature === null ? undefined : /^(\d+) (?:items?|members?)$/.exec(signature)?.[1];
    return {
      ...cell,
      signature,
      isStable,
      count:
        this.#options.signature.kind === 'count' && digits !== undefined ? Number(digits) : null,
      effect: this.#effectOf(cell, signature),
      medianNs,
      sends,
    };
  }

  #effectOf(cell: PlannedCell, signature: string | null): AttributionCell['effect'] {
    if (cell.group === 'base') return 'baseline';
    const side = cell.group === 'intoB' ? 'B' : 'A';
    const base = this.#sentOf(side.repeat(this.#differences.length))[0]?.outcome;
    if (signature === null || base === undefined || this.#reader.isHidden(base)) return 'not known';
    return signature === this.#reader.signatureOf(base) ? 'no change' : 'changes';
  }

  #signatureRows(cells: readonly AttributionCell[]): AttributionMatrix['signatures'] {
    const found = new Map<string, { sends: number; cells: Set<string> }>();
    for (const { key, sends } of cells) {
      for (const { signature } of sends) {
        const row = found.get(signature) ?? { sends: 0, cells: new Set<string>() };
        row.sends += 1;
        row.cells.add(key);
        found.set(signature, row);
      }
    }
    const isHash = this.#options.signature.kind === 'hash';
    return [...found].map(([signature, row]) => ({
      signature,
      short: (isHash && !signature.startsWith('(') ? signature : sha256(signature)).slice(0, 8),
      words:
        isHash && !signature.startsWith('(')
          ? this.#besideA(signature)
          : shortOutcome(signature, this.#options.signature.kind),
      sendCount: row.sends,
      cellCount: row.cells.size,
    }));
  }

  /** What makes a whole result another one than A's; its own and B's are told by `differences`. */
  #besideA(signature: string): string {
    const count = this.#differences.length;
    const [keyA, keyB] = ['A'.repeat(count), 'B'.repeat(count)];
    const viewA = this.#firstView(keyA);
    const cell = this.#cells.find(({ key }) =>
      this.#sentOf(key).some(({ outcome }) => this.#reader.signatureOf(outcome) === signature),
    );
    const view = cell === undefined ? null : this.#firstView(cell.key);
    if (cell === undefined || cell.key === keyA || cell.key === keyB) return WHOLE_RESULT;
    if (viewA === null || view === null) return WHOLE_RESULT;
    const { rows } = outermostDifferences(viewA, view, this.#reader.isLeftOut);
    const shown = rows.slice(0, 3).map(({ pointer, b }) => `${pointer || 'the whole'} ${b}`);
    return shown.length === 0 ? WHOLE_RESULT : shown.join(', ');
  }

  #sentOf(key: string): readonly MatrixSend[] {
    return this.#sent.get(key) ?? [];
  }

  #firstView(key: string): ResultView | null {
    const text = this.#sentOf(key)[0]?.outcome.resultText ?? null;
    return text === null ? null : this.#reader.view(text);
  }

  /** Null also while too little is known to refuse. */
  #refusal(): string | null {
    const what = describeSignature(this.#options.signature);
    const short = (each: string) => shortOutcome(each, this.#options.signature.kind);
    const came = [...this.#sent.values()].flat().map(({ outcome }) => outcome);
    const hiddenCount = came.filter((outcome) => this.#reader.isHidden(outcome)).length;
    if (hiddenCount > 0) {
      return `Nothing can be told of ${what}: ${hiddenCount} of ${came.length} answers could not be looked into, for together they are too large.`;
    }
    for (const cell of this.#cells) {
      const own = [
        ...new Set(this.#sentOf(cell.key).map(({ outcome }) => this.#reader.signatureOf(outcome))),
      ];
      if (own.length < 2) continue;
      const send = this.#order.find(({ key }) => key === cell.key);
      const kinds = own.slice(0, 3).map(short).join(' and ');
      return `Nothing is attributed: ${what} is not stable, the same call ${send?.label ?? cell.key} came to ${kinds}.`;
    }
    const checks = this.#order.filter(({ round }) => round === 'check').length;
    const [a, b] = (['A', 'B'] as const).map(
      (side) => this.#sentOf(side.repeat(this.#differences.length))[0]?.outcome,
    );
    if (this.#at < checks || a === undefined || b === undefined) return null;
    const outcome = this.#reader.signatureOf(a);
    if (outcome !== this.#reader.signatureOf(b)) return null;
    return `Nothing is attributed: by ${what}, A and B both come to ${short(outcome)}.`;
  }
}

const WHOLE_RESULT = 'the whole result';
