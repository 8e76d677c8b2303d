import type { ImportInput } from '../../importer.ts';
import { IssueList, RecordLedger } from '../../record-ledger.ts';
import { TextSource } from './text-source.ts';

export interface OpenedText {
  readonly source: TextSource;
  readonly issues: IssueList;
  readonly ledger: RecordLedger;
}

/** The main source read whole as text; bytes that are no UTF-8 are told once, where they begin. */
export async function openText({ main, signal }: ImportInput): Promise<OpenedText> {
  const bytes = await main.read(0, main.sizeBytes);
  signal?.throwIfAborted();
  const source = new TextSource(main.sha256, bytes);
  const issues = new IssueList();
  if (source.invalidUtf8At !== null) {
    issues.add(
      'INVALID_UTF8',
      'The text holds bytes that are no UTF-8; they are shown as U+FFFD.',
      main.sha256,
      source.invalidUtf8At,
    );
  }
  return { source, issues, ledger: new RecordLedger(main.sha256) };
}
