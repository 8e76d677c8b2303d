import type { SourceHash } from '@misstep/model';
import { counted, type IssueList } from './record-ledger.ts';

/** The ids of one span, as they are written. */
export interface WrittenIds {
  readonly trace: string;
  readonly span: string;
  readonly parent: string;
}

/** How long a format says that ids are. */
export interface IdRule {
  readonly trace: RegExp;
  readonly span: RegExp;
  /** For people: "32 and 16 hexadecimal digits". */
  readonly words: string;
}

/** Counts the spans of a source whose ids are of another length; what is as written is kept. */
export class OddIds {
  readonly #rule: IdRule;
  #count = 0;
  #offset: number | null = null;

  constructor(rule: IdRule) {
    this.#rule = rule;
  }

  see({ trace, span, parent }: WrittenIds, offset: number): void {
    const rule = this.#rule;
    // Zeros alone are the word for none.
    const isOdd = (id: string, pattern: RegExp): boolean => /[^0]/.test(id) && !pattern.test(id);
    if (!isOdd(trace, rule.trace) && !isOdd(span, rule.span) && !isOdd(parent, rule.span)) return;
    this.#count += 1;
    this.#offset ??= offset;
  }

  tell(issues: IssueList, sha256: SourceHash): void {
    if (this.#count === 0) return;
    issues.add(
      'ID_LENGTH',
      `${counted(this.#count, 'span')} with an id of a trace, a span or a parent that is not of the format's length (${this.#rule.words}); such ids are kept as written, and other programs refuse them.`,
      sha256,
      this.#offset,
    );
  }
}
