import type { Step } from '@misstep/model';
import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import type { ChatMessage } from '../chat-parts.ts';
import { ChatRun } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { oneLine } from '../one-line.ts';
import type { RecordFate } from '../record-ledger.ts';
import { statedUnlessZero } from '../stated-cost.ts';
import type { SpanTime } from '../trace-span.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { marksOf } from './tau-bench/marks.ts';
import { Ticks } from './tau-bench/ticks.ts';
import { addBeginning, addEnd, beganBefore } from './tau-bench/times.ts';

/** Trajectories of tau-bench and simulations of tau2-bench. */
export const tauBench: Importer = {
  id: 'tau-bench',
  title: 'tau-bench trajectories',
  evidence: 'logged',
  revision: 6,
  sniff,
  read: (input) => readValueSource(input, readValue),
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    if (object.get('traj')?.isArray === true && object.get('task_id') !== undefined) return 0.97;
    const isRun = (run: JsonView): boolean =>
      run.get('task_id') !== undefined && run.get('termination_reason') !== undefined;
    // One simulation alone looks like a conversation of messages with a task's id.
    if (isRun(object)) return object.get('start_time') === undefined ? 0.95 : 0.97;
    return scoreOfMost(firstObjects(object.get('simulations')), (run) => (isRun(run) ? 0.95 : 0));
  });
}

function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const list = value.get('simulations') ?? value;
  const model = value.at('info', 'agent_info', 'llm')?.text ?? null;
  return (list.isArray ? list.items : [list]).flatMap((item) => readRun(item, context, model));
}

function readRun(item: JsonView, context: ValueContext, model: string | null): RunDraft[] {
  const { ledger, issues, clock, sourceName } = context;
  const messages = item.get('traj') ?? item.get('messages');
  const ticks = item.get('ticks');
  if (messages?.isArray !== true && ticks?.isArray !== true) {
    ledger.notUnderstood(item.origin, 'no messages');
    return [];
  }
  const run = new ChatRun(issues);
  addBeginning(run, item, clock);
  const voice = new Ticks(run, context);
  const isVoice = messages?.isArray !== true || messages.items.length === 0;
  for (const tick of isVoice ? (ticks?.items ?? []) : []) voice.add(tick);
  const written = (key: string): string => item.get(key)?.text ?? item.get(key)?.written ?? '0';
  const isEmpty = (messages?.items.length ?? 0) + (ticks?.items.length ?? 0) === 0;
  if (isEmpty) {
    ledger.understood();
    if (clock.read(item.get('end_time')) !== null) addEnd(run, item, clock);
    else run.step(item.origin, { kind: 'note', name: `Ended: ${written('termination_reason')}` });
  }
  const stepsByTurn = new Map<string, Step>();
  for (const place of messages?.items ?? []) {
    // Several results in one message of tau2.
    const parts = place.get('tool_messages')?.items ?? [place];
    let fate: RecordFate = 'no message';
    for (const part of parts) {
      const message = readChatMessage(part);
      if (message === null) continue;
      if (fate !== null) fate = fateOfMessage(message);
      // Of several results each has its own time.
      const startedAt = clock.read(part.firstOf('timestamp') ?? place.get('timestamp'));
      const asks = message.role === 'user' && message.calls.length > 0;
      // The simulated person calls tools as well; such a turn may say nothing.
      const turn = asks && message.parts.length === 0 ? userTurn(run, message, startedAt) : null;
      const isAnswer = message.role === 'assistant';
      const head = run.add(message, {
        record: place,
        startedAt,
        model: isAnswer ? model : null,
        usage: readUsage(place.firstOf('usage')),
        recordedCostUsd: isAnswer ? statedUnlessZero(place.get('cost'), issues) : null,
      });
      if (isAnswer && head !== null) beganBefore(head, place, startedAt);
      const said = head ?? turn;
      const index = place.get('turn_idx')?.written;
      if (said !== null && index !== undefined) stepsByTurn.set(index, said);
    }
    ledger.take(place.origin, fate);
  }
  if (!isEmpty) addEnd(run, item, clock);
  const task = written('task_id');
  const reward = item.get('reward') ?? item.at('reward_info', 'reward');
  const told = reward === undefined ? '' : `, reward ${reward.written}`;
  const drafts = draftOfChat(run, {
    recordedCostUsd: statedUnlessZero(item.get('agent_cost'), issues),
    model,
    key: context.keys.unique(`${task}/${written('trial')}`),
    title: `Task ${task}, trial ${written('trial')}${told}`,
    client: 'tau-bench',
    naturalId: item.get('id')?.text ?? null,
    clock: clock.clock,
    sourceName,
  });
  const externalMarks = marksOf(item, stepsByTurn);
  return externalMarks.length === 0 ? drafts : drafts.map((draft) => ({ ...draft, externalMarks }));
}

function userTurn(run: ChatRun, { calls, place }: ChatMessage, startedAt: SpanTime | null): Step {
  run.parent = null;
  const names = calls.map(({ name }) => name).join(', ');
  const turn = run.step(place.origin, {
    kind: 'user',
    name: 'User turn',
    summary: oneLine(`calls ${names}`),
    time: {
      startedAtNs: startedAt?.ns ?? null,
      endedAtNs: null,
      startedAtText: startedAt?.text ?? null,
      endedAtText: null,
      evidence: 'logged',
    },
  });
  run.parent = turn;
  return turn;
}
