import type { ImportIssue, RecordCounts, SourceHash, UnreadRecord } from '@misstep/model';

/** The account of one source: every record is told once what became of it. */
export class RecordLedger {
  readonly sha256: SourceHash;
  readonly unread: UnreadRecord[] = [];
  #understood = 0;
  #notUnderstood = 0;

  constructor(sha256: SourceHash) {
    this.sha256 = sha256;
  }

  understood(): void {
    this.#understood += 1;
  }

  notUnderstood(span: { offset: number; length: number }, reason: string): void {
    this.#notUnderstood += 1;
    this.#keep(span, 'notUnderstood', reason);
  }

  malformed(span: { offset: number; length: number }, reason: string): void {
    this.#keep(span, 'malformed', reason);
  }

  get total(): number {
    return this.#understood + this.unread.length;
  }

  account(): { sha256: SourceHash; records: RecordCounts; unread: UnreadRecord[] } {
    const malformed = this.unread.length - this.#notUnderstood;
    return {
      sha256: this.sha256,
      records: {
        total: this.total,
        understood: this.#understood,
        notUnderstood: this.#notUnderstood,
        malformed,
      },
      unread: this.unread,
    };
  }

  #keep(
    { offset, length }: { offset: number; length: number },
    state: UnreadRecord['state'],
    reason: string,
  ): void {
    this.unread.push({ sha256: this.sha256, offset, length, state, reason });
  }
}

/** Issues of an import. Those that can occur thousands of times are told once, with their number. */
export class IssueList {
  readonly #issues: ImportIssue[] = [];
  readonly #counted = new Map<
    string,
    { issue: ImportIssue; count: number; sentence: (count: number) => string }
  >();

  add(code: string, message: string, sha256: SourceHash, offset: number | null = null): void {
    this.#issues.push({ code, message, sha256, offset });
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
