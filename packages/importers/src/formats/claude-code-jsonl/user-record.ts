import { type JsonNode, member, stringValue } from '@misstep/json';
import type { ContentPart } from '@misstep/model';
import { firstLine } from '../../one-line.ts';
import { field } from '../../plain-fields.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import { partOf } from './content-parts.ts';
import type { SessionRecord } from './record.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';
import { classifyUserText, typedText } from './user-text.ts';

/** Reads a record of type `user`. */
export function readUserRecord(
  session: Session,
  thread: Thread,
  record: SessionRecord,
): RecordFate {
  const { document } = record;
  const content = member(document, member(document, document.root, 'message'), 'content');
  if (content?.kind !== 'string' && content?.kind !== 'array') {
    return 'a user record without a message';
  }
  const blocks = content.kind === 'array' ? content.items : [content];
  const rest: { part: ContentPart; text: string | null }[] = [];
  let orphans = 0;
  for (const [index, block] of blocks.entries()) {
    const pointer = content.kind === 'array' ? `/message/content/${index}` : '/message/content';
    if (typeOf(record, block) !== 'tool_result') {
      for (const part of partOf(record, block, pointer)) rest.push(part);
    } else if (!session.calls.answer(record, block, pointer)) orphans += 1;
  }
  if (rest.length > 0) addText(session, thread, record, rest);
  if (blocks.length === 0) return NO_CONTENT;
  return orphans > 0 ? 'a result whose call is not in the file' : null;
}

function typeOf({ document }: SessionRecord, block: JsonNode): string | null {
  const type = member(document, block, 'type');
  return type?.kind === 'string' ? stringValue(document, type) : null;
}

function addText(
  session: Session,
  thread: Thread,
  record: SessionRecord,
  parts: readonly { part: ContentPart; text: string | null }[],
): void {
  const content = parts.map(({ part }) => part);
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  if (field(record.plain, 'isCompactSummary') === true) {
    addCompactSummary(session, thread, record, content);
    return;
  }
  const isMeta = field(record.plain, 'isMeta') === true;
  const found = classifyUserText(text);
  const onlyMedia = text.trim() === '' && content.some(({ kind }) => kind !== 'text');
  if (found.kind === 'interrupted') session.calls.interrupt(thread);
  if (isMeta || (found.kind !== 'prompt' && !onlyMedia)) {
    const name = isMeta && found.kind === 'prompt' ? 'Added by the client' : found.name;
    const summary = firstLine(text);
    session.step(thread, record, { kind: 'note', name, content, summary });
    return;
  }
  const isPrompt = !thread.isMain && thread.firstPrompt === null;
  if (isPrompt) thread.firstPrompt = text.trim();
  thread.turn = null;
  thread.turn = session.step(thread, record, {
    kind: 'user',
    name: isPrompt ? 'Prompt of the sub-agent' : 'User turn',
    content,
    summary: firstLine(typedText(text) || text) || '(no text)',
  });
}

/** The summary that replaces what was dropped: part of the compaction, no user's prompt. */
function addCompactSummary(
  session: Session,
  thread: Thread,
  record: SessionRecord,
  content: ContentPart[],
): void {
  const { lastContext } = thread;
  if (lastContext !== null && thread.steps.at(-1) === lastContext) {
    for (const part of content) lastContext.content.push(part);
    lastContext.moreOrigins.push(record.origin);
    return;
  }
  thread.lastContext = session.step(thread, record, {
    kind: 'context',
    name: 'Context summary',
    content,
    summary: 'Continued from an earlier conversation',
  });
}
