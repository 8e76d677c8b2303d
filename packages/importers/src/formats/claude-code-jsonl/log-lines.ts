import { headObjects } from '../../head-values.ts';
import type { ImportInput, SourceHead } from '../../importer.ts';
import { readTopValues } from '../../json-documents.ts';
import type { SourceLine } from '../../read-lines.ts';
import type { IssueList, RecordLedger } from '../../record-ledger.ts';

/** Sessions of Claude Code on the web come as one document: `{"loglines": [...]}`. */
export function isLogLines(head: SourceHead): boolean {
  return headObjects(head).some((object) => object.get('loglines')?.isArray === true);
}

/** The records at the head of a session, however they stand. */
export function recordsAt(head: SourceHead): readonly unknown[] {
  if (!isLogLines(head)) return head.lineValues;
  return headObjects(head)
    .flatMap((object) => object.get('loglines')?.items ?? [])
    .slice(0, MOST_AT_HEAD)
    .flatMap((entry) => plainOf(entry.written));
}

/** As many as of lines. */
const MOST_AT_HEAD = 200;

/** None where the head ends within it. */
function plainOf(written: string): unknown[] {
  try {
    return [JSON.parse(written)];
  } catch {
    return [];
  }
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
