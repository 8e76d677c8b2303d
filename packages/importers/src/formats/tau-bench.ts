import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import { ChatRun } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import type { RecordFate } from '../record-ledger.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { Ticks } from './tau-bench/ticks.ts';

/** Trajectories of tau-bench and simulations of tau2-bench. */
export const tauBench: Importer = {
  id: 'tau-bench',
  title: 'tau-bench trajectories',
  evidence: 'logged',
  revision: 4,
  sniff,
  read: (input) => readValueSource(input, readValue),
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    if (object.get('traj')?.isArray === true && object.get('task_id') !== undefined) return 0.97;
    const isRun = (run: JsonView): boolean =>
      run.get('task_id') !== undefined && run.get('termination_reason') !== undefined;
    if (isRun(object)) return 0.95;
    return scoreOfMost(firstObjects(object.get('simulations')), (run) => (isRun(run) ? 0.95 : 0));
  });
}

function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const list = value.get('simulations') ?? value;
  return (list.isArray ? list.items : [list]).flatMap((item) => readRun(item, context));
}

function readRun(item: JsonView, context: ValueContext): RunDraft[] {
  const { ledger, issues, clock, sourceName } = context;
  const messages = item.get('traj') ?? item.get('messages');
  const ticks = item.get('ticks');
  if (messages?.isArray !== true && ticks?.isArray !== true) {
    ledger.notUnderstood(item.origin, 'no messages');
    return [];
  }
  const run = new ChatRun(issues);
  const voice = new Ticks(run, context);
  const isVoice = messages?.isArray !== true || messages.items.length === 0;
  for (const tick of isVoice ? (ticks?.items ?? []) : []) voice.add(tick);
  for (const place of messages?.items ?? []) {
    // Several results in one message of tau2.
    const parts = place.get('tool_messages')?.items ?? [place];
    let fate: RecordFate = 'no message';
    for (const part of parts) {
      const message = readChatMessage(part);
      if (message === null) continue;
      if (fate !== null) fate = fateOfMessage(message);
      run.add(message, {
        record: place,
        startedAt: clock.read(place.get('timestamp')),
        usage: readUsage(place.firstOf('usage')),
      });
    }
    ledger.take(place.origin, fate);
  }
  const written = (key: string): string => item.get(key)?.text ?? item.get(key)?.written ?? '0';
  const task = written('task_id');
  const reward = item.get('reward') ?? item.at('reward_info', 'reward');
  const told = reward === undefined ? '' : `, reward ${reward.written}`;
  return draftOfChat(run, {
    key: context.keys.unique(`${task}/${written('trial')}`),
    title: `Task ${task}, trial ${written('trial')}${told}`,
    client: 'tau-bench',
    naturalId: item.get('id')?.text ?? null,
    clock: clock.clock,
    sourceName,
  });
}
