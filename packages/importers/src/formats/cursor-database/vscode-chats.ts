import type { ImportInput, RunDraft } from '../../importer.ts';
import type { JsonPlace } from '../../json-place.ts';
import { orderSteps } from '../../order-steps.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import { draftOf, RunWriter } from '../../run-writer.ts';
import type { DatabaseSource } from '../../sqlite/open-database.ts';
import { idNumberOf } from '../../step-ids.ts';
import { addRequest } from '../vscode-copilot/request.ts';

/** Where VS Code kept the chats of a workspace before each had a file of its own. */
export const VSCODE_CHATS = 'interactive.sessions';
/** What it keeps there since: titles and times of chats whose files stand in `chatSessions`. */
export const VSCODE_INDEX = 'chat.ChatSessionStore.index';

/** The chats under that key, and what is to be said of its row. */
export function readVscodeChats(
  { main }: ImportInput,
  { issues }: DatabaseSource,
  data: JsonPlace,
): { runs: RunDraft[]; fate: RecordFate } {
  const runs: RunDraft[] = [];
  let fate: RecordFate = null;
  for (const [index, chat] of data.items().entries()) {
    const writer = new RunWriter(main, issues, 'logged');
    const id = chat.get('sessionId').text();
    for (const [turn, request] of chat.get('requests').items().entries()) {
      // A database is written anew in place: ids come from the chat, not from where it stands.
      writer.idOffset = idNumberOf(`${id ?? index} ${request.get('requestId').text() ?? turn}`);
      fate = addRequest(writer, request, request) ?? fate;
    }
    const draft = draftOf(orderSteps([writer.steps]), {
      key: id ?? `chat ${index + 1}`,
      title: chat.get('customTitle').text(),
      client: 'VS Code Copilot',
      model: writer.model,
      naturalId: id,
      clock: writer.clock,
      sourceName: main.name,
    });
    if (draft !== null) runs.push(draft);
  }
  return { runs, fate: fate ?? (runs.length === 0 ? NO_CONTENT : null) };
}
