import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { jsonSourceOf } from '../json-records.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { resultOf } from '../read-json-source.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { TextDocument } from '../text-document.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** What Cursor's "Export Chat" writes. */
export const cursorMarkdown: Importer = {
  id: 'cursor-markdown',
  title: 'Cursor chat export',
  evidence: 'rendered',
  revision: 2,
  sniff,
  read,
};

const EXPORTED = /^_Exported on .{1,200} from Cursor(?: \(([^)\n]{1,60})\))?_$/;
const SPEAKER = /^\*\*(User|Cursor)\*\*$/;

function sniff({ lines }: SourceHead): number {
  if (lines.slice(0, 6).some((line) => EXPORTED.test(line))) return 0.97;
  const speakers = new Set(lines.flatMap((line) => SPEAKER.exec(line)?.[1] ?? []));
  return speakers.size === 2 && lines.includes('---') ? 0.75 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'rendered');
  const writer = new RunWriter(input.main, source.issues, 'rendered');
  const document = await TextDocument.read(input, source.issues);
  const { lines } = document;
  const starts = lines.flatMap((_, index) => (isSpeaker(document, index) ? [index] : []));
  const head = lines.slice(0, starts[0] ?? lines.length);
  if (head.some(({ body }) => body.trim() !== '')) source.ledger.understood();
  for (const [index, start] of starts.entries()) {
    readSection(document, writer, start, starts[index + 1] ?? lines.length);
    source.ledger.understood();
  }
  const version = head
    .map(({ body }) => EXPORTED.exec(body)?.[1])
    .find((each) => each !== undefined);
  const title = head
    .map(({ body }) => /^# (.+)$/.exec(body)?.[1])
    .find((each) => each !== undefined);
  const draft = draftOf(orderSteps([writer.steps]), {
    key: '0',
    title: title ?? null,
    client: version === undefined ? 'Cursor' : `Cursor ${version}`,
    model: null,
    naturalId: null,
    clock: null,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

/** Messages hold rules and bold words of their own; a speaker stands alone below a rule. */
function isSpeaker({ lines }: TextDocument, index: number): boolean {
  if (!SPEAKER.test(lines[index]?.body ?? '')) return false;
  return lines[index - 1]?.body.trim() === '' && lines[index - 2]?.body === '---';
}

function readSection(document: TextDocument, writer: RunWriter, start: number, next: number): void {
  const { lines } = document;
  let end = next;
  while (end > start + 1 && lines[end - 1]?.body.trim() === '') end -= 1;
  // The rule above the next speaker belongs to neither.
  if (end > start + 1 && lines[end - 1]?.body === '---') end -= 1;
  const whole = document.span(start, end);
  if (whole === null) return;
  const record = document.origin(whole.start, whole.end);
  const text = document.span(start + 1, end);
  const content = text === null ? [] : [{ kind: 'text', value: document.value(text) } as const];
  if (SPEAKER.exec(lines[start]?.body ?? '')?.[1] === 'User') {
    writer.userTurn(record, null, content, text?.text ?? '');
    return;
  }
  const summary = firstLine(text?.text ?? '') || '(no text)';
  writer.step(record, null, { kind: 'model', name: 'Model call', content, summary });
}
