import { parseJson } from '@misstep/json';
import { notCaptured, type Step } from '@misstep/model';
import { argumentSummary } from '../../argument-summary.ts';
import { firstLine } from '../../one-line.ts';
import type { RecordLedger } from '../../record-ledger.ts';
import type { RunWriter } from '../../run-writer.ts';
import { valueAt } from '../../step-builder.ts';
import type { TextDocument } from '../../text-document.ts';

const HEADING = /^## (User|Assistant)(?: \((.{1,200})\))?$/;
const TOOL = /^\*\*Tool: (.{1,200})\*\*$/;
const PART = /^\*\*(Input|Output|Error):\*\*$/;

/** Reads the sections of an exported session; each is a record, and so is what stands above. */
export function readMarkdown(
  document: TextDocument,
  writer: RunWriter,
  ledger: RecordLedger,
): void {
  const { lines } = document;
  const starts = lines.flatMap(({ body }, index) =>
    isHeading(document, index, body) ? [index] : [],
  );
  const first = starts[0] ?? lines.length;
  if (lines.slice(0, first).some(({ body }) => body.trim() !== '')) ledger.understood();
  for (const [index, start] of starts.entries()) {
    readSection(document, writer, start, starts[index + 1] ?? lines.length);
    ledger.understood();
  }
}

/** Texts hold headings of their own; a section's stands below a rule. */
function isHeading({ lines }: TextDocument, index: number, body: string): boolean {
  if (!HEADING.test(body)) return false;
  let above = index - 1;
  while (above >= 0 && lines[above]?.body.trim() === '') above -= 1;
  return lines[above]?.body === '---';
}

function readSection(document: TextDocument, writer: RunWriter, start: number, next: number): void {
  const { lines } = document;
  const end = sectionEnd(document, start, next);
  const heading = HEADING.exec(lines[start]?.body ?? '');
  const whole = document.span(start, end);
  if (heading === null || whole === null) return;
  const record = document.origin(whole.start, whole.end);
  if (heading[1] === 'User') {
    const text = document.span(start + 1, end);
    const content = text === null ? [] : [{ kind: 'text', value: document.value(text) } as const];
    writer.userTurn(record, null, content, text?.text ?? '');
    return;
  }
  const model = heading[2]?.split(' · ')[1] ?? null;
  writer.model ??= model;
  let at = start + 1;
  let step: Step | null = null;
  const calls: string[] = [];
  const modelStep = (): Step => {
    step ??= writer.step(record, null, { kind: 'model', name: 'Model call', model });
    return step;
  };
  while (at < end) {
    const tool = TOOL.exec(lines[at]?.body ?? '')?.[1];
    if (tool !== undefined) {
      modelStep();
      calls.push(tool);
      at = readTool(document, writer, { record, tool, start: at, end });
      continue;
    }
    let until = at;
    while (until < end && !TOOL.test(lines[until]?.body ?? '')) until += 1;
    addText(document, modelStep, at, until);
    at = until;
  }
  const made = modelStep();
  if (made.summary === '')
    made.summary = calls.length === 0 ? '' : firstLine(`calls ${calls.join(', ')}`);
}

/** The rule above the next heading belongs to neither. */
function sectionEnd({ lines }: TextDocument, start: number, next: number): number {
  let end = next;
  while (end > start + 1 && /^(?:---)?\s*$/.test(lines[end - 1]?.body ?? '')) end -= 1;
  return end;
}

function addText(document: TextDocument, modelStep: () => Step, from: number, to: number): void {
  const { lines } = document;
  let at = from;
  while (at < to && lines[at]?.body.trim() === '') at += 1;
  const isThinking = lines[at]?.body === '_Thinking:_';
  const text = document.span(isThinking ? at + 1 : at, to);
  if (text === null) return;
  const step = modelStep();
  step.content.push({ kind: isThinking ? 'thinking' : 'text', value: document.value(text) });
  if (!isThinking && step.summary === '') step.summary = firstLine(text.text);
}

interface ToolPlace {
  readonly record: Step['origin'];
  readonly tool: string;
  readonly start: number;
  readonly end: number;
}

/** Reads a call with its fences; returns the line behind it. */
function readTool(
  document: TextDocument,
  writer: RunWriter,
  { record, tool, start, end }: ToolPlace,
): number {
  const { lines } = document;
  const step = writer.call(record, {
    name: tool,
    callId: null,
    arguments: notCaptured('rendered'),
    at: null,
  });
  step.statusReason = 'The export leaves out what tools did.';
  step.status = 'unknown';
  let at = start + 1;
  for (;;) {
    let label = at;
    while (label < end && lines[label]?.body.trim() === '') label += 1;
    const name = PART.exec(lines[label]?.body ?? '')?.[1];
    if (name === undefined || !/^```/.test(lines[label + 1]?.body ?? '')) return at;
    const close = fenceEnd(document, label + 1, end);
    const from = lines[label + 2]?.start ?? 0;
    const to = close > label + 2 ? (lines[close - 1]?.end ?? from) : from;
    const origin = document.origin(from, to);
    const text = document.text.slice(from, to);
    if (name === 'Input') {
      const parsed = parseJson(text);
      step.arguments = valueAt(origin, parsed.ok ? 'json' : 'text', 'rendered');
      step.summary = parsed.ok ? argumentSummary(parsed.value, parsed.value.root) : firstLine(text);
    } else {
      writer.answer(step, null, {
        status: name === 'Error' ? 'error' : 'ok',
        reason: name === 'Error' ? firstLine(text, 200) || 'The call failed.' : null,
        result: valueAt(origin, 'text', 'rendered'),
        emptyResult: text.trim() === '',
        at: null,
        pairing: { by: 'order', derived: false },
      });
    }
    at = close + 1;
  }
}

/** The line that closes a fence; fences with a language inside open one more. */
function fenceEnd({ lines }: TextDocument, open: number, end: number): number {
  let depth = 0;
  for (let at = open + 1; at < end; at += 1) {
    const body = lines[at]?.body ?? '';
    if (/^```\S/.test(body)) depth += 1;
    else if (/^```\s*$/.test(body)) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return end;
}
