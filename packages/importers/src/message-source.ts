import { type ApiExchange, answerAmongMessages, readExchange } from './api-exchange.ts';
import { fateOfMessage, readChatMessage } from './chat-message.ts';
import type { ChatMessage } from './chat-parts.ts';
import { Conversations } from './conversations.ts';
import type { EntryList } from './document-entries.ts';
import type { ImportInput, ImportResult } from './importer.ts';
import { readTopValues } from './json-documents.ts';
import type { JsonView } from './json-view.ts';
import { IssueList, REPEATED, RecordLedger } from './record-ledger.ts';
import { breakOf, StreamEvents } from './stream-events.ts';
import { refuseUtf16 } from './unreadable-source.ts';

/**
 * Reads a source of message arrays, of single messages one a line, of requests and answers, or of
 * the events of a streamed answer. Records are messages, answers and events.
 */
export async function readMessageSource(
  input: ImportInput,
  client: string | null,
): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main } = input;
  const issues = new IssueList();
  const ledger = new RecordLedger(main.sha256);
  const conversations = new Conversations(issues);
  const stream = new StreamEvents();
  const onStreamEnd = (): void => stream.end();
  for await (const { place } of readTopValues(input, ledger, issues, isWhole, onStreamEnd)) {
    for (const item of place.isArray ? place.items : [place]) {
      if (stream.add(item)) {
        ledger.understood();
        continue;
      }
      const exchange = readExchange(item);
      const message = messageAmongOthers(item, exchange, conversations);
      if (exchange !== null && message === null) addExchange(conversations, ledger, exchange);
      else if (message !== null) {
        ledger.take(item.origin, fateOfMessage(message));
        conversations.addListed(message);
      } else ledger.notUnderstood(item.origin, 'neither a message nor a request or answer');
    }
  }
  stream.account(ledger);
  const answers = stream.finish();
  // Which of several streams a damaged event belonged to isn't known, and what stands above is no event.
  const isDamaged = answers.length === 1 && hasDamageBehind(answers[0]?.began, ledger);
  for (const each of answers) {
    const exchange = readExchange(each.answer);
    const breaks = breakOf(each, isDamaged);
    if (exchange !== null) conversations.add({ ...exchange, breaks }, {}, each.began);
  }
  return {
    runs: conversations.runs(client, main.name),
    sources: [ledger.account()],
    issues: issues.list(),
  };
}

function hasDamageBehind(began: JsonView | undefined, ledger: RecordLedger): boolean {
  const offset = began?.origin.offset ?? 0;
  return ledger.account().unused.some((each) => each.state === 'malformed' && each.offset > offset);
}

/** A message that stands by itself; below such messages an answer without its request is one as well. */
function messageAmongOthers(
  item: JsonView,
  exchange: ApiExchange | null,
  conversations: Conversations,
): ChatMessage | null {
  if (exchange === null) return readChatMessage(item);
  const { requestRecord } = exchange;
  return requestRecord === null && conversations.isListing ? answerAmongMessages(item) : null;
}

/** Entries of a list that is the document; others need what stands around them. */
const isWhole = ({ pointer }: EntryList): boolean => pointer === '';

function addExchange(
  conversations: Conversations,
  ledger: RecordLedger,
  exchange: ApiExchange,
): void {
  const { messages, strange, answerRecord } = exchange;
  const known = conversations.add(exchange);
  let entries = 0;
  for (const [index, message] of messages.entries()) {
    const { place, morePlaces = [] } = message;
    for (const each of [place, ...morePlaces]) {
      entries += 1;
      ledger.take(each.origin, index < known ? REPEATED : fateOfMessage(message));
    }
  }
  for (const each of strange) ledger.notUnderstood(each.origin, 'no message');
  if (answerRecord !== null || entries + strange.length === 0) ledger.understood();
}
