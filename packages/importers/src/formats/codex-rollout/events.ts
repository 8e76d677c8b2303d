import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { counted } from '../../record-ledger.ts';
import { type Moment, textPart } from '../../run-writer.ts';
import { readCallEvent } from './call-events.ts';
import type { Rollout } from './rollout.ts';
import { readToolItem } from './tool-items.ts';

/** Events for the screen alone: what they say stands in other records, or is no part of the run. */
const QUIET_EVENTS: ReadonlySet<string> = new Set([
  'agent_reasoning_section_break',
  'background_event',
  'context_compacted',
  'entered_review_mode',
  'exited_review_mode',
  'item_completed',
  'item_started',
  'plan_update',
  'session_configured',
  'sub_agent_activity',
  'task_complete',
  'mcp_startup_complete',
  'mcp_startup_update',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_settings_applied',
  'turn_diff',
  'shutdown_complete',
]);

/** Reads the payload of an `event_msg`; returns why it can't be, or null. */
export function readEvent(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  at: Moment | null,
): string | null {
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
    case 'token_count':
      rollout.addTokenCount(record, at, event.get('info'));
      return null;
    case 'task_started':
      return null;
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
      if (QUIET_EVENTS.has(type) || type.endsWith('_delta')) return null;
      const call = readCallEvent(rollout, record, event, type, at);
      if (call !== undefined) return call;
      const done = readToolItem(rollout, record, event, type, at);
      return done === undefined ? `unknown event ${firstLine(type, 60)}` : done;
    }
  }
}
