import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { hasEmptyList, outlineOf, shareOfPaths } from '../json-outline.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { readJsonDocument, resultOf } from '../read-json-source.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addHistoryItem } from './continue-session/history-item.ts';

/** Sessions of Continue: `~/.continue/sessions/<id>.json`. */
export const continueSession: Importer = {
  id: 'continue-session',
  title: 'Continue session',
  evidence: 'logged',
  revision: 5,
  sniff,
  read,
};

/** What a session is called before somebody or some model has named it. */
const NO_TITLE = /^(?:Untitled|New) Session$/;

function sniff(head: SourceHead): number {
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const own = shareOfPaths(outline, ['sessionId', 'workspaceDirectory', 'title']);
  if (own === 1 && hasEmptyList(outline, 'history')) return 0.9;
  if (shareOfPaths(outline, ['history[].message.role']) < 1) return 0;
  return shareOfPaths(outline, ['sessionId', 'history[].contextItems', 'workspaceDirectory']) > 0.5
    ? 0.97
    : 0.8;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  const root = await readJsonDocument(source, input);
  writer.model = root?.get('chatModelTitle').text() ?? null;
  if (root !== null) {
    accountFor(source, root, root.get('history'), (item) => addHistoryItem(writer, item));
  }
  const id = root?.get('sessionId').text() ?? null;
  const title = root?.get('title').text() ?? '';
  const draft = draftOf(orderSteps([writer.steps]), {
    key: id ?? '0',
    title: NO_TITLE.test(title) ? null : title,
    client: 'Continue',
    model: writer.model,
    naturalId: id,
    clock: writer.clock,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}
