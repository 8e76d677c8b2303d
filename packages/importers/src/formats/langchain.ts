import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import { ChatRun } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { headValues } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { REPEATED } from '../record-ledger.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';

/** LangChain and LangGraph messages: constructor objects, `{type, data}` and flat dumps. */
export const langchain: Importer = {
  id: 'langchain',
  title: 'LangChain messages',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const TYPE =
  /^(human|ai|system|tool|function|remove|(Human|AI|System|Tool|Function|Remove)Message(Chunk)?)$/;

function sniff(head: SourceHead): number {
  let telling = 0;
  let seen = 0;
  for (const value of headValues(head)) {
    for (const item of messagesOf(value).slice(0, 40)) {
      seen += 1;
      if (isMessage(item)) telling += 1;
    }
  }
  return telling === 0 ? 0 : telling / seen >= 0.5 ? 0.95 : 0.5;
}

function isMessage(item: JsonView): boolean {
  const isConstructor = item.get('lc') !== undefined && /Message(Chunk)?$/.test(classOf(item));
  if (isConstructor) return true;
  if (!TYPE.test(item.get('type')?.text ?? '') || item.get('role') !== undefined) return false;
  // A record of a coding agent's session.
  if (item.firstOf('sessionId', 'session_id') !== undefined) return false;
  return item.get('data')?.isObject === true || item.get('content') !== undefined;
}

const classOf = (item: JsonView): string => item.get('id')?.items.at(-1)?.text ?? '';

/** The messages of a list, of a state (`messages`, `values.messages`), or a message alone. */
function messagesOf(value: JsonView): JsonView[] {
  const list =
    value.get('messages') ??
    value.at('values', 'messages') ??
    value.at('channel_values', 'messages') ??
    value;
  const items = list.isArray ? list.items : [list];
  // Streams give pairs: a mode or message, and what belongs to it.
  return items.flatMap((item) =>
    item.isArray ? item.items.filter((each) => each.isObject) : [item],
  );
}

async function read(input: ImportInput): Promise<ImportResult> {
  let run: ChatRun | null = null;
  let last: ValueContext | null = null;
  const seen = new Set<string>();
  const result = await readValueSource(input, (value, context) => {
    run ??= new ChatRun(context.issues);
    last = context;
    for (const item of messagesOf(value)) addMessage(run, item, seen, context);
    return [];
  });
  const runs =
    run === null || last === null
      ? []
      : draftOfChat(run, { key: '0', client: 'LangChain', sourceName: input.main.name });
  return { ...result, runs };
}

function addMessage(
  run: ChatRun,
  item: JsonView,
  seen: Set<string>,
  { ledger, issues }: ValueContext,
): void {
  const message = isMessage(item) ? readChatMessage(item) : null;
  if (message === null) {
    ledger.notUnderstood(item.origin, 'no message of LangChain');
    return;
  }
  const body = item.get('kwargs') ?? item.get('data') ?? item;
  const isChunk = /Chunk$/.test(classOf(item) || (item.get('type')?.text ?? ''));
  const id = body.get('id')?.text ?? null;
  // States repeat all messages; pieces of a stream share the id of their message and add to it.
  const key = id === null || isChunk ? null : `${message.role} ${id}`;
  if (key !== null && seen.has(key)) {
    issues.count(
      'REPEATED_MESSAGE',
      (count) => `${count} repeated from an earlier state, counted once.`,
      item.origin.sha256,
      item.origin.offset,
    );
    ledger.setAside(item.origin, REPEATED);
    return;
  }
  ledger.take(item.origin, fateOfMessage(message));
  if (key !== null) seen.add(key);
  const model = body.at('response_metadata', 'model_name') ?? body.at('response_metadata', 'model');
  run.add(message, {
    model: message.role === 'assistant' ? (model?.text ?? null) : null,
    usage: message.role === 'assistant' ? readUsage(body.get('usage_metadata')) : null,
    callId: message.role === 'assistant' ? id : null,
  });
}
