import { idNumberOf } from '../../step-ids.ts';

/** Records that a fork leaves out of its copy between two that it keeps. */
const MOST_SKIPPED = 64;

/** What the rollouts of a run hold so far: turns by their ids, records by what they say. */
export class CopyHistory {
  readonly #turnIds = new Set<string>();
  /** Of every rollout so far, in order, a number for each record; empty where nothing was forked. */
  readonly #records: number[][] = [];
  readonly #keepsRecords: boolean;

  constructor(keepsRecords: boolean) {
    this.#keepsRecords = keepsRecords;
  }

  /** For the next rollout, whose records are added as they are read. */
  behind({ isContinuation }: { readonly isContinuation: boolean }): CopiedTurns {
    const before = isContinuation ? [...this.#records] : [];
    const own: number[] = [];
    if (this.#keepsRecords) this.#records.push(own);
    return new CopiedTurns(this.#turnIds, before, this.#keepsRecords ? own : null);
  }
}

/**
 * Tells which records of a rollout were copied from those before. A forked rollout begins with its
 * parent's records, stamped anew: they happened only once. Newer ones give every turn an id;
 * without it a record is a copy as long as all before it were and the parent goes on with the same.
 */
export class CopiedTurns {
  readonly #turnIds: Set<string>;
  readonly #own: number[] | null;
  readonly #ownTurns = new Set<string>();
  /** Where the next copied record would stand in each rollout that this may be a copy of. */
  #parents: { readonly records: readonly number[]; at: number }[];
  #inCopiedTurn = false;

  constructor(turnIds: Set<string>, before: readonly (readonly number[])[], own: number[] | null) {
    this.#turnIds = turnIds;
    this.#parents = before.map((records) => ({ records, at: 0 }));
    this.#own = own;
  }

  /** `turnId`: of the turn that begins with this record. */
  holds(payloadText: string, turnId: string | null): boolean {
    const number = this.#own === null ? 0 : idNumberOf(payloadText);
    this.#own?.push(number);
    const goesOn = this.#follow(number);
    if (turnId !== null) {
      this.#inCopiedTurn = this.#turnIds.has(turnId) && !this.#ownTurns.has(turnId);
      if (!this.#inCopiedTurn) {
        this.#ownTurns.add(turnId);
        this.#turnIds.add(turnId);
      }
    }
    return this.#inCopiedTurn || goesOn;
  }

  #follow(number: number): boolean {
    if (this.#parents.length === 0) return false;
    this.#parents = this.#parents.flatMap(({ records, at }) => {
      const next = records.indexOf(number, at);
      return next >= 0 && next - at <= MOST_SKIPPED ? [{ records, at: next + 1 }] : [];
    });
    return this.#parents.length > 0;
  }
}
