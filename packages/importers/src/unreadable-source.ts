import type { ImportInput, ImportResult, SourceReader } from './importer.ts';
import type { IssueList, RecordLedger } from './record-ledger.ts';
import { isUtf16 } from './source-head.ts';

/**
 * UTF-16 sources aren't read: offsets must point at the real bytes, and every format here is
 * UTF-8. The result says what to do; the whole source is one malformed record. Null = readable.
 */
export async function refuseUtf16(input: ImportInput): Promise<ImportResult | null> {
  const { main } = input;
  if (main.sizeBytes < 2 || !isUtf16(await main.read(0, 2))) return null;
  const message =
    'The file is UTF-16 text (Windows PowerShell writes it with ">"). Save it as UTF-8 and import it again.';
  const span = { sha256: main.sha256, offset: 0, length: main.sizeBytes };
  return {
    runs: [],
    sources: [main, ...input.companions.map(({ reader }) => reader)].map(({ sha256 }, index) => ({
      sha256,
      records: {
        total: index === 0 ? 1 : 0,
        understood: 0,
        setAside: 0,
        notUnderstood: 0,
        malformed: index === 0 ? 1 : 0,
      },
      unused: index === 0 ? [{ ...span, state: 'malformed', reason: 'UTF-16 text' }] : [],
      unlisted: [],
    })),
    issues: [{ code: 'UTF16_SOURCE', message, sha256: main.sha256, offset: 0 }],
  };
}

/** A source that is read as a whole and is too large for that: one malformed record, and what to do instead. */
export function refuseLarge(
  { sizeBytes, sha256 }: SourceReader,
  ledger: RecordLedger,
  issues: IssueList,
  message: string,
): void {
  ledger.malformed({ offset: 0, length: sizeBytes }, 'larger than 256 MiB');
  issues.add('DOCUMENT_TOO_LARGE', message, sha256);
}
