import { member } from '@misstep/json';
import { firstLine } from '../../one-line.ts';
import { countField, field, textField } from '../../plain-fields.ts';
import { partsOf } from './assistant-record.ts';
import type { SessionRecord } from './record.ts';
import { QUIET_SYSTEM_SUBTYPES, TITLE_FIELDS } from './record-kinds.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

export function readSystemRecord(session: Session, thread: Thread, record: SessionRecord): void {
  const { plain } = record;
  const subtype = textField(plain, 'subtype');
  if (subtype !== null && QUIET_SYSTEM_SUBTYPES.has(subtype)) return;
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
    return;
  }
  const error = textField(field(plain, 'error'), 'message');
  session.step(thread, record, {
    kind: 'note',
    name: subtype === 'api_error' ? 'API error' : `Client: ${subtype ?? 'message'}`.slice(0, 100),
    content,
    summary: firstLine(parts[0]?.text ?? error ?? ''),
  });
}

/** Hook output, lists of skills and the like say nothing of the run, except a prompt that waited. */
export function readAttachment(session: Session, thread: Thread, record: SessionRecord): void {
  const attachment = field(record.plain, 'attachment');
  if (textField(attachment, 'type') !== 'queued_command') return;
  const { document } = record;
  const node = member(document, member(document, document.root, 'attachment'), 'prompt');
  if (node === undefined) return;
  const parts = partsOf(record, node, '/attachment/prompt');
  session.step(thread, record, {
    kind: 'note',
    name: 'Queued prompt',
    content: parts.map(({ part }) => part),
    summary: firstLine(parts.flatMap(({ text }) => text ?? []).join('\n')),
  });
}

/** What a progress record says of sub-agents: which call started which. */
export function readProgress(session: Session, plain: unknown): void {
  const data = field(plain, 'data');
  const agentId = textField(data, 'agentId');
  const callId = textField(plain, 'parentToolUseID');
  if (agentId !== null && callId !== null) session.agentCalls.set(agentId, callId);
}

/** Titles: a person's own before a generated one before a summary of this very session. */
export function readTitle(session: Session, type: string, plain: unknown): void {
  const known = TITLE_FIELDS.get(type);
  const text = known === undefined ? null : textField(plain, known.field);
  if (known === undefined || text === null || text.trim() === '') return;
  if (type === 'summary' && !session.seen.has(textField(plain, 'leafUuid') ?? '')) return;
  if (session.title === null || known.rank >= session.title.rank) {
    session.title = { text: firstLine(text, 200), rank: known.rank };
  }
}
