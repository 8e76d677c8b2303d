import { notCaptured, type Step } from '@misstep/model';
import { cutsInText } from '../../cut-marks.ts';
import { firstLine } from '../../one-line.ts';
import type { RecordLedger } from '../../record-ledger.ts';
import type { RunWriter } from '../../run-writer.ts';
import { readTime } from '../../source-time.ts';
import { inlineValue } from '../../step-builder.ts';
import type { TextDocument } from '../../text-document.ts';
import { splitToolName } from '../../tool-name.ts';
import { type TextSpan, type ToolBlock, toolBlockAt } from './tool-block.ts';
import { splitBody, type ToolBody } from './tool-body.ts';
import { verdictInHistory } from './tool-verdict.ts';

const HEADING = /^_\*\*(User|Agent|Assistant)( - sidechain)?(?: \((.{1,200})\))?\*\*_$/;
const THINK = /^<think><details>(?:<summary>.{0,200}<\/summary>)?$/;
const THINK_END = '</details></think>';

interface Section {
  /** Null behind a call, until the model says more. */
  step: Step | null;
  readonly isUser: boolean;
  readonly name: string;
  readonly model: string | null;
}

/** Sections, thoughts and calls of a history file; tags count at the beginning of a line only. */
export class HistoryReader {
  model: string | null = null;
  readonly #document: TextDocument;
  readonly #writer: RunWriter;
  readonly #ledger: RecordLedger;
  #section: Section | null = null;
  #textFrom = 0;

  constructor(document: TextDocument, writer: RunWriter, ledger: RecordLedger) {
    this.#document = document;
    this.#writer = writer;
    this.#ledger = ledger;
  }

  read(): void {
    const { lines } = this.#document;
    let at = 0;
    while (at < lines.length) {
      const { body } = lines[at] ?? { body: '' };
      const heading = HEADING.exec(body);
      const isSaid = this.#section !== null && !this.#section.isUser;
      const block = isSaid ? toolBlockAt(this.#document, at, (line) => HEADING.test(line)) : null;
      if (heading !== null) {
        this.#endText(at);
        this.#startSection(at, heading);
        at += 1;
        this.#textFrom = at;
      } else if (block !== null) {
        this.#endText(at);
        at = this.#readTool(block, at);
        this.#textFrom = at;
      } else if (this.#section !== null && !this.#section.isUser && THINK.test(body)) {
        this.#endText(at);
        at = this.#readThoughts(at);
        this.#textFrom = at;
      } else at += 1;
    }
    this.#endText(lines.length);
  }

  #startSection(at: number, heading: RegExpExecArray): void {
    const [, speaker, sidechain, note = ''] = heading;
    const match = /^(?:(\S.*?) )?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ?)$/.exec(note);
    const time = match?.[2] === undefined ? null : readTime(match[2]);
    const model = match?.[1] ?? null;
    this.model ??= model;
    const name = sidechain === undefined ? 'Model call' : 'Model call (sidechain)';
    const isUser = speaker === 'User';
    this.#section = { step: null, isUser, name, model };
    this.#ledger.understood();
    const line = this.#document.lines[at];
    if (line === undefined) return;
    const record = this.#document.origin(line.start, line.end);
    this.#section.step = isUser
      ? this.#writer.userTurn(record, time, [], '')
      : this.#writer.step(record, time, { kind: 'model', name, model });
  }

  /** Text since the last tag or heading, without the rule above the next section. */
  #endText(end: number): void {
    const { lines } = this.#document;
    let to = end;
    while (to > this.#textFrom && /^(?:---)?\s*$/.test(lines[to - 1]?.body ?? '')) to -= 1;
    const text = this.#document.span(this.#textFrom, to);
    if (text === null) return;
    const section = this.#section;
    if (section === null) {
      this.#ledger.understood();
      return;
    }
    section.step ??= this.#stepAfterTool(text, section);
    const { step } = section;
    step.content.push({ kind: 'text', value: this.#document.value(text) });
    if (section.isUser || step.summary === '') step.summary = firstLine(text.text);
  }

  /** What the model says behind a call is another of its calls. */
  #stepAfterTool(text: { start: number; end: number }, { name, model }: Section): Step {
    const record = this.#document.origin(text.start, text.end);
    return this.#writer.step(record, null, { kind: 'model', name, model });
  }

  #readThoughts(start: number): number {
    const { lines } = this.#document;
    let end = start + 1;
    while (
      end < lines.length &&
      lines[end]?.body !== THINK_END &&
      !HEADING.test(lines[end]?.body ?? '')
    ) {
      end += 1;
    }
    const text = this.#document.span(start + 1, end);
    const step = this.#section?.step;
    if (text !== null && step !== null && step !== undefined) {
      step.content.push({ kind: 'thinking', value: this.#document.value(text) });
    }
    return lines[end]?.body === THINK_END ? end + 1 : end;
  }

  #readTool(block: ToolBlock, start: number): number {
    const whole = this.#document.span(start, block.next);
    if (whole === null) return block.next;
    const { server, tool } = splitToolName(block.name);
    const record = this.#document.origin(whole.start, whole.end);
    const step = this.#writer.call(record, {
      name: tool,
      server,
      tool,
      callId: null,
      arguments: notCaptured('rendered'),
      at: null,
    });
    const model = this.#section?.step;
    if (model?.summary === '') model.summary = firstLine(`calls ${tool}`, 200);
    if (this.#section !== null) this.#section.step = null;
    this.#ledger.understood();
    const { given, result } = splitBody(this.#document.lines, block);
    this.#sayArguments(step, block, given);
    if (!block.closed) step.statusReason = 'The block is never closed.';
    else if (result === null) {
      step.status = 'unknown';
      step.statusReason = 'The block shows no result.';
      step.result = notCaptured('rendered');
    } else this.#answer(step, result);
    return block.next;
  }

  /** What the head says of the call, and what stands above the result. */
  #sayArguments(step: Step, { about }: ToolBlock, given: ToolBody['given']): void {
    const body = given === null ? null : this.#document.span(given.from, given.to);
    if (body === null && about === null) return;
    const head = about === null ? '' : this.#document.text.slice(about.start, about.end);
    const shown = body?.text.replace(/^`{3,}\w*$/gm, '') ?? '';
    step.summary = firstLine(head === '' ? shown : head);
    if (about !== null && body !== null) {
      const text = `${head}\n\n${body.text}`;
      step.arguments = inlineValue(text, step.origin, 'rendered');
      return;
    }
    const json = /^```json\n([\s\S]*)\n```$/.exec(body?.text ?? '')?.[1];
    if (body !== null && json !== undefined && !json.includes('\n```')) {
      const start = body.start + '```json\n'.length;
      step.arguments = this.#document.value({ start, end: start + json.length });
      return;
    }
    const only = body ?? about;
    if (only !== null) step.arguments = this.#document.value(only);
  }

  #answer(step: Step, result: TextSpan): void {
    const text = this.#document.text.slice(result.start, result.end);
    this.#writer.answer(step, null, {
      ...verdictInHistory(text),
      result: this.#document.value(result, cutsInText(text, '')),
      emptyResult: text.trim() === '',
      at: null,
      pairing: { by: 'order', derived: false },
    });
  }
}
