import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import type { ChatMessage, ChatResult } from '../chat-parts.ts';
import { ChatRun } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { firstObjects, headObjects, headValues, scoreOfMost } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import { assembledView, type JsonView } from '../json-view.ts';
import { statedUnlessZero } from '../stated-cost.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';

/** Trajectories of mini-swe-agent: an object with `trajectory_format`, or the bare messages of v1. */
export const miniSweAgent: Importer = {
  id: 'mini-swe-agent',
  title: 'mini-swe-agent trajectory',
  evidence: 'logged',
  revision: 6,
  sniff,
  read: (input) => readValueSource(input, readValue),
};

const COMMAND = /```(?:mswea_bash_command|bash)[ \t]*\n([\s\S]*?)\n?```/;
const OBSERVATION = /^\s*(?:<returncode>(-?\d+)<\/returncode>|<output>|Observation:)/;

function sniff(head: SourceHead): number {
  const objects = headObjects(head);
  const own = scoreOfMost(objects, (object) => (isTrajectory(object) ? 0.97 : 0));
  if (own > 0) return own;
  const texts = firstObjects(headValues(head)[0]).map((item) => ({
    role: item.get('role')?.text ?? '',
    text: item.get('content')?.text ?? '',
  }));
  const acts = texts.some(({ role, text }) => role === 'assistant' && COMMAND.test(text));
  const sees = texts.some(({ role, text }) => role === 'user' && OBSERVATION.test(text));
  return acts && sees ? 0.98 : 0;
}

/** Says what it is, or (what says so stands at the end, which may be lost) notes what commands gave. */
function isTrajectory(object: JsonView): boolean {
  if (/^mini-swe-agent/.test(object.get('trajectory_format')?.text ?? '')) return true;
  const notes = firstObjects(object.get('messages')).map((message) => message.get('extra'));
  const has = (key: string): boolean => notes.some((note) => note?.get(key) !== undefined);
  return has('actions') && has('returncode');
}

function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const { ledger, issues, clock, sourceName } = context;
  const list = value.isArray ? value : value.get('messages');
  if (list?.isArray !== true) {
    ledger.notUnderstood(value.origin, 'no messages');
    return [];
  }
  const run = new ChatRun(issues);
  let waiting = 0;
  for (const place of list.items) {
    const message = readChatMessage(place);
    ledger.take(place.origin, fateOfMessage(message));
    if (message === null) continue;
    const at = clock.read(place.at('extra', 'timestamp'), 's');
    const extras = { startedAt: at };
    if (message.role === 'assistant') {
      const response = place.at('extra', 'response');
      const calls = message.calls.length > 0 ? message.calls : commandsOf(message);
      waiting = message.calls.length > 0 ? 0 : calls.length;
      const model = response?.get('model')?.text ?? null;
      const usage = readUsage(response?.get('usage'));
      const recordedCostUsd = statedUnlessZero(place.at('extra', 'cost'), issues);
      run.add({ ...message, calls }, { ...extras, model, usage, recordedCostUsd });
    } else if (waiting > 0 && message.role === 'user') {
      waiting -= 1;
      run.addResult(observationOf(message), place.origin, extras);
    } else {
      const results = message.results.map((result) => ({ ...result, ...failed(place) }));
      run.add({ ...message, results }, extras);
    }
  }
  return draftOfChat(run, {
    key: '0',
    client: 'mini-swe-agent',
    title: null,
    model: value.at('info', 'config', 'model', 'model_name')?.text ?? null,
    clock: clock.clock,
    sourceName,
    recordedCostUsd: statedUnlessZero(value.at('info', 'model_stats', 'instance_cost'), issues),
  });
}

/** The command of a message: stated beside it, or in its fenced block. */
function commandsOf(message: ChatMessage): ChatMessage['calls'] {
  const { place } = message;
  const stated = place.at('extra', 'actions')?.items ?? [];
  const views = stated.flatMap((action) => action.get('command') ?? []);
  if (views.length === 0) {
    const content = place.get('content');
    const command = COMMAND.exec(content?.text ?? '')?.[1];
    const origin = content?.origin ?? place.origin;
    const view = command === undefined ? null : assembledView(JSON.stringify(command), origin);
    if (view !== null) views.push(view);
  }
  return views.map((view) => ({
    id: null,
    name: 'bash',
    server: null,
    arguments: view,
    place,
  }));
}

function observationOf(message: ChatMessage): ChatResult {
  const { place } = message;
  return {
    callId: null,
    name: null,
    content: place.get('content'),
    refused: false,
    ...failed(place),
    place,
  };
}

/** A return code other than 0 is a failure; without one nothing is said. */
function failed(place: JsonView): Pick<ChatResult, 'isError' | 'reason'> {
  const stated = place.at('extra', 'returncode')?.number;
  const written = OBSERVATION.exec(place.get('content')?.text ?? '')?.[1];
  const code = stated ?? written ?? null;
  if (code === null) return { isError: null };
  return Number(code) === 0 ? { isError: false } : { isError: true, reason: `return code ${code}` };
}
