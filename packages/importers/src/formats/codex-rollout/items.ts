import type { ContentPart } from '@misstep/model';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { type RecordFate, SetAside } from '../../record-ledger.ts';
import { type Moment, textPart } from '../../run-writer.ts';
import type { Rollout } from './rollout.ts';
import { readToolItem } from './tool-items.ts';

/** Text that the client puts into the user's mouth. */
const INJECTED: readonly [RegExp, string][] = [
  [/^<environment_context>/, 'Environment context'],
  [/^<user_instructions>/, 'Instructions'],
  [/^# AGENTS\.md instructions\b/, 'Instructions'],
  [
    /^<(?:INSTRUCTIONS|permissions instructions|collaboration_mode|personality_spec)>/i,
    'Instructions',
  ],
  [/^<skills?(?:_instructions)?>/, 'Skill'],
  [/^<turn_aborted>/, 'Turn aborted'],
  [/^<user_shell_command>/, 'Shell command'],
  [/^<subagent_notification>/, 'Sub-agent notification'],
];

const QUIET_ITEMS: ReadonlyMap<string, SetAside> = new Map([
  ['additional_tools', new SetAside('tools that the client offers besides')],
  ['ghost_snapshot', new SetAside('a snapshot of files, kept to undo edits')],
  ['other', new SetAside('an item that the client itself could not name')],
]);

/** Reads a response item. */
export function readItem(
  rollout: Rollout,
  record: JsonPlace,
  item: JsonPlace,
  at: Moment | null,
): RecordFate {
  const type = item.get('type').text() ?? (item.get('role').text() === null ? '' : 'message');
  if (type === 'message') return readMessage(rollout, record, item, at);
  if (type === 'reasoning') return readReasoning(rollout, record, item, at);
  if (type === 'compaction' || type === 'context_compaction' || type === 'compaction_summary') {
    addCompaction(rollout, record, item.get('encrypted_content'), at);
    return null;
  }
  const quiet = QUIET_ITEMS.get(type);
  if (quiet !== undefined) return quiet;
  if (type === 'agent_message') {
    const content = [{ kind: 'other', value: item.value() } as const];
    rollout.writer.note(record.origin(), at, 'Message between agents', content);
    return null;
  }
  const done = readToolItem(rollout, record, item, type, at);
  return done === undefined ? `unknown item ${firstLine(type, 60)}` : done;
}

function readMessage(
  rollout: Rollout,
  record: JsonPlace,
  item: JsonPlace,
  at: Moment | null,
): string | null {
  const role = item.get('role').text();
  const content = item.get('content');
  const blocks = content.kind === 'string' ? [content] : content.items();
  if (blocks.length === 0 || role === null) return 'a message without content';
  if (role === 'assistant') {
    for (const block of blocks) {
      const place = block.kind === 'string' ? block : block.get('text');
      if (place.text() !== null) rollout.addModelText(record, at, 'item', { kind: 'text', place });
      else rollout.modelCall(record, at).content.push({ kind: 'other', value: block.value() });
    }
    return null;
  }
  const parts = blocks.map(partOf);
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  const values = parts.map(({ part }) => part);
  const injected = INJECTED.find(([pattern]) => pattern.test(text.trimStart()))?.[1];
  if (role === 'user' && injected === undefined) {
    rollout.addPrompt(record, at, 'item', values, text);
    return null;
  }
  rollout.endOutput();
  const name = injected ?? (role === 'developer' ? 'Developer message' : 'System message');
  rollout.writer.note(record.origin(), at, name, values, text);
  return null;
}

function partOf(block: JsonPlace): { part: ContentPart; text: string | null } {
  const place = block.kind === 'string' ? block : block.get('text');
  const text = place.text();
  if (text !== null) return { part: textPart(place), text };
  const isImage = /image/.test(block.get('type').text() ?? '');
  return { part: { kind: isImage ? 'image' : 'other', value: block.value() }, text: null };
}

function readReasoning(
  rollout: Rollout,
  record: JsonPlace,
  item: JsonPlace,
  at: Moment | null,
): null {
  const texts = [...item.get('summary').items(), ...item.get('content').items()]
    .map((part) => part.get('text'))
    .filter((part) => part.text() !== null);
  for (const place of texts) {
    rollout.addModelText(record, at, 'item', { kind: 'thinking', place });
  }
  if (texts.length > 0) return null;
  const step = rollout.modelCall(record, at);
  const hidden = item.get('encrypted_content');
  if (hidden.isThere) {
    step.content.push({ kind: 'thinking', value: { ...hidden.value(), state: 'redacted' } });
  }
  return null;
}

/** What was said before is replaced for the model. `replacement_history` repeats it: not shown. */
export function addCompaction(
  rollout: Rollout,
  record: JsonPlace,
  summary: JsonPlace,
  at: Moment | null,
): void {
  rollout.endOutput();
  const text = summary.text();
  const content = text === null || text === '' ? [] : [textPart(summary)];
  rollout.writer.step(record.origin(), at, {
    kind: 'context',
    name: 'Context compacted',
    content,
    summary: firstLine(text ?? '') || 'What was said before was replaced for the model',
  });
}
