import type { Origin } from '@misstep/model';
import { oneLine } from './one-line.ts';
import { counted, type IssueList } from './record-ledger.ts';

/** A record without a time, or with one that can't be read; its text is told and stays on the step. */
export function noteMissingTime(
  issues: IssueList,
  text: string | null,
  { sha256, offset }: Origin,
): void {
  if (text === null) {
    const sentence = (count: number) =>
      `${counted(count, 'record')} without a timestamp, placed by order only.`;
    issues.count('TIME_MISSING', sentence, sha256, offset);
    return;
  }
  const sentence = (count: number) =>
    `${counted(count, 'record')} with a timestamp that is no time of the years 1678 to 2261, or has no zone; placed by order only. The first: "${oneLine(text, 80)}".`;
  issues.count('TIME_UNREADABLE', sentence, sha256, offset);
}
