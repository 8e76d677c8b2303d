import type { Importer, ImportInput, ImportResult, SourceGroup, SourceHead } from '../importer.ts';
import { outlineOf } from '../json-outline.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { type JsonSource, readJsonDocument, resultOf } from '../read-json-source.ts';
import { counted, RecordLedger } from '../record-ledger.ts';
import { sourcesInOrder } from '../run-sources.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { unitOfPath } from '../unit-of-path.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { ApiHistory } from './cline-roo/api-history.ts';
import { joinViews } from './cline-roo/join-views.ts';
import { ScreenRows } from './cline-roo/screen-rows.ts';

/** Tasks of Cline and Roo Code: what the screen showed, or what the model was sent. */
export const clineRoo: Importer = {
  id: 'cline-roo',
  title: 'Cline or Roo Code task',
  evidence: 'logged',
  revision: 6,
  sniff,
  group: groupOf,
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

/** The history leads: it holds every call with its result. The screen's rows are its companion. */
function groupOf(_head: SourceHead, path: string): SourceGroup | null {
  const key = unitOfPath(path);
  if (key === path) return null;
  const isHistory = /api_conversation_history\.json$/.test(path);
  return isHistory
    ? { key, role: 'main', part: null }
    : { key, role: 'companion', part: 'ui_messages' };
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const views: Awaited<ReturnType<typeof readView>>[] = [];
  for (const { reader, part } of sourcesInOrder(input)) {
    const ledger = reader === input.main ? source.ledger : new RecordLedger(reader.sha256);
    views.push(await readView(input, { ...source, reader, ledger }, part));
  }
  const history = views.find((view) => view.rows === null);
  const screen = views.find((view) => view.rows !== null);
  const own = history ?? screen;
  if (own === undefined) return resultOf([], [source], source.issues);
  const { steps, matchedByOrder } =
    history === undefined || screen?.rows == null
      ? { steps: own.writer.steps, matchedByOrder: 0 }
      : joinViews(history.writer, {
          steps: screen.writer.steps,
          historyIndexes: screen.rows.historyIndexes,
        });
  if (matchedByOrder > 0) {
    source.issues.add(
      'VIEWS_MATCHED_BY_ORDER',
      `${counted(matchedByOrder, 'request')} on the screen put to the model's messages by their order: the rows don't say which.`,
      input.main.sha256,
    );
  }
  const sessionId = own.sessionId;
  const draft = draftOf(orderSteps([steps]), {
    key: sessionId ?? '0',
    title: null,
    client: 'Cline or Roo Code',
    model: own.writer.model ?? screen?.writer.model ?? null,
    naturalId: sessionId ?? taskOf(input),
    clock: own.writer.clock ?? screen?.writer.clock ?? null,
    sourceName: own.source.reader.name,
  });
  return resultOf(
    draft === null ? [] : [draft],
    views.map((view) => view.source),
    source.issues,
  );
}

/** What one of a task's files holds. */
async function readView(input: ImportInput, source: JsonSource, part: string | null) {
  const writer = new RunWriter(source.reader, source.issues, 'logged', part);
  const root = await readJsonDocument(source, input);
  const list = root?.kind === 'array' ? root : root?.get('messages');
  const entries = list?.items() ?? [];
  const isRows = entries.some((entry) => /^(?:say|ask)$/.test(entry.get('type').text() ?? ''));
  const rows = isRows ? new ScreenRows(writer) : null;
  const history = new ApiHistory(writer);
  if (root !== null) {
    accountFor(source, root, list ?? [], (entry) => (rows ?? history).add(entry));
    (rows ?? history).finish();
  }
  return { source, writer, rows, sessionId: root?.get('sessionId').text() ?? null };
}

/** The task's folder is called by its id. */
function taskOf({ companions }: ImportInput): string | null {
  return /([^\\/]+)[\\/]\*$/.exec(companions[0]?.group.key ?? '')?.[1] ?? null;
}
