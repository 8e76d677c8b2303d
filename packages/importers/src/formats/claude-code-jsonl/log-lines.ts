import { headObjects } from '../../head-values.ts';
import type { ImportInput, SourceHead } from '../../importer.ts';
import { readTopValues } from '../../json-documents.ts';
import type { SourceLine } from '../../read-lines.ts';
import type { IssueList, RecordLedger } from '../../record-ledger.ts';

/** Sessions of Claude Code on the web come as one document: `{"loglines": [...]}`. */
export function isLogLines(head: SourceHead): boolean {
  return headObjects(head).some((object) => object.get('loglines')?.isArray === true);
}

/** Its entries, each as the line that it would be in a session's file; so is what stands behind it. */
export async function* readLogLines(
  input: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
): AsyncGenerator<SourceLine> {
  for await (const { place } of readTopValues(input, ledger, issues)) {
    for (const entry of place.get('loglines')?.items ?? [place]) {
      const { offset, length } = entry.origin;
      yield {
        offset,
        length,
        bytes: await input.main.read(offset, length),
        text: entry.written,
        invalidUtf8At: null,
        tooLong: false,
        closed: true,
      };
    }
  }
}
