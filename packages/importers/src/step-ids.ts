import type { Origin, SourceHash, StepId } from '@misstep/model';
import { stepIdAt } from './step-builder.ts';

/** Gives steps their ids: where their record begins, and which step of that record they are. */
export class StepIds {
  readonly #next = new Map<number | string, number>();
  readonly #partOf: (sha256: SourceHash) => string | null;

  /** `part`: of a source beside the main one, or which part each of several sources is. */
  constructor(part: string | null | ((sha256: SourceHash) => string | null) = null) {
    this.#partOf = typeof part === 'function' ? part : () => part;
  }

  at({ sha256, offset }: Pick<Origin, 'sha256' | 'offset'>): StepId {
    const part = this.#partOf(sha256);
    const key = part === null ? offset : `${part} ${offset}`;
    const ordinal = this.#next.get(key) ?? 0;
    this.#next.set(key, ordinal + 1);
    return stepIdAt(offset, ordinal, part);
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
