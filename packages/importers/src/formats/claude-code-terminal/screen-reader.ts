import { type CapturedValue, notCaptured, type Origin, type Step } from '@misstep/model';
import { isEmptyResult } from '../../empty-result.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { counted, type IssueList, type RecordLedger, SetAside } from '../../record-ledger.ts';
import { inlineValue, makeStep, stepIdAt } from '../../step-builder.ts';
import {
  type Payload,
  plainValue,
  readPayload,
  type TextSpan,
  tellWrapped,
} from '../plain-text/payload.ts';
import type { TextSource } from '../plain-text/text-source.ts';
import { pairsToJson } from '../plain-text/written-arguments.ts';
import { readCallHead, readTerminalLine } from './terminal-line.ts';
import { cutsOnScreen, isEmptyOnScreen, statusOnScreen } from './terminal-result.ts';

const FRAME = new SetAside('frames, rulers and hints of the screen, or fences around the text');

/** Reads what was copied from Claude Code's screen, line by line, into steps. */
export class ScreenReader {
  readonly steps: Step[] = [];
  readonly #source: TextSource;
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;
  #turn: Step | null = null;
  #call: Step | null = null;

  constructor(source: TextSource, ledger: RecordLedger, issues: IssueList) {
    this.#source = source;
    this.#ledger = ledger;
    this.#issues = issues;
  }

  read(signal: AbortSignal | undefined): void {
    for (let number = 0; number < this.#source.lines.length; ) {
      if (number % 1024 === 0) signal?.throwIfAborted();
      number = this.#readLine(number) + 1;
    }
  }

  #readLine(number: number): number {
    const line = this.#source.lines[number];
    if (line === undefined || line.blank) return number;
    const read = readTerminalLine(line);
    switch (read.type) {
      case 'frame':
        return this.#readFrame(number);
      case 'result':
        return this.#readResult(number, number, read.at);
      case 'bullet': {
        const call = readCallHead(line.body.slice(read.at));
        if (call !== null) return this.#readCall(number, read.at, call);
        return this.#readText(number, read.at, 'model', 'Assistant');
      }
      case 'prompt':
        return this.#readText(number, read.at, 'user', 'User turn');
      case 'collapsed':
        return this.#readCollapsed(number, read.at);
      case 'note':
        return this.#readText(number, read.at, 'note', 'Client message');
      default:
        return this.#readText(number, line.indent, 'note', 'Text');
    }
  }

  /** Lines of it that follow each other are one record; the version in the banner is read elsewhere. */
  #readFrame(number: number): number {
    const { lines } = this.#source;
    const isFrame = (at: number): boolean => {
      const line = lines[at];
      return line !== undefined && !line.blank && readTerminalLine(line).type === 'frame';
    };
    let last = number;
    while (isFrame(last + 1)) last += 1;
    const told = lines.slice(number, last + 1).some(({ body }) => /Claude Code v\d/.test(body));
    this.#ledger.take(this.#origin(number, last), told ? null : FRAME);
    return last;
  }

  #readText(number: number, column: number, kind: 'user' | 'model' | 'note', name: string): number {
    const { lines } = this.#source;
    let last = number;
    for (let next = number + 1; next < lines.length; next += 1) {
      const line = lines[next];
      if (line === undefined) break;
      if (line.blank) continue;
      const { type } = readTerminalLine(line);
      // Boxes drawn in an answer belong to it, and a long prompt has its mark on every line.
      const drawing = type === 'frame' && kind === 'model' && line.indent >= 2;
      const quoted = type === 'prompt' && kind === 'user' && next === last + 1;
      if (type !== 'text' && !drawing && !quoted) break;
      last = next;
    }
    const payload = this.#payload(number, column, last);
    const value = plainValue(payload);
    const step = this.#add(number, last, {
      kind,
      name,
      content: [{ kind: 'text', value }],
      summary: firstLine(payload.text),
    });
    if (kind === 'user') {
      step.parentId = null;
      this.#turn = step;
    }
    this.#call = null;
    return last;
  }

  /** The screen shows only how many calls there were. */
  #readCollapsed(number: number, column: number): number {
    const payload = this.#payload(number, column, number);
    this.#call = this.#add(number, number, {
      kind: 'note',
      name: 'Calls that the text does not show',
      content: [{ kind: 'text', value: plainValue(payload) }],
      summary: firstLine(payload.text),
    });
    this.#issues.count(
      'CALLS_COLLAPSED',
      (count) =>
        `${counted(count, 'group')} of calls that the screen had folded; they are not in the text.`,
      this.#source.sha256,
      this.#call.origin.offset,
    );
    return number;
  }

  #readCall(
    number: number,
    column: number,
    call: { server: string | null; tool: string; at: number },
  ): number {
    const { lines } = this.#source;
    const first = lines[number]?.body ?? '';
    const from = column + call.at;
    const inline = first.indexOf('⎿', from);
    let last = number;
    let closed = inline >= 0 || /\)\s*$/.test(first) || !first.slice(from).startsWith('(');
    for (let next = number + 1; inline < 0 && next < lines.length; next += 1) {
      const line = lines[next];
      if (line === undefined || line.blank || readTerminalLine(line).type !== 'text') break;
      if (closed && line.indent < 6) break;
      last = next;
      closed = /\)\s*$/.test(line.body);
    }
    const step = this.#add(number, last, {
      kind: 'tool',
      name: oneLine(call.tool, 200),
      server: call.server,
      tool: call.tool,
      status: 'unanswered',
      statusReason: 'The text holds no result.',
      pairing: { by: 'none', derived: true },
      ...this.#arguments(number, from, last, inline < 0 ? null : inline),
    });
    this.#call = step;
    return inline < 0 ? last : this.#readResult(number, number, inline + 1);
  }

  /** What stands between the outer round brackets. */
  #arguments(
    number: number,
    from: number,
    last: number,
    inlineAt: number | null,
  ): Pick<Step, 'arguments' | 'summary'> {
    const { lines } = this.#source;
    const body = (lines[last]?.body ?? '').slice(0, inlineAt ?? undefined).trimEnd();
    if (lines[number]?.body.charAt(from) !== '(') {
      return { arguments: notCaptured('rendered'), summary: '' };
    }
    const end = body.endsWith(')') ? body.length - 1 : body.length;
    const span = { fromLine: number, fromColumn: from + 1, toLine: last, toColumn: end };
    const payload = readPayload(this.#source, span);
    const joined = payload.text.replace(/\r?\n[ \t\u00a0]*/g, last > number ? '' : ' ');
    const json = pairsToJson(joined);
    const value: CapturedValue =
      json === null ? plainValue(payload) : inlineValue(json, payload.value.origin, 'rendered');
    if (json !== null && last > number) {
      tellWrapped(this.#issues, payload.value, this.#source.sha256);
    }
    if (/(?:…|\.\.\.)$/.test(payload.text)) {
      value.state = 'elided';
      value.elisions = [{ pointer: '', kind: 'tail', count: null, marker: '…' }];
    }
    return { arguments: value, summary: oneLine(joined) };
  }

  #readResult(number: number, firstLineOfRecord: number, column: number): number {
    const { lines } = this.#source;
    const body = lines[number]?.body ?? '';
    const gap = /^[\s\u00a0]*/.exec(body.slice(column))?.[0].length ?? 0;
    let last = number;
    for (let next = number + 1; next < lines.length; next += 1) {
      const line = lines[next];
      if (line === undefined) break;
      if (line.blank) continue;
      const { type } = readTerminalLine(line);
      const inside = type === 'text' || (type === 'frame' && line.indent >= 4);
      if (!inside || (lines[next - 1]?.blank === true && line.indent < 4)) break;
      last = next;
    }
    const payload = this.#payload(number, column + gap, last);
    const record = this.#origin(firstLineOfRecord, last);
    const isInline = column > (lines[number]?.body.indexOf('⎿') ?? 0) + 8;
    if (this.#call === null) {
      this.#ledgerResultWithoutCall(number, last, payload);
      return last;
    }
    // A call and its result on one line are one record, which was counted with the call.
    if (!isInline && this.#call.origin.offset !== record.offset) this.#ledger.understood();
    this.#answer(this.#call, payload, record);
    return last;
  }

  #ledgerResultWithoutCall(number: number, last: number, payload: Payload): void {
    if (/^Interrupted\b/.test(payload.text)) {
      this.#add(number, last, {
        kind: 'note',
        name: 'Interrupted by the user',
        content: [{ kind: 'text', value: plainValue(payload) }],
        summary: firstLine(payload.text),
      });
      return;
    }
    const step = this.#add(number, last, {
      kind: 'note',
      name: 'Client message',
      content: [{ kind: 'text', value: plainValue(payload) }],
      summary: firstLine(payload.text),
    });
    this.#call = step;
  }

  #answer(step: Step, payload: Payload, record: Origin): void {
    step.moreOrigins.push(record);
    const { status, reason } = statusOnScreen(payload.text);
    if (step.kind === 'note') {
      step.content.push({ kind: 'text', value: plainValue(payload) });
      return;
    }
    // A second result line is the client's word on the first, such as an interruption.
    if (step.result !== null) {
      if (status !== 'ok') Object.assign(step, { status, statusReason: reason });
      return;
    }
    const cuts = payload.value.elisions.length > 0 ? [] : cutsOnScreen(payload.text);
    const value = { ...payload.value, elisions: [...payload.value.elisions, ...cuts] };
    step.result = value.elisions.length > 0 ? { ...value, state: 'elided' } : value;
    step.status = status;
    step.statusReason = reason;
    step.pairing = { by: 'order', derived: true };
    if (/^Done \(\d+ tool uses?/.test(payload.text)) step.kind = 'agent';
    const { document } = payload;
    step.emptyResult =
      isEmptyOnScreen(payload.text) ||
      (value.elisions.length > 0
        ? null
        : document !== null && isEmptyResult(document, document.root));
    this.#issues.count(
      'PAIRING_DERIVED',
      (count) => `${counted(count, 'result')} put to the call above: the text holds no ids.`,
      this.#source.sha256,
      record.offset,
    );
  }

  #add(from: number, to: number, fields: Pick<Step, 'kind' | 'name'> & Partial<Step>): Step {
    const origin = this.#origin(from, to);
    const step = makeStep({
      id: stepIdAt(origin.offset),
      parentId: this.#turn?.id ?? null,
      evidence: 'rendered',
      origin,
      ...fields,
    });
    this.steps.push(step);
    this.#ledger.understood();
    return step;
  }

  #payload(fromLine: number, fromColumn: number, toLine: number): Payload {
    const body = this.#source.lines[toLine]?.body ?? '';
    const toColumn = Math.max(body.trimEnd().length, fromLine === toLine ? fromColumn : 0);
    const span: TextSpan = { fromLine, fromColumn, toLine, toColumn };
    return readPayload(this.#source, span);
  }

  #origin(from: number, to: number): Origin {
    const { lines } = this.#source;
    return this.#source.origin(lines[from]?.start ?? 0, lines[to]?.end ?? 0);
  }
}
