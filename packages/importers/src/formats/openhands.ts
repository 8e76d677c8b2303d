import { draftOfChat } from '../chat-draft.ts';
import { headObject } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { OpenHandsEvents } from './openhands/events.ts';

/** Event lists of OpenHands (V0): conversation exports, trajectories, evaluation output. */
export const openHands: Importer = {
  id: 'openhands',
  title: 'OpenHands events',
  evidence: 'logged',
  revision: 2,
  sniff,
  read: (input) => readValueSource(input, readValue),
};

function sniff(head: SourceHead): number {
  const first = headObject(head);
  if (first === undefined) return 0;
  const event = first.get('history')?.items[0] ?? first;
  const pair = event.isArray ? event.items[0] : event;
  const isEvent = pair?.firstOf('action', 'observation')?.text !== undefined;
  if (!isEvent) return 0;
  const own = ['source', 'cause', 'args', 'extras', 'timestamp', 'action_risk', 'images_urls'];
  return own.some((key) => pair?.get(key) !== undefined) ? 0.95 : 0;
}

function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const { ledger, clock, sourceName } = context;
  const history = value.isArray ? value : value.get('history');
  if (history?.isArray !== true) {
    ledger.notUnderstood(value.origin, 'no history of events');
    return [];
  }
  const events = new OpenHandsEvents(context);
  // Very old histories are lists of [action, observation].
  for (const item of history.items) {
    for (const event of item.isArray ? item.items : [item]) events.add(event);
  }
  const instance = value.get('instance_id')?.text ?? null;
  return draftOfChat(events.run, {
    key: context.keys.unique(instance ?? '0'),
    client: 'OpenHands',
    title: instance,
    naturalId: instance,
    clock: clock.clock,
    sourceName,
  });
}
