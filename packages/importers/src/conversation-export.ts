import type { EvidenceGrade } from '@misstep/model';
import { uniqueKey } from './conversation-thread.ts';
import type { ImportInput, ImportResult, RunDraft } from './importer.ts';
import type { JsonPlace } from './json-place.ts';
import { jsonSourceOf } from './json-records.ts';
import { type JsonSource, readJsonEntries, resultOf } from './read-json-source.ts';
import { refuseUtf16 } from './unreadable-source.ts';

/** One conversation of an export, with what it is read with. */
export interface ExportedConversation {
  readonly source: JsonSource;
  readonly conversation: JsonPlace;
  readonly sourceName: string;
  /** The key of its run, once each; `id` is the conversation's own. */
  keyOf(id: string | null): string;
}

const NONE = 'no conversation in the document';

/** Reads an export of a chat service: a list of conversations in one document, or one of them. */
export async function readConversationExport(
  input: ImportInput,
  evidence: EvidenceGrade,
  conversationsIn: (root: JsonPlace) => JsonPlace[],
  readConversation: (exported: ExportedConversation) => RunDraft | null,
): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, evidence);
  const runs: RunDraft[] = [];
  const keys = new Set<string>();
  const sourceName = input.main.name;
  let index = 0;
  for await (const conversation of readJsonEntries(source, input, conversationsIn, NONE)) {
    input.signal?.throwIfAborted();
    const ordinal = String(index);
    index += 1;
    const keyOf = (id: string | null): string => uniqueKey(keys, id ?? ordinal);
    const run = readConversation({ source, conversation, sourceName, keyOf });
    if (run !== null) runs.push(run);
  }
  return resultOf(runs, [source], source.issues);
}
