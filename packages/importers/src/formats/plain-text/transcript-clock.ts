import type { RunClock, SourceHash, StepTime } from '@misstep/model';
import { counted, type IssueList } from '../../record-ledger.ts';
import { NS_PER_DAY, type SourceTime } from '../../source-time.ts';
import { noTime } from '../../step-builder.ts';

const HALF_DAY = NS_PER_DAY / 2n;

/** Puts the stamps of a transcript on one clock: that of the first. */
export class TranscriptClock {
  clock: RunClock = 'none';
  readonly #issues: IssueList;
  readonly #sha256: SourceHash;
  #last: bigint | null = null;
  #days = 0n;

  constructor(issues: IssueList, sha256: SourceHash) {
    this.#issues = issues;
    this.#sha256 = sha256;
  }

  /**
   * The stamp in nanoseconds; null where it is of another kind than the first. A time of day that
   * goes back by more than twelve hours is of the next day; a smaller step back is kept and told.
   */
  place(time: SourceTime, offset: number): bigint | null {
    if (this.clock === 'none') this.clock = time.clock;
    if (time.clock !== this.clock) {
      this.#issues.count(
        'CLOCK_MIXED',
        (count) => `${counted(count, 'stamp')} of another kind than the first can't be placed.`,
        this.#sha256,
        offset,
      );
      return null;
    }
    let ns = time.ns + this.#days * NS_PER_DAY;
    if (time.clock === 'timeOfDay' && this.#last !== null && ns < this.#last - HALF_DAY) {
      this.#days += 1n;
      ns += NS_PER_DAY;
    }
    if (this.#last !== null && ns < this.#last) {
      this.#issues.count(
        'TIME_BACKWARDS',
        (count) => `${counted(count, 'stamp')} earlier than the one before; kept as written.`,
        this.#sha256,
        offset,
      );
      return ns;
    }
    this.#last = ns;
    return ns;
  }

  stepTime(time: SourceTime | null, offset: number): StepTime {
    if (time === null) return noTime();
    return {
      startedAtNs: this.place(time, offset),
      endedAtNs: null,
      startedAtText: time.text,
      endedAtText: null,
      evidence: 'rendered',
    };
  }
}
