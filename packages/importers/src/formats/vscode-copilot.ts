import type { Origin, Step } from '@misstep/model';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { hasEmptyList, outlineOf, shareOfPaths } from '../json-outline.ts';
import { JsonPlace } from '../json-place.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { orderSteps } from '../order-steps.ts';
import { field } from '../plain-fields.ts';
import { type JsonSource, readJsonDocument, readJsonLines, resultOf } from '../read-json-source.ts';
import { addOrigin, draftOf, RunWriter } from '../run-writer.ts';
import { makeSourceHead } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { ChatReplay } from './vscode-copilot/chat-replay.ts';
import { OperationLog } from './vscode-copilot/operation-log.ts';
import { addRequest } from './vscode-copilot/request.ts';

/** Chats of VS Code's Copilot: exports, the session files on disk, and replays. */
export const vscodeCopilot: Importer = {
  id: 'vscode-copilot',
  title: 'VS Code Copilot chat',
  evidence: 'logged',
  revision: 5,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  if (isLog(head)) return 0.95;
  const outline = outlineOf(head);
  if (outline === null || !outline.single || head.text.trimStart().startsWith('[')) return 0;
  if (shareOfPaths(outline, ['requesterUsername', 'responderUsername', 'requests']) === 1)
    return 0.97;
  if (shareOfPaths(outline, ['exportedAt', 'prompts[].logs']) === 1) return 0.95;
  const hasHead = shareOfPaths(outline, ['exportedAt', 'totalPrompts']) === 1;
  if (hasHead && hasEmptyList(outline, 'prompts')) return 0.9;
  const session = shareOfPaths(outline, ['version', 'sessionId', 'creationDate', 'requests']);
  if (session === 1 || (session === 0.75 && outline.paths.has('requests[].response'))) return 0.9;
  return 0;
}

/** The state of a session and changes of it, one a line; or those without the state, which was lost. */
function isLog({ lineValues, lines, text }: SourceHead): boolean {
  if (lines.length === 0) return /^\{"kind":0,"v":\{/.test(text);
  const isState = (value: unknown): boolean =>
    field(value, 'kind') === 0 && field(field(value, 'v'), 'requests') !== undefined;
  const isChange = (value: unknown): boolean => {
    const [kind, path] = [field(value, 'kind'), field(value, 'k')];
    const isOwn = Array.isArray(path) && (path[0] === 'requests' || path[0] === 'inputState');
    return isOwn && (kind === 1 || kind === 2 || kind === 3);
  };
  return lineValues.slice(0, 5).some(isState) || lineValues.some(isChange);
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  const replay = new ChatReplay(writer);
  let root: JsonPlace | null;
  if (isLog(await makeSourceHead(input.main))) root = await readLog(source, input, writer);
  else {
    root = await readJsonDocument(source, input);
    if (root !== null) readDocument(source, root, writer, replay);
  }
  const sessionId = root?.get('sessionId').text() ?? null;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: sessionId ?? '0',
    title: root?.get('customTitle').text() ?? null,
    client: 'VS Code Copilot',
    model: writer.model,
    naturalId: sessionId,
    clock: writer.clock,
    tools: replay.tools,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

function readDocument(
  source: JsonSource,
  root: JsonPlace,
  writer: RunWriter,
  replay: ChatReplay,
): void {
  const prompts = root.get('prompts');
  if (prompts.kind !== 'array') {
    const requests = root.get('requests');
    accountFor(source, root, requests, (request) => addRequest(writer, request, request));
    return;
  }
  // A prompt's own entries follow it, so that each is accounted for.
  const prompted = new Set(prompts.items().map(({ pointer }) => pointer));
  const entries = prompts.items().flatMap((prompt) => [prompt, ...prompt.get('logs').items()]);
  accountFor(source, root, entries, (entry) =>
    prompted.has(entry.pointer) ? replay.addPrompt(entry) : replay.addEntry(entry),
  );
}

/** The state at the end of the log; its values stand in many lines. */
async function readLog(
  source: JsonSource,
  input: ImportInput,
  writer: RunWriter,
): Promise<JsonPlace | null> {
  const log = new OperationLog();
  const lines: Origin[] = [];
  await readJsonLines(
    source,
    input,
    () => 0,
    (line) => {
      const fate = log.apply(line);
      if (fate === null) lines.push(line.origin());
      return fate;
    },
  );
  for (const request of log.root?.get('requests').items() ?? []) {
    writer.idOffset = request.origin().offset;
    addRequest(writer, request, JsonPlace.root(request.source));
  }
  for (const step of writer.steps) addLinesOf(step, lines);
  return log.root;
}

function addLinesOf(step: Step, lines: readonly Origin[]): void {
  for (const value of [step.arguments, step.result, ...step.content.map((part) => part.value)]) {
    const at = value?.origin?.offset;
    const line = at === undefined ? null : lineAt(lines, at);
    if (line !== null) addOrigin(step, line);
  }
}

/** The last line that begins at or before an offset. */
function lineAt(lines: readonly Origin[], offset: number): Origin | null {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return lines[low] ?? null;
}
