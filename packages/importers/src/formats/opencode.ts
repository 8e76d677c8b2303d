import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { hasEmptyList, outlineOf, shareOfPaths } from '../json-outline.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { readJsonDocument, resultOf } from '../read-json-source.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { makeSourceHead } from '../source-head.ts';
import { TextDocument } from '../text-document.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addExportedMessage } from './opencode/exported-message.ts';
import { readMarkdown } from './opencode/markdown.ts';

/** Sessions of OpenCode: `opencode export`, and the markdown of `/export`. */
export const opencode: Importer = {
  id: 'opencode',
  title: 'OpenCode session',
  evidence: 'logged',
  revision: 6,
  sniff,
  read,
};

const SESSION_LINE = /^\*\*Session ID:\*\* (ses_\w{1,100})/m;

function sniff(head: SourceHead): number {
  if (SESSION_LINE.test(head.text.slice(0, 4000))) return 0.95;
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const share = shareOfPaths(outline, ['info.id', 'messages[].info', 'messages[].parts']);
  if (share === 1) return 0.95;
  // Of a session that never began its head alone is there.
  const isEmpty = hasEmptyList(outline, 'messages');
  return isEmpty && outline.strings.get('info.id')?.[0]?.startsWith('ses_') === true ? 0.9 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { text } = await makeSourceHead(input.main);
  return SESSION_LINE.test(text.slice(0, 4000)) ? readText(input) : readExport(input);
}

async function readExport(input: ImportInput): Promise<ImportResult> {
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  const root = await readJsonDocument(source, input);
  const info = root?.get('info');
  if (root !== null) {
    const messages = root.get('messages');
    accountFor(source, root, messages, (message) => addExportedMessage(writer, message));
  }
  const sessionId = info?.get('id').text() ?? null;
  const version = info?.get('version').text() ?? null;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: sessionId ?? '0',
    title: info?.get('title').text() ?? null,
    client: version === null ? 'OpenCode' : `OpenCode ${version}`,
    model: writer.model,
    naturalId: sessionId,
    clock: writer.clock,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

async function readText(input: ImportInput): Promise<ImportResult> {
  const source = jsonSourceOf(input, 'rendered');
  const writer = new RunWriter(input.main, source.issues, 'rendered');
  const document = await TextDocument.read(input, source.issues);
  readMarkdown(document, writer, source.ledger);
  const sessionId = SESSION_LINE.exec(document.text.slice(0, 4000))?.[1] ?? null;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: sessionId ?? '0',
    title: /^# (.+)$/m.exec(document.text.slice(0, 4000))?.[1] ?? null,
    client: 'OpenCode',
    model: writer.model,
    naturalId: sessionId,
    clock: null,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}
