import type { StepId } from '@misstep/model';
import { stepIdAt } from './step-builder.ts';

/** Gives steps their ids: where their record begins, and which step of that record they are. */
export class StepIds {
  readonly #next = new Map<number, number>();
  readonly #part: string | null;

  /** `part`: of a source beside the main one. */
  constructor(part: string | null = null) {
    this.#part = part;
  }

  at(offset: number): StepId {
    const ordinal = this.#next.get(offset) ?? 0;
    this.#next.set(offset, ordinal + 1);
    return stepIdAt(offset, ordinal, this.#part);
  }
}

/**
 * A number for a record that moves about in its source (a row of a database), from the record's
 * own id: steps keep their ids where the file is written anew.
 */
export function idNumberOf(naturalId: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = 0; at < naturalId.length; at += 1) {
    const unit = naturalId.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193) >>> 0;
    high = Math.imul(high ^ unit, 0x5bd1e995) >>> 0;
    high ^= high >>> 15;
  }
  return (high >>> 0) * 2 ** 20 + (low >>> 12);
}
