import { nodeText } from '@misstep/json';
import type { ImportInput, SourceHead } from '../../importer.ts';
import { outlineOf } from '../../json-outline.ts';
import { readJsonDocument } from '../../read-json-source.ts';
import type { SourceLine } from '../../read-lines.ts';
import type { IssueList, RecordLedger } from '../../record-ledger.ts';
import { SESSION_TYPES } from './record-kinds.ts';

/** Sessions of Claude Code on the web come as one document: `{"loglines": [...]}`. */
export function isLogLines(head: SourceHead): boolean {
  const outline = outlineOf(head);
  if (outline?.single !== true || !outline.paths.has('loglines[].type')) return false;
  return (outline.strings.get('loglines[].type') ?? []).some((type) => SESSION_TYPES.has(type));
}

/** Its entries, each as the line that it would be in a session's file. */
export async function readLogLines(
  input: ImportInput,
  ledger: RecordLedger,
  issues: IssueList,
): Promise<SourceLine[]> {
  const { main } = input;
  const root = await readJsonDocument({ reader: main, ledger, issues, evidence: 'logged' }, input);
  const lines: SourceLine[] = [];
  for (const entry of root?.get('loglines').items() ?? []) {
    const { offset, length } = entry.origin();
    if (entry.node === undefined) continue;
    lines.push({
      offset,
      length,
      bytes: await main.read(offset, length),
      text: nodeText(entry.source.document, entry.node),
      invalidUtf8At: null,
      tooLong: false,
      closed: true,
    });
  }
  return lines;
}
