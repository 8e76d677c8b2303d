import type { EntryList } from '../document-entries.ts';
import { headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { readTopValues } from '../json-documents.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { HarReader } from './har/har-reader.ts';

/** HTTP archives (HAR 1.2) of MCP over Streamable HTTP and of talks with a model's API. */
export const har: Importer = {
  id: 'har',
  title: 'HTTP archive (HAR)',
  evidence: 'wire',
  revision: 9,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    const log = object.get('log');
    if (log?.get('entries')?.isArray === true) return 0.97;
    return log?.get('version') !== undefined && log.get('creator') !== undefined ? 0.9 : 0;
  });
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const ledger = new RecordLedger(input.main.sha256);
  const reader = new HarReader(ledger, issues);
  const isLog = ({ pointer }: EntryList): boolean => pointer === '/log/entries';
  for await (const { place, listAt } of readTopValues(input, ledger, issues, isLog)) {
    if (listAt !== null) {
      await reader.readEntry(place);
      continue;
    }
    const entries = place.at('log', 'entries');
    if (entries?.isArray !== true) {
      ledger.notUnderstood(place.origin, 'no log with entries');
      continue;
    }
    for (const entry of entries.items) await reader.readEntry(entry);
  }
  const runs = reader.finish(input.main.name);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}
