import { canonicalJson, parseJson } from '@misstep/json';
import type { RunSource } from '../../run-sources.ts';
import { idNumberOf } from '../../step-ids.ts';

/** A copy is written at once; what a person or a model says anew takes longer. */
const MOST_GAP_NS = 2_000_000_000n;

/** Records that a fork leaves out of its copy between two that it keeps. */
const MOST_SKIPPED = 64;

/** A rollout's records in order: a number for what each says, and when it was written. */
interface WrittenRecords {
  readonly source: RunSource;
  readonly numbers: number[];
  readonly offsets: number[];
  readonly stamps: (bigint | null)[];
}

/** What the rollouts of a run hold so far: turns by their ids, records by what they say. */
export class CopyHistory {
  readonly #turnIds = new Set<string>();
  /** Of every rollout so far; empty where nothing was forked. */
  readonly #records: WrittenRecords[] = [];
  readonly #keepsRecords: boolean;

  constructor(keepsRecords: boolean) {
    this.#keepsRecords = keepsRecords;
  }

  /** For the next rollout, whose records are added as they are read. */
  behind(source: RunSource): CopiedTurns {
    const before = source.role === 'next' ? [...this.#records] : [];
    const own: WrittenRecords = { source, numbers: [], offsets: [], stamps: [] };
    if (this.#keepsRecords) this.#records.push(own);
    return new CopiedTurns(this.#turnIds, before, this.#keepsRecords ? own : null);
  }
}

/** A record that was copied, and where the one stands that it repeats; null = nobody knows. */
export interface Copied {
  /** `inferred`: taken for a copy since it says the same at the same place, not by an id. */
  readonly by: 'turnId' | 'inferred';
  readonly original: { readonly source: RunSource; readonly offset: number } | null;
}

/**
 * Tells which records of a rollout were copied from those before. A forked rollout begins with its
 * parent's records, mostly stamped anew: they happened only once. Newer ones give every turn an id;
 * without it a record is a copy as long as all before it were, the parent goes on with the same, and
 * it has the parent's stamp or came with those before it: who asks the same again asks later.
 */
export class CopiedTurns {
  readonly #turnIds: Set<string>;
  readonly #own: WrittenRecords | null;
  readonly #ownTurns = new Set<string>();
  /** Where the next copied record would stand in each rollout that this may be a copy of. */
  #parents: { readonly records: WrittenRecords; at: number }[];
  #inCopiedTurn = false;
  #before: bigint | null = null;

  constructor(turnIds: Set<string>, before: readonly WrittenRecords[], own: WrittenRecords | null) {
    this.#turnIds = turnIds;
    this.#parents = before.map((records) => ({ records, at: 0 }));
    this.#own = own;
  }

  /** `turnId`: of the turn that begins with this record, at `offset`. `atNs`: when it was written. */
  find(
    payloadText: string,
    offset: number,
    turnId: string | null,
    atNs: bigint | null,
  ): Copied | null {
    const number = this.#own === null ? 0 : numberOf(payloadText);
    this.#own?.numbers.push(number);
    this.#own?.offsets.push(offset);
    this.#own?.stamps.push(atNs);
    const goesOn = this.#follow(number, atNs);
    if (turnId !== null) {
      this.#inCopiedTurn = this.#turnIds.has(turnId) && !this.#ownTurns.has(turnId);
      if (!this.#inCopiedTurn) {
        this.#ownTurns.add(turnId);
        this.#turnIds.add(turnId);
      }
    }
    if (!this.#inCopiedTurn && !goesOn) return null;
    const [parent] = this.#parents;
    const original =
      parent === undefined
        ? null
        : { source: parent.records.source, offset: parent.records.offsets[parent.at - 1] ?? 0 };
    return { by: this.#inCopiedTurn ? 'turnId' : 'inferred', original };
  }

  #follow(number: number, atNs: bigint | null): boolean {
    if (this.#parents.length === 0) return false;
    const isLater = isApart(this.#before, atNs);
    this.#before = atNs ?? this.#before;
    this.#parents = this.#parents.flatMap(({ records, at }) => {
      const { numbers, stamps } = records;
      const next = numbers.indexOf(number, at);
      if (next < 0 || next - at > MOST_SKIPPED) return [];
      // The copy may be the one that was read before: then it is that one which was written at once.
      const wasLater = isApart(stamps[at - 1] ?? null, stamps[next] ?? null);
      if (isLater && wasLater && stamps[next] !== atNs) return [];
      return [{ records, at: next + 1 }];
    });
    return this.#parents.length > 0;
  }
}

/** Copies that another program wrote differ in white space, escapes and the order of members. */
function numberOf(payloadText: string): number {
  const parsed = parseJson(payloadText);
  return idNumberOf(parsed.ok ? canonicalJson(parsed.value) : payloadText);
}

function isApart(before: bigint | null, after: bigint | null): boolean {
  return before !== null && after !== null && after - before > MOST_GAP_NS;
}
