import { type ContentPart, notCaptured, type Usage } from '@misstep/model';
import { cutsInResult } from '../cut-marks.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { hasEmptyList, outlineOf, shareOfPaths } from '../json-outline.ts';
import type { JsonPlace } from '../json-place.ts';
import { accountFor, jsonSourceOf } from '../json-records.ts';
import { contentPart } from '../message-steps.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { readJsonDocument, resultOf } from '../read-json-source.ts';
import { NO_CONTENT, type RecordFate } from '../record-ledger.ts';
import {
  type Answer,
  BY_ID,
  draftOf,
  isEmptyAt,
  momentAt,
  RunWriter,
  summaryOfArguments,
} from '../run-writer.ts';
import { splitToolName } from '../tool-name.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** Threads of Amp: the files it keeps, and what `amp threads export` prints. */
export const ampThread: Importer = {
  id: 'amp-thread',
  title: 'Amp thread',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const OWN_PATHS = ['messages[].meta.sentAt', 'messages[].messageId', 'messages[].state', 'env'];

function sniff(head: SourceHead): number {
  const outline = outlineOf(head);
  if (outline === null || !outline.single) return 0;
  const isThread = outline.strings.get('id')?.[0]?.startsWith('T-') === true;
  const own = shareOfPaths(outline, [...OWN_PATHS, 'v']);
  if (isThread && own > 0 && hasEmptyList(outline, 'messages')) return 0.9;
  if (shareOfPaths(outline, ['id', 'messages[].role', 'messages[].content']) < 1) return 0;
  return isThread && own > 0 ? 0.97 : own > 0.5 ? 0.9 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  const root = await readJsonDocument(source, input);
  if (root !== null) {
    const messages = root.get('messages');
    accountFor(source, root, messages, (message) => addMessage(writer, message));
  }
  const id = root?.get('id').text() ?? null;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: id ?? '0',
    title: root?.get('title').text() ?? null,
    client: 'Amp',
    model: writer.model,
    naturalId: id,
    clock: writer.clock,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

function addMessage(writer: RunWriter, message: JsonPlace): RecordFate {
  const role = message.get('role').text();
  const { length } = writer.steps;
  if (role === 'user') {
    const answered = addUser(writer, message);
    if (answered.strays > 0 && answered.taken === 0 && writer.steps.length === length) {
      return 'a result whose call is not in the thread';
    }
    if (answered.taken > 0) return null;
  } else if (role === 'assistant') addAssistant(writer, message);
  else return `unknown role ${firstLine(role ?? '', 60)}`;
  return writer.steps.length > length ? null : NO_CONTENT;
}

function addUser(writer: RunWriter, message: JsonPlace): { taken: number; strays: number } {
  const at = momentAt(message.get('meta').get('sentAt'));
  const parts: ContentPart[] = [];
  const texts: string[] = [];
  let taken = 0;
  let strays = 0;
  for (const block of message.get('content').items()) {
    if (block.get('type').text() === 'tool_result') {
      if (addAnswer(writer, message, block)) taken += 1;
      else strays += 1;
      continue;
    }
    const { part, text } = contentPart(block);
    parts.push(part);
    if (text !== null) texts.push(text);
  }
  if (parts.length > 0) writer.userTurn(message.origin(), at, parts, texts.join('\n'));
  return { taken, strays };
}

function addAssistant(writer: RunWriter, message: JsonPlace): void {
  const usage = message.get('usage');
  const model = usage.get('model').text();
  const blocks = message.get('content').items();
  if (blocks.length === 0) return;
  writer.model ??= model;
  const end = momentAt(usage.get('timestamp'));
  const step = writer.step(message.origin(), null, {
    kind: 'model',
    name: 'Model call',
    model,
    callId: message.get('messageId').text() ?? message.get('messageId').written(),
    usage: usageOf(usage),
  });
  if (end !== null) writer.endAt(step, end);
  const state = message.get('state').get('type').text();
  if (state === 'cancelled' || state === 'error') {
    step.status = state === 'cancelled' ? 'interrupted' : 'error';
    step.statusReason = firstLine(message.get('state').get('error').get('message').text() ?? state);
  }
  const called: string[] = [];
  for (const block of blocks) {
    if (block.get('type').text() === 'tool_use') {
      called.push(addCall(writer, message, block));
      continue;
    }
    const { part, text } = contentPart(block);
    step.content.push(part);
    if (part.kind === 'text' && text !== null) step.summary ||= firstLine(text);
  }
  const calls = called.length > 0 ? firstLine(`calls ${called.join(', ')}`) : '(thinking)';
  step.summary ||= calls;
}

function addCall(writer: RunWriter, message: JsonPlace, block: JsonPlace): string {
  const written = block.get('name').text() ?? '';
  const { server, tool } = splitToolName(written);
  const given = block.get('input');
  writer.call(message.origin(), {
    name: tool,
    kind: written === 'Task' ? 'agent' : 'tool',
    server,
    tool,
    callId: block.get('id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at: null,
  });
  return written;
}

function addAnswer(writer: RunWriter, message: JsonPlace, block: JsonPlace): boolean {
  const id = block.get('toolUseID').text();
  const run = block.get('run');
  const verdict = verdictOf(run);
  const step = verdict === null ? writer.lastCall(id) : writer.takeOpen(id);
  if (step === null) return false;
  if (verdict === null) {
    const status = firstLine(run.get('status').text() ?? 'nothing', 60);
    step.statusReason = `Recorded as "${status}": it never ended.`;
    return true;
  }
  const failed = verdict.status !== 'ok' && run.get('error').isThere;
  const result = failed ? run.get('error') : run.get('result');
  writer.answer(step, message.origin(), {
    ...verdict,
    result: result.isThere ? result.value(cutsInResult(result.view)) : notCaptured('logged'),
    emptyResult: result.isThere ? isEmptyAt(result) : null,
    at: null,
    pairing: BY_ID,
  });
  return true;
}

function verdictOf(run: JsonPlace): Pick<Answer, 'status' | 'reason'> | null {
  const error = run.get('error');
  const said = error.get('message').text() ?? error.text() ?? run.get('reason').text();
  const reason = said === null ? null : firstLine(said, 200);
  switch (run.get('status').text()) {
    case 'done':
      return run.get('result').isThere
        ? { status: 'ok', reason: null }
        : { status: 'unknown', reason: 'Recorded as done, but without its result.' };
    case 'error':
      return { status: 'error', reason: reason ?? 'The call failed.' };
    case 'cancelled':
      return { status: 'cancelled', reason };
    case 'rejected-by-user':
      return { status: 'rejected', reason: reason ?? 'The person rejected the call.' };
    default:
      return null;
  }
}

function usageOf(usage: JsonPlace): Usage | null {
  const inputTokens = usage.get('inputTokens').count();
  const outputTokens = usage.get('outputTokens').count();
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: usage.get('cacheReadInputTokens').count(),
    cacheWriteTokens: usage.get('cacheCreationInputTokens').count(),
    inputExcludesCache: true,
  };
}
