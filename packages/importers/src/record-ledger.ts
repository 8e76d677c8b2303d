import type {
  ImportIssue,
  Origin,
  RecordCounts,
  SourceHash,
  UnusedGroup,
  UnusedRecord,
} from '@misstep/model';

/** Where a record stands in its source. */
export interface RecordSpan {
  readonly offset: number;
  readonly length: number;
}

/** The same where a run is read from several sources. */
export interface SourceSpan extends RecordSpan {
  readonly sha256: SourceHash;
}

/**
 * A record that is known and gives no step, no value and no fact of the run. Reasons are constants
 * of their format, so that records can be grouped by them.
 */
export class SetAside {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** What became of a record: null = understood, a sentence = not understood and why. */
export type RecordFate = null | string | SetAside;

/** A record that repeats one before it byte for byte, or in all that matters. */
export const REPEATED = new SetAside('repeats an earlier record');
/** A session that never began, an export without any. */
export const EMPTY_DOCUMENT = new SetAside('a document whose list of entries is empty');
export const NO_CONTENT = new SetAside('a message without content');

/** Listed one by one of each state; more are counted by their reason, so that memory stays bounded. */
const MOST_LISTED = 100_000;
/** Reasons that hold a parser's words may be as many as records. */
const MOST_REASONS = 500;

/** A damaged source may have as many cases of one kind as records. */
const MOST_TOLD = 1000;

/** Takes a record that turned out to be no part of the run; of several sources the one that it stands in. */
export interface LateLedger {
  setAsideLate(origin: Origin, reason: SetAside): void;
}

export function lateLedgerOf(ledgers: ReadonlyMap<SourceHash, RecordLedger>): LateLedger {
  return {
    setAsideLate: (origin, reason) => ledgers.get(origin.sha256)?.setAsideLate(origin, reason),
  };
}

/** The account of one source: every record is told once what became of it. */
export class RecordLedger {
  readonly sha256: SourceHash;
  readonly #mostListed: number;
  readonly #unused: UnusedRecord[] = [];
  readonly #counts = { understood: 0, setAside: 0, notUnderstood: 0, malformed: 0 };
  readonly #unlisted = new Map<string, UnusedGroup>();

  constructor(sha256: SourceHash, mostListed = MOST_LISTED) {
    this.sha256 = sha256;
    this.#mostListed = mostListed;
  }

  understood(): void {
    this.#counts.understood += 1;
  }

  setAside(span: RecordSpan, why: SetAside): void {
    this.#keep(span, 'setAside', why.reason);
  }

  notUnderstood(span: RecordSpan, reason: string): void {
    this.#keep(span, 'notUnderstood', reason);
  }

  malformed(span: RecordSpan, reason: string): void {
    this.#keep(span, 'malformed', reason);
  }

  take(span: RecordSpan, fate: RecordFate): void {
    if (fate === null) this.understood();
    else if (typeof fate === 'string') this.notUnderstood(span, fate);
    else this.setAside(span, fate);
  }

  /** A record that was counted as understood turns out, further down, to give nothing. */
  setAsideLate(span: RecordSpan, why: SetAside): void {
    this.#counts.understood -= 1;
    this.setAside(span, why);
  }

  get total(): number {
    const { understood, setAside, notUnderstood, malformed } = this.#counts;
    return understood + setAside + notUnderstood + malformed;
  }

  account(): {
    sha256: SourceHash;
    records: RecordCounts;
    unused: UnusedRecord[];
    unlisted: UnusedGroup[];
  } {
    return {
      sha256: this.sha256,
      records: { total: this.total, ...this.#counts },
      // Formats that put records aside when the source ends do it late.
      unused: this.#unused.sort((a, b) => a.offset - b.offset),
      unlisted: [...this.#unlisted.values()],
    };
  }

  #keep({ offset, length }: RecordSpan, state: UnusedRecord['state'], reason: string): void {
    this.#counts[state] += 1;
    if (this.#counts[state] <= this.#mostListed) {
      this.#unused.push({ sha256: this.sha256, offset, length, state, reason });
      return;
    }
    const key = `${state} ${reason}`;
    const group = this.#unlisted.get(key) ?? this.#unlisted.get(state);
    if (group !== undefined) group.count += 1;
    else if (this.#unlisted.size < MOST_REASONS) {
      this.#unlisted.set(key, { state, reason, count: 1 });
    } else this.#unlisted.set(state, { state, reason: 'other reasons', count: 1 });
  }
}

/** Issues of an import. Those that can occur thousands of times are told once, with their number. */
export class IssueList {
  readonly #issues: ImportIssue[] = [];
  readonly #told = new Map<string, number>();
  readonly #counted = new Map<
    string,
    { issue: ImportIssue; count: number; sentence: (count: number) => string }
  >();

  /** Of one code and source only so many are told one by one; those beyond are counted. */
  add(code: string, message: string, sha256: SourceHash, offset: number | null = null): void {
    const key = `${code} ${sha256}`;
    const told = this.#told.get(key) ?? 0;
    this.#told.set(key, told + 1);
    if (told < MOST_TOLD) this.#issues.push({ code, message, sha256, offset });
    else {
      const sentence = (count: number): string => `${counted(count, 'further case')} of this kind.`;
      this.count(code, sentence, sha256, offset);
    }
  }

  /** `sentence` gets the final number; the offset is that of the first case. */
  count(
    code: string,
    sentence: (count: number) => string,
    sha256: SourceHash,
    offset: number | null = null,
  ): void {
    const key = `${code} ${sha256}`;
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const issue: ImportIssue = { code, message: '', sha256, offset };
    this.#issues.push(issue);
    this.#counted.set(key, { issue, count: 1, sentence });
  }

  list(): ImportIssue[] {
    for (const { issue, count, sentence } of this.#counted.values()) {
      issue.message = sentence(count);
    }
    return this.#issues;
  }
}

/** "1 record", "2 records". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
