import { headValuesOrEvents } from '../event-stream.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { readValueSource } from '../value-source.ts';
import { isMessage } from './langchain/message.ts';
import { MessageReader } from './langchain/message-reader.ts';

/** LangChain and LangGraph messages: constructor objects, `{type, data}` and flat dumps. */
export const langchain: Importer = {
  id: 'langchain',
  title: 'LangChain messages',
  evidence: 'logged',
  revision: 6,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  let telling = 0;
  let seen = 0;
  for (const value of headValuesOrEvents(head)) {
    for (const item of messagesOf(value).slice(0, 40)) {
      seen += 1;
      if (isMessage(item)) telling += 1;
    }
  }
  return telling === 0 ? 0 : telling / seen >= 0.5 ? 0.95 : 0.5;
}

/** The lists of messages of a state, a checkpoint, or what a node of a graph adds. */
function listOf(value: JsonView): JsonView | null {
  const list =
    value.get('messages') ??
    value.at('values', 'messages') ??
    value.at('channel_values', 'messages') ??
    value.at('checkpoint', 'channel_values', 'messages');
  return list?.isArray === true ? list : null;
}

/** Pairs in pairs in lists are as deep as streams go. */
const DEEPEST = 4;

/** The messages of a list, of a state, of an update by nodes of a graph, or a message alone. */
function messagesOf(value: JsonView, depth = 0): JsonView[] {
  if (value.isArray) {
    // Streams give pairs: a mode or message, and what belongs to it.
    const isLabelled = depth > 0 || value.items.length === 2;
    return value.items.flatMap((item) =>
      depth >= DEEPEST || (isLabelled && item.text !== null) ? [] : messagesOf(item, depth + 1),
    );
  }
  const list = listOf(value);
  if (list !== null) return list.items;
  if (depth >= DEEPEST || value.get('type') !== undefined) return [value];
  const nodes = [...value.entries.values()].flatMap((node) => listOf(node) ?? []);
  return nodes.length === 0 ? [value] : nodes.flatMap(({ items }) => items);
}

async function read(input: ImportInput): Promise<ImportResult> {
  let reader: MessageReader | null = null;
  return readValueSource(
    input,
    (value, context) => {
      reader ??= new MessageReader(context);
      for (const item of messagesOf(value)) reader.add(item);
      return [];
    },
    ({ sourceName }) => reader?.finish(sourceName) ?? [],
  );
}
