import { type ExportedConversation, readConversationExport } from '../conversation-export.ts';
import { noteBranch, OTHER_BRANCH, type ThreadNode, threadTo } from '../conversation-thread.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import { outlineOf } from '../json-outline.ts';
import { type JsonPlace, listOrOne } from '../json-place.ts';
import { orderSteps } from '../order-steps.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { addChatMessage } from './claude-ai-export/chat-message.ts';

/** `conversations.json` of claude.ai's data export, or one conversation of it. */
export const claudeAiExport: Importer = {
  id: 'claude-ai-export',
  title: 'claude.ai export',
  evidence: 'logged',
  revision: 5,
  sniff,
  read: (input) => readConversationExport(input, 'logged', listOrOne, readConversation),
};

function sniff(head: SourceHead): number {
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const { paths } = outline;
  const at = paths.has('[].chat_messages') ? '[].' : paths.has('chat_messages') ? '' : null;
  if (at === null) return 0;
  return paths.has(`${at}uuid`) || paths.has(`${at}created_at`) ? 0.95 : 0.6;
}

function readConversation(exported: ExportedConversation): RunDraft | null {
  const { source, conversation, sourceName, keyOf } = exported;
  const { ledger, issues, reader } = source;
  const messages = conversation.get('chat_messages');
  if (messages.kind !== 'array') {
    ledger.notUnderstood(conversation.origin(), 'no conversation');
    return null;
  }
  const writer = new RunWriter(reader, issues, 'logged');
  const shown = shownMessages(conversation, messages.items());
  for (const message of messages.items()) {
    if (shown !== null && !shown.has(message.pointer)) {
      noteBranch(issues, message.origin());
      ledger.setAside(message.origin(), OTHER_BRANCH);
      continue;
    }
    const fate = message.kind === 'object' ? addChatMessage(writer, message) : 'no message';
    ledger.take(message.origin(), fate);
  }
  const id = conversation.get('uuid').text();
  return draftOf(orderSteps([writer.steps]), {
    key: keyOf(id),
    title: conversation.get('name').text(),
    client: 'claude.ai',
    model: conversation.get('model').text(),
    naturalId: id,
    clock: writer.clock,
    sourceName,
  });
}

/** Pointers of the messages on the way to the last leaf; null where messages name no parents. */
function shownMessages(
  conversation: JsonPlace,
  messages: readonly JsonPlace[],
): Set<string> | null {
  const nodes = new Map<string, ThreadNode>();
  let last: string | null = null;
  for (const place of messages) {
    const id = place.get('uuid').text();
    const parent = place.get('parent_message_uuid').text();
    if (id === null || parent === null) return null;
    nodes.set(id, { place, parent });
    last = id;
  }
  const leaf = conversation.get('current_leaf_message_uuid').text();
  const end = leaf !== null && nodes.has(leaf) ? leaf : last;
  if (end === null) return null;
  const path = threadTo(nodes, end);
  return new Set(path.map((id) => nodes.get(id)?.place.pointer ?? ''));
}
