import { isWholeHash, shortHash } from '@misstep/model';
import type { SentOutcome } from './experiment.ts';
import { isAtOrBelow, movingPointers, type ResultView, viewResult } from './result-view.ts';
import { isOutOfSight, NOT_LOOKED_INTO, type Signature, signatureOf } from './signature.ts';

/** Outcomes as their signatures, without the pointers that were seen to move by themselves. */
export class OutcomeReader {
  readonly #signature: Signature;
  readonly #ignoredPointers: readonly string[];
  readonly #views = new Map<string, ResultView | null>();
  readonly #excluded = new Set<string>();
  #signatures = new Map<string, string>();

  /** `ignoredPointers` are left out of a hash, with all below them. */
  constructor(signature: Signature, ignoredPointers: readonly string[]) {
    this.#signature = signature;
    this.#ignoredPointers = ignoredPointers;
  }

  /** Pointers that moved between calls of the same arguments. */
  get excludedPointers(): string[] {
    return [...this.#excluded];
  }

  readonly isLeftOut = (pointer: string): boolean =>
    this.#excluded.has(pointer) || isAtOrBelow(pointer, this.#ignoredPointers);

  /** True where what the signature asks for stands in a result that is not at hand. */
  isHidden(outcome: SentOutcome): boolean {
    return isOutOfSight(this.#signature, outcome);
  }

  /** May become another one when more is learned of what moves. */
  signatureOf(outcome: SentOutcome): string {
    if (this.isHidden(outcome)) return NOT_LOOKED_INTO;
    const key = `${outcome.outcome} ${outcome.resultText ?? ''}`;
    const known = this.#signatures.get(key);
    if (known !== undefined) return known;
    const made = signatureOf(this.#signature, outcome, this.isLeftOut, (text) => this.view(text));
    this.#signatures.set(key, made);
    return made;
  }

  /** Only a hash can do without some pointers; what else is looked at must hold still. */
  learnWhatMoves(first: SentOutcome | undefined, next: SentOutcome): void {
    if (this.#signature.kind !== 'hash' || first === undefined) return;
    if (first.outcome !== 'result' || next.outcome !== 'result') return;
    if (first.resultText === null || next.resultText === null) return;
    if (first.resultText === next.resultText) return;
    const before = this.#excluded.size;
    const views = [this.view(first.resultText), this.view(next.resultText)];
    for (const pointer of movingPointers(views)) {
      if (!isAtOrBelow(pointer, this.#ignoredPointers)) this.#excluded.add(pointer);
    }
    if (this.#excluded.size > before) this.#signatures = new Map();
  }

  view(resultText: string): ResultView | null {
    const known = this.#views.get(resultText);
    if (known !== undefined) return known;
    const view = viewResult(resultText);
    this.#views.set(resultText, view);
    return view;
  }
}

/** For a sentence: what is long is cut, and says so; of a whole result's hash the digits that name it everywhere. */
export function shortOutcome(signature: string, kind: Signature['kind']): string {
  if (kind === 'hash' && isWholeHash(signature)) return `result ${shortHash(signature)}`;
  return signature.length <= 60
    ? signature
    : `${signature.slice(0, 60)} (${signature.length - 60} more)`;
}
