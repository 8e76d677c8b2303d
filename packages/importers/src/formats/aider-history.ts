import { uniqueKey } from '../conversation-thread.ts';
import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import { jsonSourceOf } from '../json-records.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { type JsonSource, resultOf } from '../read-json-source.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { readTime } from '../source-time.ts';
import { TextDocument } from '../text-document.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** `.aider.chat.history.md`, which holds many chats. */
export const aiderHistory: Importer = {
  id: 'aider-history',
  title: 'Aider chat history',
  evidence: 'rendered',
  revision: 2,
  sniff,
  read,
};

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/;

function sniff({ lines }: SourceHead): number {
  const chats = lines.filter((line) => STARTED.test(line)).length;
  if (chats === 0) return 0;
  return lines.slice(0, 3).some((line) => STARTED.test(line)) || chats > 1 ? 0.97 : 0.8;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'rendered');
  const document = await TextDocument.read(input, source.issues);
  const { lines } = document;
  const starts = lines.flatMap(({ body }, index) => (STARTED.test(body) ? [index] : []));
  if (starts[0] !== 0) starts.unshift(0);
  const runs: RunDraft[] = [];
  const keys = new Set<string>();
  for (const [index, start] of starts.entries()) {
    const chat = new Chat(document, source, start, starts[index + 1] ?? lines.length);
    const run = chat.read(input.main.name, keys);
    if (run !== null) runs.push(run);
  }
  return resultOf(runs, [source], source.issues);
}

type LineKind = 'prompt' | 'output' | 'reply';

class Chat {
  readonly #document: TextDocument;
  readonly #source: JsonSource;
  readonly #writer: RunWriter;
  readonly #start: number;
  readonly #end: number;

  constructor(document: TextDocument, source: JsonSource, start: number, end: number) {
    this.#document = document;
    this.#source = source;
    this.#writer = new RunWriter(source.reader, source.issues, 'rendered');
    this.#start = start;
    this.#end = end;
  }

  read(sourceName: string, keys: Set<string>): RunDraft | null {
    const { lines } = this.#document;
    const first = lines[this.#start];
    const started = first === undefined ? null : STARTED.exec(first.body);
    let from = this.#start;
    if (first !== undefined && started !== null) {
      const time = readTime(started[1] ?? '');
      const record = this.#document.origin(first.start, first.end);
      this.#writer.note(record, time, 'Chat started', [], first.body.slice(2));
      this.#source.ledger.understood();
      from += 1;
    }
    this.#readBlocks(from);
    const model = this.#writer.model;
    return draftOf(orderSteps([this.#writer.steps]), {
      key: uniqueKey(keys, started?.[1] ?? '0'),
      title: null,
      client: 'Aider',
      model,
      naturalId: null,
      clock: this.#writer.clock,
      sourceName,
    });
  }

  /** Lines of one kind that follow each other are a block, blank lines between them included. */
  #readBlocks(from: number): void {
    const { lines } = this.#document;
    let start = from;
    let kind: LineKind | null = null;
    for (let at = from; at < this.#end; at += 1) {
      const body = lines[at]?.body ?? '';
      if (body.trim() === '') continue;
      const next = kindOf(body, kind);
      if (next === kind) continue;
      if (kind !== null) this.#addBlock(kind, start, at);
      kind = next;
      start = at;
    }
    if (kind !== null) this.#addBlock(kind, start, this.#end);
  }

  #addBlock(kind: LineKind, start: number, end: number): void {
    const span = this.#document.span(start, end);
    if (span === null) return;
    this.#source.ledger.understood();
    const record = this.#document.origin(span.start, span.end);
    const content = [{ kind: 'text', value: this.#document.value(span) } as const];
    const text = span.text.replace(/^(?:####|>)[ \t]?/gm, '');
    if (kind === 'prompt') this.#writer.userTurn(record, null, content, text);
    else if (kind === 'output') {
      this.#writer.model ??= /^(?:Main model|Model): (\S{1,100})/m.exec(text)?.[1] ?? null;
      this.#writer.note(record, null, 'Aider output', content, text);
    } else {
      const summary = firstLine(text);
      this.#writer.step(record, null, { kind: 'model', name: 'Model call', content, summary });
    }
  }
}

/** A `####` right below the model's text is a heading of that text. */
function kindOf(body: string, before: LineKind | null): LineKind {
  if (/^####(?: |$)/.test(body)) return before === 'reply' ? 'reply' : 'prompt';
  return /^>(?: |$)/.test(body) ? 'output' : 'reply';
}
