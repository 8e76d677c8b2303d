import type { EvidenceGrade } from '@misstep/model';
import type { ImportInput, SourceHead } from './importer.ts';
import { JsonPlace, listOrOne } from './json-place.ts';
import { type JsonSource, readJsonEntries, readJsonLines } from './read-json-source.ts';
import { EMPTY_DOCUMENT, IssueList, type RecordFate, RecordLedger } from './record-ledger.ts';
import { makeSourceHead } from './source-head.ts';

export function jsonSourceOf(input: ImportInput, evidence: EvidenceGrade): JsonSource {
  const { main } = input;
  return {
    reader: main,
    ledger: new RecordLedger(main.sha256),
    issues: new IssueList(),
    evidence,
  };
}

/** Records that stand one a line, or as the items of one JSON array. */
export async function readJsonRecords(
  source: JsonSource,
  input: ImportInput,
  stepCount: () => number,
  readRecord: (record: JsonPlace) => RecordFate,
): Promise<void> {
  if (!isOneList(await makeSourceHead(source.reader))) {
    await readJsonLines(source, input, stepCount, readRecord);
    return;
  }
  for await (const entry of readJsonEntries(source, input, listOrOne)) {
    const fate = entry.kind === 'object' ? readRecord(entry) : 'no JSON object';
    source.ledger.take(entry.origin(), fate);
  }
}

/** A list that isn't empty, below white space or lines without brackets. */
const BEGINS_AS_LIST = /^(?:\s*|(?:[^{[\n]{0,300}\n){0,20}?[ \t]*)\[(?!\s*\]\s*\n)/;

/**
 * True where the records of a source are the entries of one list, not lines. Told by where the first
 * value begins alone, so that it stays true however the source grows.
 */
export function isOneList({ text }: SourceHead): boolean {
  return BEGINS_AS_LIST.test(text);
}

/**
 * Reads each entry of a document. One whose list is empty is a session that never began; one without
 * such a list is no document of the format, and one record that isn't understood.
 */
export function accountFor(
  { ledger }: JsonSource,
  root: JsonPlace,
  list: JsonPlace | readonly JsonPlace[],
  readEntry: (entry: JsonPlace, index: number) => RecordFate,
): void {
  const hasList = !(list instanceof JsonPlace) || list.kind === 'array';
  const entries = list instanceof JsonPlace ? list.items() : list;
  if (!hasList) ledger.notUnderstood(root.origin(), 'no entries in the document');
  else if (entries.length === 0) ledger.setAside(root.origin(), EMPTY_DOCUMENT);
  for (const [index, entry] of entries.entries()) {
    const fate = entry.kind === 'object' ? readEntry(entry, index) : 'no JSON object';
    ledger.take(entry.origin(), fate);
  }
}
