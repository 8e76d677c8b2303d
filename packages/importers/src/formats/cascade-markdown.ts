import { type Elision, notCaptured } from '@misstep/model';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { jsonSourceOf } from '../json-records.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { resultOf } from '../read-json-source.ts';
import { NO_CONTENT } from '../record-ledger.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { TextDocument } from '../text-document.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { type Action, actionAt } from './cascade-markdown/action.ts';

/** What Windsurf and Antigravity write when a chat is downloaded. */
export const cascadeMarkdown: Importer = {
  id: 'cascade-markdown',
  title: 'Windsurf or Antigravity chat',
  evidence: 'rendered',
  revision: 2,
  sniff,
  read,
};

const TITLE = /^# (Cascade )?Chat Conversation\s*$/;
const HINT = /^\s*Note: _This is purely the output of the chat conversation/;
/** The text of a command ends before its closing mark: how much is missing isn't known. */
const CUT: Elision[] = [{ pointer: '', kind: 'bytes', count: null, marker: '' }];
const SPEAKER = /^### (User Input|Planner Response)\s*$/;

function sniff({ lines }: SourceHead): number {
  const hasTitle = lines.slice(0, 4).some((line) => TITLE.test(line));
  const speakers = new Set(lines.flatMap((line) => SPEAKER.exec(line)?.[1] ?? []));
  const hasHint = lines.some((line) => HINT.test(line));
  if (hasTitle && (speakers.size > 0 || hasHint)) return 0.97;
  if (hasHint && speakers.size > 0) return 0.9;
  return speakers.size === 2 ? 0.8 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'rendered');
  const document = await TextDocument.read(input, source.issues);
  const writer = new RunWriter(input.main, source.issues, 'rendered');
  const parts = partsOf(document);
  for (const [index, part] of parts.entries()) {
    if (index % 1024 === 0) input.signal?.throwIfAborted();
    const { start, end, isKnown } = addPart(document, writer, part);
    source.ledger.take({ offset: start, length: end - start }, isKnown ? null : NO_CONTENT);
  }
  const isCascade = document.lines.slice(0, 4).some(({ body }) => TITLE.exec(body)?.[1]);
  const draft = draftOf(orderSteps([writer.steps]), {
    key: '0',
    title: null,
    client: isCascade ? 'Windsurf' : 'Windsurf or Antigravity',
    model: null,
    naturalId: null,
    clock: null,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

/** Lines from one to before another. `own`: the first line of what was said, below the speaker's. */
interface Part {
  readonly kind: 'head' | 'user' | 'model' | 'action';
  readonly from: number;
  readonly own: number;
  to: number;
  readonly action: Action | null;
}

function partsOf({ lines, text }: TextDocument): Part[] {
  const parts: Part[] = [];
  let speaker: Part['kind'] = 'head';
  let isOpen = false;
  for (let index = 0; index < lines.length; index += 1) {
    const said = SPEAKER.exec(lines[index]?.body ?? '')?.[1];
    const action = said === undefined ? actionAt(lines, index, text) : null;
    if (said !== undefined) speaker = said === 'User Input' ? 'user' : 'model';
    if (said !== undefined || action !== null) {
      const kind = action === null ? speaker : 'action';
      const to = action === null ? index + 1 : action.toLine + 1;
      parts.push({ kind, from: index, own: action === null ? to : index, to, action });
      index = to - 1;
      isOpen = action === null;
    } else if (isOpen || (speaker === 'head' && parts.length === 0)) {
      const last = parts.at(-1);
      if (last !== undefined) last.to = index + 1;
      else parts.push({ kind: 'head', from: 0, own: 0, to: index + 1, action: null });
      isOpen = true;
    } else if ((lines[index]?.body ?? '').trim() !== '') {
      // What is said below an action has no line of its speaker.
      const kind = speaker === 'user' ? 'user' : 'model';
      parts.push({ kind, from: index, own: index, to: index + 1, action: null });
      isOpen = true;
    }
  }
  return parts;
}

function addPart(
  document: TextDocument,
  writer: RunWriter,
  { kind, from, own, to, action }: Part,
): { start: number; end: number; isKnown: boolean } {
  const whole = document.span(from, to);
  const record = document.origin(whole?.start ?? 0, whole?.end ?? 0);
  const place = { start: record.offset, end: record.offset + record.length };
  if (kind === 'head') return { ...place, isKnown: true };
  if (action !== null) {
    addAction(document, writer, record, action);
    return { ...place, isKnown: true };
  }
  const said = document.span(own, to);
  const content = said === null ? [] : [{ kind: 'text', value: document.value(said) } as const];
  if (kind === 'user') writer.userTurn(record, null, content, said?.text ?? '');
  else if (said !== null) {
    const summary = firstLine(said.text);
    writer.step(record, null, { kind: 'model', name: 'Model call', content, summary });
  }
  return { ...place, isKnown: said !== null || kind === 'user' };
}

function addAction(
  document: TextDocument,
  writer: RunWriter,
  record: ReturnType<TextDocument['origin']>,
  { name, given, isRejected, isCut }: Action,
): void {
  const step = writer.call(record, {
    name,
    callId: null,
    arguments: given === null ? notCaptured('rendered') : document.value(given, isCut ? CUT : []),
    summary: given === null ? '' : firstLine(document.text.slice(given.start, given.end)),
    at: null,
  });
  if (isRejected) {
    writer.settle(step, 'rejected', 'A person rejected the command; it never ran.');
  } else writer.settle(step, 'unknown', 'The download holds no results.');
  step.result = notCaptured('rendered');
}
