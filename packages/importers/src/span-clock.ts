import type { RunClock } from '@misstep/model';
import type { JsonView } from './json-view.ts';
import { counted, IssueList } from './record-ledger.ts';
import { decimalToNs, epochToNs, readTime } from './source-time.ts';
import type { SpanTime } from './trace-span.ts';

/**
 * Reads the times of one source, which are of one kind: that of the first. Times of another kind
 * are told and left out.
 */
export class SpanClock {
  readonly #issues: IssueList;
  #clock: RunClock | null = null;

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  get clock(): RunClock {
    return this.#clock ?? 'none';
  }

  /** Reads the same times again and tells nothing twice. */
  repeat(): SpanClock {
    const repeated = new SpanClock(new IssueList());
    repeated.#clock = this.#clock;
    return repeated;
  }

  /**
   * ISO text, or a number since 1970 in `unit`; in the unit that its size tells where none is given.
   * `isUtc`: the format defines that times without a zone are UTC.
   */
  read(
    view: JsonView | undefined,
    unit: 's' | 'ms' | null = null,
    { isUtc = false } = {},
  ): SpanTime | null {
    if (view === undefined || view.isNull) return null;
    const number = view.node.kind === 'number' ? view.written : null;
    const text = number ?? view.text;
    if (text === null) return null;
    if (number !== null) {
      const ns =
        unit === null ? epochToNs(plainNumber(number)) : decimalToNs(plainNumber(number), unit);
      return ns === null || ns <= 0n ? null : this.#take('zoned', { ns, text }, view);
    }
    const time = readTime(text.trim());
    if (time === null || time.clock === 'timeOfDay') return null;
    return this.#take(isUtc ? 'zoned' : time.clock, { ns: time.ns, text: time.text }, view);
  }

  #take(clock: RunClock, time: SpanTime, view: JsonView): SpanTime | null {
    this.#clock ??= clock;
    if (this.#clock === clock) return time;
    const { sha256, offset } = view.origin;
    this.#issues.count(
      'CLOCK_MIXED',
      (count) =>
        `${counted(count, 'time')} of another kind than the first (zone or no zone); left out.`,
      sha256,
      offset,
    );
    return null;
  }
}

/** `1.7e9` without the exponent; as it stands where it has none. */
function plainNumber(text: string): string {
  return /e/i.test(text) ? String(Number(text)) : text;
}
