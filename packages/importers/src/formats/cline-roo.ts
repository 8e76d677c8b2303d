import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { outlineOf } from '../json-outline.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { readJsonDocument, resultOf } from '../read-json-source.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { ApiHistory } from './cline-roo/api-history.ts';
import { ScreenRows } from './cline-roo/screen-rows.ts';

/** Tasks of Cline and Roo Code: what the screen showed, or what the model was sent. */
export const clineRoo: Importer = {
  id: 'cline-roo',
  title: 'Cline or Roo Code task',
  evidence: 'logged',
  revision: 3,
  sniff,
  read,
};

const OWN_TEXT = /<environment_details>|<task>|\[[a-z_]{3,40}(?: for [^\n"]{1,200})?\] Result:/;

function sniff(head: SourceHead): number {
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const { paths, strings } = outline;
  const types = strings.get('[].type') ?? [];
  const isRows = types.length > 0 && types.every((type) => type === 'say' || type === 'ask');
  if (isRows && paths.has('[].ts') && (paths.has('[].say') || paths.has('[].ask'))) return 0.95;
  const list = paths.has('[].role') ? '[]' : paths.has('messages[].role') ? 'messages[]' : null;
  if (list === null || !paths.has(`${list}.content`)) return 0;
  if (list === 'messages[]' && !(paths.has('agent') && paths.has('sessionId'))) return 0;
  const own = OWN_TEXT.test(head.text);
  return paths.has(`${list}.modelInfo`) || (own && list === '[]') ? 0.97 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  const root = await readJsonDocument(source, input);
  if (root !== null) {
    const messages = root.get('messages');
    const entries = root.kind === 'array' ? root.items() : messages.items();
    const isRows = entries.some((entry) => /^(?:say|ask)$/.test(entry.get('type').text() ?? ''));
    if (isRows) {
      const rows = new ScreenRows(writer);
      accountFor(source, root, entries, (row) => rows.add(row));
      rows.finish();
    } else {
      const history = new ApiHistory(writer);
      accountFor(source, root, entries, (message) => history.add(message));
      history.finish();
    }
  }
  const sessionId = root?.get('sessionId').text() ?? null;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: sessionId ?? '0',
    title: null,
    client: 'Cline or Roo Code',
    model: writer.model,
    naturalId: sessionId,
    clock: writer.clock,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}
