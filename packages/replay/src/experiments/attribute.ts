import { fail, ok, type Result } from '@misstep/model';
import {
  type ArgumentDifference,
  differencesBetween,
  mixArguments,
} from './argument-differences.ts';
import { type ArgumentJudgement, judgeArguments, keyWith } from './attribution.ts';
import {
  type Experiment,
  type ExperimentPlan,
  type PlannedCall,
  planOf,
  type SentOutcome,
} from './experiment.ts';
import { movingPointers, viewResult } from './result-view.ts';
import { describeSignature, type Signature, signatureOf } from './signature.ts';

/** Up to here every combination is called, beyond it each argument alone from either side. */
const WHOLE_LATTICE = 4;
const MOST_DIFFERENCES = 32;

export interface AttributionCell {
  /** For each argument whose value it had, e.g. `ABA`. */
  readonly key: string;
  readonly signature: string;
  readonly replayIds: readonly (string | null)[];
}

export interface AttributionMatrix {
  readonly arguments: readonly ArgumentDifference[];
  readonly signature: string;
  readonly outcomeA: string | null;
  readonly outcomeB: string | null;
  readonly cells: readonly AttributionCell[];
  /** Pointers that move between calls of the same arguments; left out of the signature by name. */
  readonly excludedPointers: readonly string[];
  /** Why nothing is attributed; null where it is. */
  readonly refusal: string | null;
  readonly judgements: readonly ArgumentJudgement[];
  readonly sentence: string;
}

interface Options {
  readonly textA: string;
  readonly textB: string;
  readonly signature: Signature;
  /** How often A and B are each called before anything is attributed; 2 at least. */
  readonly repeats: number;
  readonly isReadOnly: boolean;
}

/** Two calls that differ in several arguments: which of them makes the difference? */
export class AttributeExperiment implements Experiment<AttributionMatrix> {
  readonly plan: ExperimentPlan;
  readonly #options: Options;
  readonly #differences: readonly ArgumentDifference[];
  readonly #keys: readonly string[];
  readonly #sent = new Map<string, SentOutcome[]>();

  private constructor(options: Options, differences: readonly ArgumentDifference[]) {
    this.#options = options;
    this.#differences = differences;
    this.#keys = cellKeys(differences.length);
    const total = 2 * options.repeats + this.#keys.length;
    const names = differences.map(({ name }) => name).join(', ');
    const what = `A and B ${options.repeats} times each, to see whether their answers hold still, then ${this.#keys.length} combinations of ${names}`;
    this.plan = planOf('attribute', total, options.isReadOnly, what);
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
    return ok(new AttributeExperiment(options, differences.value));
  }

  next(): PlannedCall | null {
    const { repeats, textA, textB } = this.#options;
    const count = this.#differences.length;
    for (const side of ['A', 'B'] as const) {
      const done = this.#sentOf(side.repeat(count)).length;
      if (done >= repeats) continue;
      const label = `${side}, ${done + 1} of ${repeats}`;
      return {
        id: `${side.repeat(count)} ${done}`,
        label,
        argumentsText: side === 'A' ? textA : textB,
      };
    }
    if (this.#refusal() !== null) return null;
    const key = this.#keys.find((each) => this.#sentOf(each).length === 0);
    if (key === undefined) return null;
    const fromB = [...key].map((side) => side === 'B');
    return {
      id: `${key} 0`,
      label: this.#describeCell(key),
      argumentsText: mixArguments(textA, textB, this.#differences, fromB),
    };
  }

  record({ id }: PlannedCall, outcome: SentOutcome): void {
    const key = id.slice(0, id.indexOf(' '));
    this.#sent.set(key, [...this.#sentOf(key), outcome]);
  }

  matrix(): AttributionMatrix {
    const excluded = this.#excluded();
    const { signature } = this.#options;
    const count = this.#differences.length;
    const cells = [...this.#sent].flatMap(([key, outcomes]): AttributionCell[] => {
      const [first] = outcomes;
      if (first === undefined) return [];
      const replayIds = outcomes.map(({ replayId }) => replayId);
      return [{ key, signature: signatureOf(signature, first, excluded), replayIds }];
    });
    const byKey = new Map(cells.map((cell) => [cell.key, cell.signature]));
    const refusal = this.#refusal();
    const names = this.#differences.map(({ name }) => name);
    const judgements = refusal === null ? judgeArguments(names, byKey) : [];
    const outcomeA = byKey.get('A'.repeat(count)) ?? null;
    const outcomeB = byKey.get('B'.repeat(count)) ?? null;
    const what = describeSignature(signature);
    const excludedWords =
      excluded.size === 0
        ? ''
        : ` Left out because they move by themselves: ${[...excluded].join(', ')}.`;
    return {
      arguments: this.#differences,
      signature: what,
      outcomeA,
      outcomeB,
      cells,
      excludedPointers: [...excluded],
      refusal,
      judgements,
      sentence:
        refusal ??
        `By ${what}, A comes to ${outcomeA ?? 'nothing yet'} and B to ${outcomeB ?? 'nothing yet'}. ${judgements.map(({ sentence }) => sentence).join(' ')}${excludedWords}`,
    };
  }

  #sentOf(key: string): readonly SentOutcome[] {
    return this.#sent.get(key) ?? [];
  }

  #isSettled(): boolean {
    const count = this.#differences.length;
    return (['A', 'B'] as const).every(
      (side) => this.#sentOf(side.repeat(count)).length >= this.#options.repeats,
    );
  }

  /** Only a hash can do without some pointers; what else is looked at must hold still. */
  #excluded(): ReadonlySet<string> {
    if (this.#options.signature.kind !== 'hash') return new Set();
    return new Set((['A', 'B'] as const).flatMap((side) => this.#moving(side)));
  }

  #moving(side: 'A' | 'B'): string[] {
    const outcomes = this.#sentOf(side.repeat(this.#differences.length));
    return movingPointers(
      outcomes.map(({ resultText }) => (resultText === null ? null : viewResult(resultText))),
    );
  }

  /** Null also while too little is known to refuse. */
  #refusal(): string | null {
    if (!this.#isSettled()) return null;
    const { signature } = this.#options;
    const excluded = this.#excluded();
    const count = this.#differences.length;
    const found = (['A', 'B'] as const).map((side) => {
      const outcomes = this.#sentOf(side.repeat(count));
      return [...new Set(outcomes.map((each) => signatureOf(signature, each, excluded)))];
    });
    for (const [index, side] of (['A', 'B'] as const).entries()) {
      const own = found[index] ?? [];
      if (own.length < 2) continue;
      return `Nothing is attributed: ${describeSignature(signature)} is not stable, the same call ${side} came to ${own.slice(0, 3).join(' and ')}.`;
    }
    if (found[0]?.[0] === found[1]?.[0]) {
      return `Nothing is attributed: by ${describeSignature(signature)}, A and B both come to ${found[0]?.[0] ?? 'nothing'}.`;
    }
    return null;
  }

  #describeCell(key: string): string {
    return this.#differences.map(({ name }, index) => `${name} of ${key[index]}`).join(', ');
  }
}

/** The combinations beside A and B themselves, single switches first. */
function cellKeys(count: number): string[] {
  const single = Array.from({ length: count }, (_, index) => [
    keyWith(count, 'A', index, 'B'),
    keyWith(count, 'B', index, 'A'),
  ]).flat();
  const keys = new Set(single);
  if (count <= WHOLE_LATTICE) {
    for (let mask = 0; mask < 2 ** count; mask += 1) {
      keys.add(Array.from({ length: count }, (_, at) => ((mask >> at) & 1 ? 'B' : 'A')).join(''));
    }
  }
  keys.delete('A'.repeat(count));
  keys.delete('B'.repeat(count));
  return [...keys];
}
