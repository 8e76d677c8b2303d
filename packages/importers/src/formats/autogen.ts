import type { Step } from '@misstep/model';
import { type ApiExchange, makeExchange } from '../api-exchange.ts';
import { draftOfChat } from '../chat-draft.ts';
import { readAs } from '../chat-message.ts';
import { ChatRun } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { Conversations } from '../conversations.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { addTo } from '../multi-map.ts';
import { firstLine, oneLine } from '../one-line.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { AgentMessages, isAgentMessage } from './autogen/agent-messages.ts';

/** AutoGen: recorded chat completions, the message list of a task, events of `autogen_core`. */
export const autogen: Importer = {
  id: 'autogen',
  title: 'AutoGen log',
  evidence: 'logged',
  revision: 6,
  sniff,
  read,
};

const EVENT =
  /^(LLMCall|LLMStream(Start|End)|ToolCall|Message|MessageDropped|MessageHandlerException|AgentConstructionException)$/;
function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    const isRecord = /^create(_stream)?$/.test(object.get('mode')?.text ?? '');
    if (isRecord && object.get('messages') !== undefined) return 0.97;
    const type = object.get('type')?.text ?? '';
    const isEvent =
      EVENT.test(type) && object.firstOf('agent_id', 'sender', 'tool_name', 'payload');
    if (isEvent) return 0.96;
    const listed = firstObjects(object.get('messages'));
    return scoreOfMost(listed.length > 0 ? listed : [object], (message) => {
      const isMessage = isAgentMessage(message.get('type')?.text ?? '');
      return isMessage && message.get('content') !== undefined ? 0.96 : 0;
    });
  });
}

async function read(input: ImportInput): Promise<ImportResult> {
  let conversations: Conversations | null = null;
  let run: ChatRun | null = null;
  let messages: AgentMessages | null = null;
  let last: ValueContext | null = null;
  const readItem = (item: JsonView, context: ValueContext): void => {
    conversations ??= new Conversations(context.issues);
    run ??= new ChatRun(context.issues);
    last = context;
    const type = item.get('type')?.text ?? '';
    if (item.get('mode') !== undefined && item.get('messages') !== undefined) {
      context.ledger.understood();
      conversations.add(exchangeOf(item, item.get('response') ?? null));
    } else if (type === 'LLMCall') {
      context.ledger.understood();
      conversations.add(exchangeOf(item, item.get('response') ?? null));
    } else if (type === 'ToolCall') {
      context.ledger.understood();
      addToolEvent(run, item);
    } else if (EVENT.test(type) && !isAgentMessage(type)) {
      context.ledger.understood();
      addEvent(run, item, type);
    } else {
      messages ??= new AgentMessages(run);
      messages.add(item, context);
    }
  };
  const result = await readValueSource(
    input,
    (value, context) => {
      const list = value.get('mode') === undefined ? value.get('messages') : undefined;
      const isEvent = EVENT.test(value.get('type')?.text ?? '');
      const items = value.isArray ? value.items : isEvent ? [value] : (list?.items ?? [value]);
      for (const item of items) readItem(item, context);
      return [];
    },
    () => {
      messages?.finish();
      return [];
    },
  );
  return { ...result, runs: runsOf(conversations, run, last, input.main.name) };
}

function runsOf(
  conversations: Conversations | null,
  run: ChatRun | null,
  context: ValueContext | null,
  sourceName: string,
): RunDraft[] {
  const talks = conversations?.runs('AutoGen', sourceName) ?? [];
  if (run === null || context === null) return talks;
  const clock = context.clock.clock;
  withoutToldCalls(run, talks);
  return [...draftOfChat(run, { key: 'messages', client: 'AutoGen', clock, sourceName }), ...talks];
}

/** The recorder's answer is a result without a role: text, or a list of calls, and its usage. */
function exchangeOf(request: JsonView, response: JsonView | null): ApiExchange {
  if (response?.get('choices') !== undefined) return makeExchange(request, response);
  const exchange = makeExchange(request, null);
  if (response === null || response.get('content') === undefined) return exchange;
  return {
    ...exchange,
    answer: readAs('assistant', null, response),
    usage: readUsage(response.get('usage')),
    answerRecord: response,
  };
}

/** A message between agents, what a stream ended with, what went wrong: whatever isn't a whole exchange. */
function addEvent(run: ChatRun, item: JsonView, type: string): void {
  const response = item.get('response');
  if (type === 'LLMStreamEnd' && response?.isObject === true) {
    const usage = readUsage(response.get('usage')) ?? readUsage(item);
    run.add(readAs('assistant', null, response), { usage, record: item });
    return;
  }
  const failure = item.get('exception')?.text ?? null;
  const ends = [item.get('sender'), item.firstOf('receiver', 'handling_agent', 'agent_id')];
  const [from, to] = ends.map((end) => end?.text ?? null);
  const between =
    from === null && to === null ? '' : ` ${[from, to].map((end) => end ?? '?').join(' → ')}`;
  const payload = item.firstOf('payload', 'response');
  const said = payload?.unwrapped().get('content')?.text ?? payload?.text ?? '';
  run.step(item.origin, {
    kind: 'note',
    name: oneLine(`${type}${between}`, 200),
    summary: firstLine(failure ?? said),
    content: payload === undefined ? [] : [{ kind: 'other', value: payload.value('logged') }],
    ...(failure === null
      ? {}
      : { status: 'error' as const, statusReason: firstLine(failure, 200) }),
  });
}

/** Calls that the messages of models tell as well, with their ids, are told once: there. */
function withoutToldCalls(run: ChatRun, talks: readonly RunDraft[]): void {
  const told = new Map<string, Step[]>();
  const keyOf = ({ tool, summary }: Step): string => JSON.stringify([tool, summary]);
  const calls = talks.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'tool'));
  // In file order, so that a log that grows pairs no others.
  calls.sort((a, b) => a.origin.offset - b.origin.offset);
  for (const step of calls) addTo(told, keyOf(step), step);
  const own = run.steps.filter((step) => {
    const same = step.kind === 'tool' ? told.get(keyOf(step))?.shift() : undefined;
    if (same === undefined) return true;
    same.moreOrigins.push(step.origin);
    // What was there before the message came keeps its id.
    if (step.origin.offset < same.origin.offset) same.id = step.id;
    return false;
  });
  run.steps.splice(0, run.steps.length, ...own);
}

function addToolEvent(run: ChatRun, item: JsonView): void {
  const call = {
    id: null,
    name: item.get('tool_name')?.text ?? '',
    server: null,
    arguments: item.get('arguments'),
    place: item,
  };
  const step = run.addCall(call, item.origin);
  const content = item.get('result');
  if (content === undefined) return;
  run.settle(step, {
    callId: null,
    name: null,
    content,
    isError: null,
    refused: false,
    place: item,
  });
  // One event holds both.
  step.pairing = { by: 'id', derived: false };
}
