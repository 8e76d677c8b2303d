import { member } from '@misstep/json';
import { firstLine } from '../../one-line.ts';
import { countField, field, textField } from '../../plain-fields.ts';
import type { RecordFate } from '../../record-ledger.ts';
import { partsOf } from './content-parts.ts';
import type { SessionRecord } from './record.ts';
import {
  HOOK_PASSED,
  OTHER_TITLE,
  QUIET_ATTACHMENT,
  QUIET_SYSTEM_SUBTYPES,
  TITLE_FIELDS,
} from './record-kinds.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

export function readSystemRecord(
  session: Session,
  thread: Thread,
  record: SessionRecord,
): RecordFate {
  const { plain } = record;
  const subtype = textField(plain, 'subtype');
  const quiet = subtype === null ? undefined : QUIET_SYSTEM_SUBTYPES.get(subtype);
  if (quiet !== undefined) return quiet;
  const { document } = record;
  const node = member(document, document.root, 'content');
  const parts = node?.kind === 'string' ? partsOf(record, node, '/content') : [];
  const content = parts.map(({ part }) => part);
  if (subtype === 'compact_boundary' || subtype === 'microcompact_boundary') {
    const details = field(plain, 'compactMetadata') ?? field(plain, 'microcompactMetadata');
    const before = countField(details, 'preTokens');
    const trigger = textField(details, 'trigger');
    const told = [trigger, before === null ? null : `${before} tokens before`].filter(
      (part) => part !== null,
    );
    thread.lastContext = session.step(thread, record, {
      kind: 'context',
      name: 'Context compacted',
      content,
      summary: firstLine(told.join(', ') || (parts[0]?.text ?? '')),
    });
    return null;
  }
  const error = textField(field(plain, 'error'), 'message');
  session.step(thread, record, {
    kind: 'note',
    name: subtype === 'api_error' ? 'API error' : `Client: ${subtype ?? 'message'}`.slice(0, 100),
    content,
    summary: firstLine(parts[0]?.text ?? error ?? ''),
  });
  return null;
}

/** Attachments that say something of the run: where their text stands, and what they are called. */
const TOLD_ATTACHMENTS: ReadonlyMap<string, { name: string; path: readonly string[] }> = new Map([
  ['queued_command', { name: 'Queued prompt', path: ['prompt'] }],
  ['hook_additional_context', { name: 'Context added by a hook', path: ['content'] }],
  ['hook_blocking_error', { name: 'Blocked by a hook', path: ['blockingError', 'blockingError'] }],
  ['hook_non_blocking_error', { name: 'A hook failed', path: ['stderr'] }],
]);

/** Prompts that waited, and what hooks said to the model or refused; lists of skills and the like don't count. */
export function readAttachment(
  session: Session,
  thread: Thread,
  record: SessionRecord,
): RecordFate {
  const attachment = field(record.plain, 'attachment');
  const type = textField(attachment, 'type') ?? '';
  const told = TOLD_ATTACHMENTS.get(type);
  const quiet = type.startsWith('hook_') ? HOOK_PASSED : QUIET_ATTACHMENT;
  if (told === undefined) return quiet;
  const { document } = record;
  let node = member(document, document.root, 'attachment');
  for (const key of told.path) node = member(document, node, key);
  const parts =
    node === undefined ? [] : partsOf(record, node, `/attachment/${told.path.join('/')}`);
  if (parts.length === 0) return quiet;
  session.step(thread, record, {
    kind: 'note',
    name: told.name,
    content: parts.map(({ part }) => part),
    summary: firstLine(parts.flatMap(({ text }) => text ?? []).join('\n')),
  });
  return null;
}

/** What a progress record says of sub-agents: which call started which. True where that is news. */
export function readProgress(session: Session, plain: unknown): boolean {
  const data = field(plain, 'data');
  const agentId = textField(data, 'agentId');
  const callId = textField(plain, 'parentToolUseID');
  if (agentId === null || callId === null || session.agentCalls.get(agentId) === callId)
    return false;
  session.agentCalls.set(agentId, callId);
  return true;
}

/** Titles: a person's own before a generated one before a summary of this very session. */
export function readTitle(session: Session, type: string, plain: unknown): RecordFate {
  const known = TITLE_FIELDS.get(type);
  const text = known === undefined ? null : textField(plain, known.field);
  if (known === undefined || text === null || text.trim() === '') return OTHER_TITLE;
  const isOther = type === 'summary' && !session.seen.has(textField(plain, 'leafUuid') ?? '');
  if (isOther || (session.title !== null && known.rank < session.title.rank)) return OTHER_TITLE;
  session.title = { text: firstLine(text, 200), rank: known.rank };
  return null;
}
