import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import type { ChatMessage } from '../chat-parts.ts';
import { ChatRun } from '../chat-run.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { counted, EMPTY_DOCUMENT, REPEATED, SetAside } from '../record-ledger.ts';
import { statedUnlessZero } from '../stated-cost.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';

/** Trajectories (`.traj`) of SWE-agent. */
export const sweAgent: Importer = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory',
  evidence: 'logged',
  revision: 6,
  sniff,
  read: (input) => readValueSource(input, readValue),
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (whole) => {
    const attempts = firstObjects(whole.get('attempts'));
    return scoreOfMost(attempts.length > 0 ? attempts : [whole], scoreOfRun);
  });
}

function scoreOfRun(run: JsonView): number {
  const steps = scoreOfMost(firstObjects(run.get('trajectory')), (step) =>
    step.get('observation') !== undefined && step.get('thought') !== undefined ? 0.97 : 0,
  );
  const entries = scoreOfMost(firstObjects(run.get('history')), (entry) =>
    entry.get('role') !== undefined && entry.firstOf('message_type', 'agent') ? 0.95 : 0,
  );
  const isNamed = run.get('trajectory') !== undefined && run.get('environment') !== undefined;
  return Math.max(steps, entries, isNamed ? 0.8 : 0);
}

const DEMONSTRATION = new SetAside('a demonstration, which is no part of the run');
const TOLD_BY_HISTORY = new SetAside('a step of the trajectory, which the history tells as well');

/** Where the agent tried several times, each attempt is a run; beside them stands the chosen one again. */
function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const attempts = value.get('attempts')?.items ?? [];
  if (attempts.length === 0) return readRun(value, context, '0', '');
  for (const key of ['history', 'trajectory']) {
    for (const entry of value.get(key)?.items ?? [])
      context.ledger.setAside(entry.origin, REPEATED);
  }
  return attempts.flatMap((attempt, index) =>
    readRun(attempt, context, `attempt ${index + 1}`, `, attempt ${index + 1}`),
  );
}

function readRun(value: JsonView, context: ValueContext, key: string, told: string): RunDraft[] {
  const { ledger, issues, sourceName } = context;
  const run = new ChatRun(issues);
  const history = value.get('history')?.items ?? [];
  const trajectory = value.get('trajectory')?.items ?? [];
  const own = history.filter((entry) => entry.get('is_demo')?.isTrue !== true);
  if (own.length < history.length) {
    issues.add(
      'DEMONSTRATION_LEFT_OUT',
      `${counted(history.length - own.length, 'message')} of a demonstration, which is no part of the run.`,
      ledger.sha256,
    );
    for (const entry of history) {
      if (entry.get('is_demo')?.isTrue === true) ledger.setAside(entry.origin, DEMONSTRATION);
    }
  }
  if (history.length + trajectory.length === 0) {
    const hasList = value.firstOf('history', 'trajectory')?.isArray === true;
    if (hasList) ledger.setAside(value.origin, EMPTY_DOCUMENT);
    else ledger.notUnderstood(value.origin, 'neither history nor trajectory');
    return [];
  }
  const tellsActions = own.some((entry) => entry.get('role')?.text === 'assistant');
  if (tellsActions) {
    for (const entry of own) readEntry(run, entry, context);
    for (const step of trajectory) ledger.setAside(step.origin, TOLD_BY_HISTORY);
  } else {
    for (const entry of own) readEntry(run, entry, context);
    for (const step of trajectory) readStep(run, step, context);
  }
  const name = nameOf(value);
  return draftOfChat(run, {
    key,
    client: 'SWE-agent',
    title: name === null && told === '' ? null : `${name ?? 'SWE-agent'}${told}`,
    sourceName,
    recordedCostUsd: statedUnlessZero(value.at('info', 'model_stats', 'instance_cost'), issues),
  });
}

/** The id of the problem. `main` is what an environment is called that was given no name. */
function nameOf(value: JsonView): string | null {
  const settings = value.get('replay_config')?.unwrapped();
  const problem = settings?.get('problem_statement') ?? settings?.at('env', 'problem_statement');
  const id = problem?.firstOf('id', 'instance_id')?.text ?? null;
  const environment = value.get('environment')?.text ?? null;
  return id || (environment === 'main' ? null : environment);
}

function readEntry(run: ChatRun, entry: JsonView, { ledger }: ValueContext): void {
  const message = readChatMessage(entry);
  ledger.take(entry.origin, fateOfMessage(message));
  if (message === null) return;
  const action = entry.get('action');
  if (message.role === 'assistant' && message.calls.length === 0 && action?.text) {
    run.add({ ...message, calls: [callOf(action, entry)] });
    return;
  }
  const kind = entry.get('message_type')?.text ?? 'observation';
  const isObservation = kind === 'observation';
  const isAnswer = isObservation && run.isWaiting;
  if ((message.role === 'user' || message.role === 'tool') && isAnswer) {
    const ids = entry.get('tool_call_ids')?.items ?? [];
    run.addResult(
      {
        callId: ids[0]?.text ?? entry.get('tool_call_id')?.text ?? null,
        name: null,
        content: entry.get('content'),
        isError: null,
        refused: false,
        place: entry,
      },
      entry.origin,
    );
    return;
  }
  run.add(message);
}

/** Commands are the tools: the row is called by the command's first word. */
function callOf(action: JsonView, place: JsonView): ChatMessage['calls'][number] {
  const name = /^\s*([\w./-]{1,60})/.exec(action.text ?? '')?.[1] ?? 'command';
  return { id: null, name, server: null, arguments: action, place };
}

function readStep(run: ChatRun, step: JsonView, { ledger }: ValueContext): void {
  const action = step.get('action');
  const thought = step.firstOf('thought', 'response');
  if (action === undefined && thought === undefined) {
    ledger.notUnderstood(step.origin, 'no step');
    return;
  }
  ledger.understood();
  const parts = thought?.text
    ? [{ kind: 'text' as const, place: thought, text: thought.text, redacted: false }]
    : [];
  const shared = { speaker: null, tools: [], place: step };
  run.add({
    ...shared,
    role: 'assistant',
    parts,
    calls: action?.text ? [callOf(action, step)] : [],
    results: [],
  });
  if (!action?.text) return;
  run.addResult(
    {
      callId: null,
      name: null,
      content: step.get('observation'),
      isError: null,
      refused: false,
      place: step,
    },
    step.origin,
  );
}
