import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import type { ChatMessage } from '../chat-parts.ts';
import { ChatRun } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { headValuesOrEvents } from '../event-stream.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { isStreamEvent, UiStream } from './vercel-ui-messages/ui-stream.ts';

/** Messages of the AI SDK: UI messages with parts, and model messages. */
export const vercelUiMessages: Importer = {
  id: 'vercel-ui-messages',
  title: 'AI SDK messages',
  evidence: 'logged',
  revision: 7,
  sniff,
  read,
};

const PART = /^(tool-|dynamic-tool$|step-start$|source-|data-|reasoning$|file$|text$)/;

function sniff(head: SourceHead): number {
  let score = 0;
  for (const value of headValuesOrEvents(head)) {
    for (const item of messagesOf(value).slice(0, 40)) score = Math.max(score, scoreOf(item));
  }
  return score;
}

function scoreOf(item: JsonView): number {
  if (
    /^(start-step|tool-input-available|tool-output-available)$/.test(item.get('type')?.text ?? '')
  ) {
    return 0.95;
  }
  const role = item.get('role')?.text ?? '';
  if (!/^(user|assistant|system|tool)$/.test(role)) return 0;
  if (item.get('toolInvocations')?.isArray === true) return 0.97;
  const types = (item.get('parts')?.items ?? []).map((part) => part.get('type')?.text ?? '');
  const isUi = types.length > 0 && types.every((type) => PART.test(type));
  // OpenTelemetry's parts are named alike, but hold `content` in place of `text`.
  const isOther = item.get('parts')?.items.some((part) => part.get('content') !== undefined);
  if (isUi && isOther !== true)
    return types.some((type) => /^(tool-|dynamic)/.test(type)) ? 0.97 : 0.8;
  const blocks = (item.get('content')?.items ?? []).map((block) => block.get('type')?.text ?? '');
  return blocks.some((type) => /^tool-(call|result)$/.test(type)) ? 0.97 : 0;
}

function messagesOf(value: JsonView): JsonView[] {
  const list = value.get('messages') ?? value;
  return list.isArray ? list.items : [list];
}

async function read(input: ImportInput): Promise<ImportResult> {
  let run: ChatRun | null = null;
  let last: ValueContext | null = null;
  let stream: UiStream | null = null;
  const result = await readValueSource(input, (value, context) => {
    run ??= new ChatRun(context.issues);
    last = context;
    for (const item of messagesOf(value)) {
      if (!isStreamEvent(item)) {
        addMessage(run, item, context);
        continue;
      }
      stream ??= new UiStream(run);
      context.ledger.take(item.origin, stream.add(item));
    }
    return [];
  });
  const context: ValueContext | null = last;
  const events: UiStream | null = stream;
  finishStream(events);
  if (run === null || context === null) return result;
  const facts = { key: '0', client: 'AI SDK', sourceName: input.main.name };
  const { issues } = context as ValueContext;
  return { ...result, issues: issues.list(), runs: draftOfChat(run, facts) };
}

function finishStream(stream: UiStream | null): void {
  stream?.end();
}

function addMessage(run: ChatRun, item: JsonView, { ledger, clock }: ValueContext): void {
  const message = readChatMessage(item);
  ledger.take(item.origin, fateOfMessage(message));
  if (message === null) return;
  const metadata = item.get('metadata');
  const steps = stepsOf(message, item);
  for (const [index, step] of steps.entries()) {
    const isFirst = index === 0;
    const isLast = index === steps.length - 1;
    run.add(step, {
      startedAt: isFirst ? clock.read(item.get('createdAt') ?? metadata?.get('createdAt')) : null,
      model: message.role === 'assistant' ? (metadata?.get('model')?.text ?? null) : null,
      // Of the whole message; it isn't said how much of it each call of the model used.
      usage: isLast ? readUsage(metadata?.firstOf('usage', 'totalUsage')) : null,
    });
  }
}

/** What stands between two `step-start` parts is one call of the model. */
function stepsOf(message: ChatMessage, item: JsonView): ChatMessage[] {
  const parts = item.get('parts');
  const starts = (parts?.items ?? []).flatMap((part, index) =>
    part.get('type')?.text === 'step-start' ? [index] : [],
  );
  if (parts === undefined || message.role !== 'assistant' || starts.length < 2) return [message];
  const stepOf = ({ place }: { readonly place: JsonView }): number => {
    const index = Number(/^\/(\d+)/.exec(place.pointer.slice(parts.pointer.length))?.[1] ?? 0);
    return Math.max(0, starts.filter((start) => start <= index).length - 1);
  };
  return starts.map((_start, step) => ({
    ...message,
    parts: message.parts.filter((part) => stepOf(part) === step),
    calls: message.calls.filter((call) => stepOf(call) === step),
    results: message.results.filter((result) => stepOf(result) === step),
    tools: step === 0 ? message.tools : [],
  }));
}
