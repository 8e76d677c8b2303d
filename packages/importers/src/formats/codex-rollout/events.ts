import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { counted, type RecordFate, SetAside } from '../../record-ledger.ts';
import { type Moment, textPart } from '../../run-writer.ts';
import { readCallEvent } from './call-events.ts';
import type { Rollout } from './rollout.ts';
import { readCallEnd, readToolItem } from './tool-items.ts';

/** Events for the screen alone: what they say stands in other records, or is no part of the run. */
const TOLD_AGAIN = new SetAside('an event for the screen; other records say the same');
const TURN = new SetAside('a notice that a turn begins or ends');
const PIECE = new SetAside('a piece of a text or output that another record holds whole');
const SETTING = new SetAside('a setting or a state of the client');
const SAME_USAGE = new SetAside('a token count that says nothing new');
const QUIET_EVENTS: ReadonlyMap<string, SetAside> = new Map([
  ['agent_reasoning_section_break', PIECE],
  ['background_event', SETTING],
  ['context_compacted', TOLD_AGAIN],
  ['entered_review_mode', SETTING],
  ['exited_review_mode', SETTING],
  ['item_started', TOLD_AGAIN],
  ['mcp_startup_complete', SETTING],
  ['mcp_startup_update', SETTING],
  ['plan_update', TOLD_AGAIN],
  ['session_configured', SETTING],
  ['shutdown_complete', SETTING],
  ['sub_agent_activity', TOLD_AGAIN],
  ['task_complete', TURN],
  ['task_started', TURN],
  ['thread_goal_updated', SETTING],
  ['thread_name_updated', SETTING],
  ['thread_settings_applied', SETTING],
  ['turn_diff', new SetAside("the turn's changes to files together; its calls tell them")],
]);

const CALL_ITEMS: ReadonlySet<string> = new Set(['McpToolCall', 'CommandExecution']);

/** Reads the payload of an `event_msg`. */
export function readEvent(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  at: Moment | null,
): RecordFate {
  const type = event.get('type').text() ?? '';
  const { writer } = rollout;
  switch (type) {
    case 'user_message': {
      const message = event.get('message');
      if (message.text() === null) return 'an event without its message';
      rollout.addPrompt(record, at, 'event', [textPart(message)], message.text() ?? '');
      return null;
    }
    case 'agent_message': {
      const place = event.get('message');
      if (place.text() === null) return 'an event without its message';
      rollout.addModelText(record, at, 'event', { kind: 'text', place });
      return null;
    }
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content': {
      const place = event.get('text');
      if (place.text() === null) return 'an event without its text';
      rollout.addModelText(record, at, 'event', { kind: 'thinking', place });
      return null;
    }
    // Newer versions tell ended calls as items; all else that items tell stands in other records.
    case 'item_completed': {
      const item = event.get('item');
      const kind = item.get('type').text() ?? '';
      return CALL_ITEMS.has(kind) ? readCallEnd(rollout, record, item, kind, at) : TOLD_AGAIN;
    }
    case 'token_count':
      return rollout.addTokenCount(record, at, event.get('info')) ? null : SAME_USAGE;
    case 'turn_aborted': {
      const reason = event.get('reason').text() ?? 'aborted';
      rollout.endOutput();
      writer.endWaiting('interrupted', `The turn was aborted: ${firstLine(reason, 100)}.`);
      writer.note(record.origin(), at, 'Turn aborted', [], reason);
      return null;
    }
    case 'thread_rolled_back': {
      const turns = event.get('num_turns').count() ?? 0;
      rollout.endOutput();
      writer.note(record.origin(), at, 'Rolled back', [], `${counted(turns, 'turn')} taken back`);
      return null;
    }
    case 'error':
    case 'stream_error':
    case 'warning': {
      const message = event.get('message');
      const content = message.text() === null ? [] : [textPart(message)];
      const name = type === 'warning' ? 'Warning' : 'Client error';
      writer.note(record.origin(), at, name, content, message.text() ?? '');
      return null;
    }
    default: {
      const quiet = type.endsWith('_delta') ? PIECE : QUIET_EVENTS.get(type);
      if (quiet !== undefined) return quiet;
      const call = readCallEvent(rollout, record, event, type, at);
      if (call !== undefined) return call;
      const done = readToolItem(rollout, record, event, type, at);
      return done === undefined ? `unknown event ${firstLine(type, 60)}` : done;
    }
  }
}
