import {
  AUDIT_QUESTIONS,
  type AuditAnswer,
  type AuditedQuestion,
  type AuditField,
  type AuditQuestionId,
} from '@misstep/model';

/** One thing that a question asks for: recorded for `have` of the `of` places where it belongs. */
export interface Part {
  readonly field: AuditField;
  /** Name of `have` among the counts. */
  readonly count: string;
  readonly have: number;
  /** 0 = belongs nowhere in this run, so that it decides nothing. */
  readonly of: number;
  /** With the noun: `call` and `whole arguments` make "3 calls: whole arguments for 2"; '' = unsaid. */
  readonly words: string;
  readonly noun: string;
}

/**
 * The answer by one rule: `answered` where every part is recorded everywhere, `no` where none is
 * recorded anywhere, else `partly`. Parts that belong nowhere are left out; if that leaves
 * nothing, there is no answer.
 */
export function answerByParts(
  id: AuditQuestionId,
  parts: readonly Part[],
  counts: Readonly<Record<string, number>>,
  remark = '',
): AuditedQuestion {
  const asked = parts.filter(({ of }) => of > 0);
  const missing = asked.filter(({ have, of }) => have < of).map(({ field }) => field);
  const hasSome = asked.some(({ have }) => have > 0);
  const answer: AuditAnswer = !hasSome ? 'no' : missing.length === 0 ? 'answered' : 'partly';
  return {
    id,
    question: AUDIT_QUESTIONS[id],
    answer,
    counts: { ...counts, ...Object.fromEntries(parts.map(({ count, have }) => [count, have])) },
    missing,
    sentence: [...sentencesOf(asked), remark].filter((text) => text !== '').join(' '),
  };
}

/** An answer that needs no counting of parts. */
export function answerOutright(
  id: AuditQuestionId,
  answer: AuditAnswer,
  missing: readonly AuditField[],
  counts: Readonly<Record<string, number>>,
  sentence: string,
): AuditedQuestion {
  return {
    id,
    question: AUDIT_QUESTIONS[id],
    answer,
    counts: { ...counts },
    missing: [...missing],
    sentence,
  };
}

/** "1 call", "2 calls". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** "6 calls: whole arguments for all, tools offered for none." Parts of one whole share a sentence. */
function sentencesOf(parts: readonly Part[]): string[] {
  const clauses = new Map<string, string[]>();
  for (const { have, of, words, noun } of parts) {
    if (words === '') continue;
    const whole = countOf(of, noun);
    const clause = `${words} for ${shareOf(have, of)}`;
    clauses.set(whole, [...(clauses.get(whole) ?? []), clause]);
  }
  return [...clauses].map(([whole, list]) => `${whole}: ${list.join(', ')}.`);
}

function shareOf(have: number, of: number): string {
  if (have === 0) return 'none';
  if (have < of) return String(have);
  return of === 1 ? 'it' : 'all';
}
