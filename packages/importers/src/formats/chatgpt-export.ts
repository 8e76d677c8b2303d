import { type ExportedConversation, readConversationExport } from '../conversation-export.ts';
import { noteBranch, OTHER_BRANCH } from '../conversation-thread.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import { outlineOf } from '../json-outline.ts';
import { type JsonPlace, listOrOne } from '../json-place.ts';
import { orderSteps } from '../order-steps.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { Conversation, NO_MESSAGE, threadOf } from './chatgpt-export/conversation.ts';

/** `conversations.json` of ChatGPT's data export, or one conversation of it. */
export const chatgptExport: Importer = {
  id: 'chatgpt-export',
  title: 'ChatGPT export',
  evidence: 'logged',
  revision: 4,
  sniff,
  read: (input) => readConversationExport(input, 'logged', conversationsIn, readConversation),
};

/** Where a browser extension's capture keeps the conversation as the page received it. */
const CAPTURED = 'raw_provider_payload';

function sniff(head: SourceHead): number {
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const { paths } = outline;
  const places = ['[].', '', `${CAPTURED}.`];
  const at = places.find((place) => paths.has(`${place}mapping`));
  if (at === undefined) return 0;
  const others = ['current_node', 'conversation_id', 'create_time', 'title', 'safe_urls'];
  const known = others.filter((key) => paths.has(`${at}${key}`)).length;
  return known >= 2 ? 0.95 : known === 1 ? 0.6 : 0;
}

function conversationsIn(root: JsonPlace): JsonPlace[] {
  const captured = root.get(CAPTURED);
  return captured.get('mapping').isThere ? [captured] : listOrOne(root);
}

function readConversation(exported: ExportedConversation): RunDraft | null {
  const { source, conversation, sourceName, keyOf } = exported;
  const { ledger, issues, reader } = source;
  if (conversation.get('mapping').kind !== 'object') {
    ledger.notUnderstood(conversation.origin(), 'no conversation');
    return null;
  }
  const writer = new RunWriter(reader, issues, 'logged');
  const thread = new Conversation(writer);
  const { nodes, path } = threadOf(conversation);
  const shown = new Set(path);
  for (const id of path) {
    const place = nodes.get(id)?.place;
    if (place === undefined) continue;
    ledger.take(place.origin(), thread.add(place));
  }
  for (const [id, { place }] of nodes) {
    if (shown.has(id)) continue;
    if (place.get('message').isThere) noteBranch(issues, place.origin());
    ledger.setAside(place.origin(), place.get('message').isThere ? OTHER_BRANCH : NO_MESSAGE);
  }
  const id = conversation.get('conversation_id').text() ?? conversation.get('id').text();
  return draftOf(orderSteps([writer.steps]), {
    key: keyOf(id),
    title: conversation.get('title').text(),
    client: 'ChatGPT',
    model: writer.model ?? conversation.get('default_model_slug').text(),
    naturalId: id,
    clock: writer.clock,
    sourceName,
  });
}
