import type { SourceHash } from '@misstep/model';
import { type RecordFate, RecordLedger, type SetAside, type SourceSpan } from '../record-ledger.ts';

/** Accounts of a database and of the log beside it: each row is told where its bytes stand. */
export class RowLedger {
  /** Of the database. */
  readonly sha256: SourceHash;
  readonly #ledgers: ReadonlyMap<SourceHash, RecordLedger>;

  /** The database first. */
  constructor(sources: readonly [SourceHash, ...SourceHash[]]) {
    this.sha256 = sources[0];
    this.#ledgers = new Map(sources.map((sha256) => [sha256, new RecordLedger(sha256)]));
  }

  get total(): number {
    return [...this.#ledgers.values()].reduce((sum, { total }) => sum + total, 0);
  }

  take(span: SourceSpan, fate: RecordFate): void {
    this.#of(span)?.take(span, fate);
  }

  setAside(span: SourceSpan, why: SetAside): void {
    this.#of(span)?.setAside(span, why);
  }

  notUnderstood(span: SourceSpan, reason: string): void {
    this.#of(span)?.notUnderstood(span, reason);
  }

  malformed(span: SourceSpan, reason: string): void {
    this.#of(span)?.malformed(span, reason);
  }

  accounts(): ReturnType<RecordLedger['account']>[] {
    return [...this.#ledgers.values()].map((ledger) => ledger.account());
  }

  #of({ sha256 }: SourceSpan): RecordLedger | undefined {
    return this.#ledgers.get(sha256);
  }
}
