import type { SourceLine } from './read-lines.ts';
import { counted, type IssueList, type RecordLedger } from './record-ledger.ts';

/** Accounts for a line that came without its bytes, and says what that means. */
export function refuseLongLine(line: SourceLine, ledger: RecordLedger, issues: IssueList): void {
  ledger.malformed(line, 'the line is longer than 64 MiB');
  issues.count(
    'LINE_TOO_LONG',
    (count) =>
      `${counted(count, 'line')} of more than 64 MiB not read: their bytes are kept and listed, but nothing that they say is in the run. Where the client can, let it keep such results in files of their own.`,
    ledger.sha256,
    line.offset,
  );
}
