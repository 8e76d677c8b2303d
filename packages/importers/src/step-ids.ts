import type { StepId } from '@misstep/model';
import { stepIdAt } from './step-builder.ts';

/** Gives steps their ids: where their record begins, and which step of that record they are. */
export class StepIds {
  readonly #next = new Map<number, number>();

  at(offset: number): StepId {
    const ordinal = this.#next.get(offset) ?? 0;
    this.#next.set(offset, ordinal + 1);
    return stepIdAt(offset, ordinal);
  }
}
