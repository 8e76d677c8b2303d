import type { ComparisonRow, Verdict } from '@misstep/model';

/** Where a walk's rows go. Every row is counted; only those that are wanted are made. */
export interface RowSink {
  add(verdict: Verdict, make: () => ComparisonRow): void;
  /** Counts so many rows that say `same`; false, and nothing counted, where some of them are wanted. */
  passSame(count: number): boolean;
}

/** Which rows of a comparison: those with these verdicts (absent = all), from the offset-th on. */
export interface RowsFrom {
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly offset: number;
}

type Counts = Partial<Record<Verdict, number>>;

/**
 * Keeps the first rows up to a cap; where there are more, rows that say `same` go first. A result
 * may have a million rows, and an object for each is what takes the time and the memory.
 */
export class CappedRows implements RowSink {
  readonly counts: Counts = {};
  readonly #most: number;
  readonly #telling: Kept[] = [];
  readonly #same: Kept[] = [];
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get total(): number {
    return this.#total;
  }

  add(verdict: Verdict, make: () => ComparisonRow): void {
    this.counts[verdict] = (this.counts[verdict] ?? 0) + 1;
    const list = verdict === 'same' ? this.#same : this.#telling;
    if (list.length < this.#most) list.push({ order: this.#total, row: make() });
    this.#total += 1;
  }

  passSame(count: number): boolean {
    if (this.#same.length < this.#most) return false;
    this.counts.same = (this.counts.same ?? 0) + count;
    this.#total += count;
    return true;
  }

  /** In document order. */
  rows(): ComparisonRow[] {
    const same = this.#same.slice(0, Math.max(0, this.#most - this.#telling.length));
    return [...this.#telling, ...same].sort((a, b) => a.order - b.order).map(({ row }) => row);
  }
}

interface Kept {
  readonly order: number;
  readonly row: ComparisonRow;
}

/** Hands rows on, in document order, from an offset on and for as long as they are taken. */
export class RowsInOrder implements RowSink {
  readonly #from: RowsFrom;
  readonly #take: (row: ComparisonRow) => boolean;
  /** Rows so far with the wanted verdicts. */
  #seen = 0;
  #isOver = false;

  constructor(from: RowsFrom, take: (row: ComparisonRow) => boolean) {
    this.#from = from;
    this.#take = take;
  }

  get total(): number {
    return this.#seen;
  }

  add(verdict: Verdict, make: () => ComparisonRow): void {
    if (!this.#wants(verdict)) return;
    if (!this.#isOver && this.#seen >= this.#from.offset) this.#isOver = !this.#take(make());
    this.#seen += 1;
  }

  passSame(count: number): boolean {
    if (!this.#wants('same')) return true;
    if (!this.#isOver && this.#seen + count > this.#from.offset) return false;
    this.#seen += count;
    return true;
  }

  #wants(verdict: Verdict): boolean {
    return this.#from.verdicts?.includes(verdict) ?? true;
  }
}
