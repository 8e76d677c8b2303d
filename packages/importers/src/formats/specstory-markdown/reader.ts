import { type Elision, notCaptured, type Step } from '@misstep/model';
import { firstLine } from '../../one-line.ts';
import type { RecordLedger } from '../../record-ledger.ts';
import type { RunWriter } from '../../run-writer.ts';
import { readTime } from '../../source-time.ts';
import type { TextDocument } from '../../text-document.ts';
import { splitToolName } from '../../tool-name.ts';
import { cutsInText } from '../claude-code-jsonl/result-text.ts';

const HEADING = /^_\*\*(User|Agent|Assistant)( - sidechain)?(?: \((.{1,200})\))?\*\*_$/;
const TOOL = /^<tool-use [^>\n]{0,400}data-tool-name="([^"\n]{1,200})"[^>\n]{0,400}><details>$/;
const TOOL_END = '</details></tool-use>';
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
      if (heading !== null) {
        this.#endText(at);
        this.#startSection(at, heading);
        at += 1;
        this.#textFrom = at;
      } else if (this.#section !== null && !this.#section.isUser && TOOL.test(body)) {
        this.#endText(at);
        at = this.#readTool(at);
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

  #readTool(start: number): number {
    const { lines } = this.#document;
    const written = TOOL.exec(lines[start]?.body ?? '')?.[1] ?? '';
    let end = start + 1;
    while (end < lines.length && lines[end]?.body !== TOOL_END) end += 1;
    const closed = end < lines.length;
    const whole = this.#document.span(start, closed ? end + 1 : end);
    if (whole === null) return end + 1;
    const { server, tool } = splitToolName(written);
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
    if (!closed) {
      step.statusReason = 'The block is never closed.';
      return end;
    }
    const isSummary = /^\s*<summary>.*<\/summary>\s*$/.test(lines[start + 1]?.body ?? '');
    this.#readBody(step, isSummary ? start + 2 : start + 1, end);
    return end + 1;
  }

  /** Above the `text` fence stand the arguments as they are shown, in it the result. */
  #readBody(step: Step, start: number, end: number): void {
    const { lines } = this.#document;
    let open = start;
    while (open < end && !/^`{3,}text$/.test(lines[open]?.body ?? '')) open += 1;
    const given = this.#document.span(start, open);
    if (given !== null) {
      step.arguments = this.#document.value(given);
      step.summary = firstLine(given.text.replace(/^`{3,}\w*$/gm, ''));
    }
    let close = end - 1;
    while (close > open && !/^`{3,}$/.test(lines[close]?.body ?? '')) close -= 1;
    if (open >= end || close <= open) {
      step.status = 'unknown';
      step.statusReason = 'The block shows no result.';
      return;
    }
    const from = lines[open + 1]?.start ?? 0;
    const to = close > open + 1 ? (lines[close - 1]?.end ?? from) : from;
    const text = this.#document.text.slice(from, to);
    const isError = /^\s*(?:Error:|Exit code [1-9]|<tool_use_error>)/.test(text);
    const cuts: Elision[] = cutsInText(text, '');
    this.#writer.answer(step, null, {
      status: isError ? 'error' : 'ok',
      reason: isError ? firstLine(text, 200) : null,
      result: this.#document.value({ start: from, end: to }, cuts),
      emptyResult: text.trim() === '',
      at: null,
      pairing: { by: 'order', derived: false },
    });
  }
}
