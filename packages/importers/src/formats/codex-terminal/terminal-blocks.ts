import { parseJson } from '@misstep/json';
import { type CapturedValue, notCaptured, type Origin } from '@misstep/model';
import { isEmptyText } from '../../empty-result.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import {
  counted,
  type IssueList,
  NO_CONTENT,
  type RecordFate,
  type RecordLedger,
  SetAside,
} from '../../record-ledger.ts';
import { RunWriter } from '../../run-writer.ts';
import { inlineValue } from '../../step-builder.ts';
import { type Payload, plainValue, readPayload, tellWrapped } from '../plain-text/payload.ts';
import type { TextSource } from '../plain-text/text-source.ts';
import { type BlockKind, beginsBlock, blockKind } from './terminal-head.ts';

const FRAME = new SetAside('frames and hints of the screen, and how long a turn took');
const DETAIL = /^ {2}└ /;
const MARK_WIDTH = 2;

/** Lines from one to another, both counted. */
interface Block {
  readonly from: number;
  readonly to: number;
}

/** Reads what was copied from the screen of Codex, block by block, into steps. */
export class TerminalBlocks {
  readonly writer: RunWriter;
  readonly #source: TextSource;
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;

  constructor(source: TextSource, ledger: RecordLedger, issues: IssueList) {
    this.#source = source;
    this.#ledger = ledger;
    this.#issues = issues;
    this.writer = new RunWriter(source, issues, 'rendered');
  }

  read(signal: AbortSignal | undefined): void {
    const { lines } = this.#source;
    for (let from = 0; from < lines.length; ) {
      if (from % 1024 === 0) signal?.throwIfAborted();
      if (lines[from]?.blank !== false) {
        from += 1;
        continue;
      }
      const block = this.#blockAt(from);
      const kind = blockKind(lines[from]?.body ?? '');
      const record = this.#origin(block);
      this.#ledger.take(record, this.#readBlock(block, kind, record));
      from = block.to + 1;
    }
  }

  /** A long prompt of older versions has its mark on every line. */
  #blockAt(from: number): Block {
    const { lines } = this.#source;
    const isPrompt = (at: number): boolean => /^[ \t]?▌/.test(lines[at]?.body ?? '');
    let to = from;
    for (let next = from + 1; next < lines.length; next += 1) {
      const line = lines[next];
      if (line === undefined || line.blank) continue;
      const goesOn = isPrompt(from) && isPrompt(next) && next === to + 1;
      if (beginsBlock(line.body) && !goesOn) break;
      to = next;
    }
    return { from, to };
  }

  #readBlock(block: Block, kind: BlockKind, record: Origin): RecordFate {
    switch (kind.type) {
      case 'frame':
        return FRAME;
      case 'facts':
        return null;
      case 'user':
        return this.#addUser(block, record);
      case 'command':
        this.#addCommand(block, kind, record);
        return null;
      case 'call':
        return this.#addCall(block, kind, record);
      case 'edit':
        this.#addEdit(block, kind, record);
        return null;
      case 'search':
        this.#addSearch(block, record);
        return null;
      case 'folded':
        this.#addFolded(block, record);
        return null;
      case 'compacted':
        this.writer.step(record, null, { kind: 'context', name: 'Context compacted' });
        return null;
      case 'note':
        return this.#addNote(block, kind.name, record);
      default:
        return this.#addModel(block, record);
    }
  }

  #addUser(block: Block, record: Origin): RecordFate {
    const payload = this.#payload(block, this.#markEnd(block.from));
    // The prompt that waits for words, and what it suggests.
    if (payload === null || /^(?:Ask Codex to do anything|Write tests for @)/.test(payload.text)) {
      return FRAME;
    }
    const text = payload.text.replace(/\n[ \t]{0,3}▌[ \t]?/g, '\n');
    const value =
      text === payload.text ? plainValue(payload) : inlineValue(text, record, 'rendered');
    this.writer.userTurn(record, null, [{ kind: 'text', value }], text);
    return null;
  }

  #addModel(block: Block, record: Origin): RecordFate {
    const payload = this.#payload(block, this.#markEnd(block.from));
    if (payload === null) return NO_CONTENT;
    this.writer.step(record, null, {
      kind: 'model',
      name: 'Assistant',
      content: [{ kind: 'text', value: plainValue(payload) }],
      summary: firstLine(payload.text),
    });
    return null;
  }

  #addNote(block: Block, name: string, record: Origin): RecordFate {
    const payload = this.#payload(block, this.#markEnd(block.from));
    if (payload === null) return FRAME;
    const content = [{ kind: 'text', value: plainValue(payload) } as const];
    this.writer.note(record, null, name, content, payload.text);
    return null;
  }

  #addFolded(block: Block, record: Origin): void {
    this.#addNote(block, 'Calls that the text does not show', record);
    this.#issues.count(
      'CALLS_COLLAPSED',
      (count) => `${counted(count, 'group')} of calls that the screen shows without results.`,
      this.#source.sha256,
      record.offset,
    );
  }

  /** The command goes on below a bar; what it printed stands below the corner. */
  #addCommand(
    block: Block,
    { at, isRunning }: { readonly at: number; readonly isRunning: boolean },
    record: Origin,
  ): void {
    const detail = this.#detailOf(block);
    const command = this.#payload({ from: block.from, to: (detail ?? block.to + 1) - 1 }, at);
    const text = (command?.text ?? '').replace(/\n {2}│ ?/g, '\n');
    const isWhole = command !== null && text === command.text;
    const cut = /^… \+(\d+) lines/m.exec(text);
    const value: CapturedValue | null =
      command === null
        ? notCaptured('rendered')
        : isWhole
          ? plainValue(command)
          : inlineValue(
              text,
              command.value.origin,
              'rendered',
              cut === null
                ? []
                : [{ pointer: '', kind: 'lines', count: Number(cut[1]), marker: cut[0] }],
            );
    const step = this.writer.call(record, {
      name: 'Command',
      callId: null,
      arguments: value,
      summary: firstLine(text),
      at: null,
    });
    const result = detail === null ? null : this.#payload({ from: detail, to: block.to }, 4);
    if (result === null || isRunning) {
      const why = isRunning ? 'It was still running.' : 'The text holds no result.';
      this.writer.settle(step, 'unanswered', why);
      return;
    }
    this.#answer(step, result, 'unknown', 'The screen shows by colour alone whether it failed.');
  }

  #addCall(
    block: Block,
    { at, isRunning }: { readonly at: number; readonly isRunning: boolean },
    record: Origin,
  ): RecordFate {
    const { lines } = this.#source;
    const first = lines[block.from]?.body ?? '';
    const detail = this.#detailOf(block);
    // A call that is longer than the screen is wide begins below the corner.
    const isBelow = first.slice(at).trim() === '';
    const head = isBelow ? detail : block.from;
    if (head === null) return this.#addModel(block, record);
    const column = isBelow ? 4 : at;
    const open = (lines[head]?.body ?? '').indexOf('(', column);
    const [, server, tool] =
      /^([\w-]+)\.([\w.-]+)$/.exec((lines[head]?.body ?? '').slice(column, open)) ?? [];
    if (open < 0 || server === undefined || tool === undefined) {
      return this.#addModel(block, record);
    }
    const end = this.#endOfArguments(head, block.to, isBelow);
    const given = this.#argumentsOf(head, open + 1, end);
    const step = this.writer.call(record, {
      name: `${server}.${tool}`,
      server,
      tool,
      callId: null,
      arguments: given.value,
      summary: given.summary,
      at: null,
    });
    const from = isBelow ? end + 1 : (detail ?? block.to + 1);
    const result = from > block.to ? null : this.#payload({ from, to: block.to }, 4);
    if (result === null || isRunning) {
      const why = isRunning ? 'It was still running.' : 'The text holds no result.';
      this.writer.settle(step, 'unanswered', why);
    } else if (/^Error\b/.test(result.text)) {
      this.#answer(step, result, 'error', firstLine(result.text, 200));
    } else this.#answer(step, result, 'ok', null);
    return null;
  }

  /** Wrapped arguments are indented further than results. */
  #endOfArguments(head: number, last: number, isBelow: boolean): number {
    let end = head;
    if (!isBelow) return end;
    while (end < last && /^ {8}\S/.test(this.#source.lines[end + 1]?.body ?? '')) {
      if (/\)\s*$/.test(this.#source.lines[end]?.body ?? '')) break;
      end += 1;
    }
    return end;
  }

  #argumentsOf(from: number, column: number, to: number) {
    const body = (this.#source.lines[to]?.body ?? '').trimEnd();
    const toColumn = body.endsWith(')') ? body.length - 1 : body.length;
    const span = { fromLine: from, fromColumn: column, toLine: to, toColumn };
    if (from === to && toColumn <= column) return { value: notCaptured('rendered'), summary: '' };
    const payload = readPayload(this.#source, span);
    const joined = payload.text.replace(/\r?\n[ \t]*/g, from === to ? ' ' : '');
    if (from === to || !parseJson(joined).ok) {
      return { value: payload.value, summary: oneLine(joined) };
    }
    tellWrapped(this.#issues, payload.value, this.#source.sha256);
    const value = inlineValue(joined, payload.value.origin, 'rendered');
    return { value, summary: oneLine(joined) };
  }

  #addEdit(block: Block, { at, verb }: { at: number; verb: string }, record: Origin): void {
    const path = this.#payload({ from: block.from, to: block.from }, at);
    const step = this.writer.call(record, {
      name: `${verb} file`,
      callId: null,
      arguments: path === null ? notCaptured('rendered') : plainValue(path),
      summary: path?.text ?? '',
      at: null,
    });
    const result =
      block.to === block.from ? null : this.#payload({ from: block.from + 1, to: block.to }, 0);
    if (result === null) this.writer.settle(step, 'unanswered', 'The text holds no result.');
    else this.#answer(step, result, 'ok', null);
  }

  #addSearch(block: Block, record: Origin): void {
    const payload = this.#payload(block, this.#markEnd(block.from));
    const step = this.writer.call(record, {
      name: 'Web search',
      callId: null,
      arguments: payload === null ? notCaptured('rendered') : plainValue(payload),
      summary: firstLine(payload?.text ?? ''),
      at: null,
    });
    this.writer.settle(step, 'unknown', 'The screen shows no results of searches.');
    step.result = notCaptured('rendered');
  }

  #answer(
    step: Parameters<RunWriter['answer']>[0],
    payload: Payload,
    status: 'ok' | 'error' | 'unknown',
    reason: string | null,
  ): void {
    const isNothing = /^\(no output\)\s*$/.test(payload.text);
    this.writer.answer(step, null, {
      status,
      reason,
      result: payload.value,
      emptyResult: isNothing || isEmptyText(payload.text),
      at: null,
      pairing: { by: 'order', derived: true },
    });
  }

  #detailOf({ from, to }: Block): number | null {
    for (let at = from + 1; at <= to; at += 1) {
      if (DETAIL.test(this.#source.lines[at]?.body ?? '')) return at;
    }
    return null;
  }

  #markEnd(line: number): number {
    const body = this.#source.lines[line]?.body ?? '';
    const mark = /^[ \t]?[•›▌■⚠✔✗✓✘↳]/.exec(body);
    return mark === null ? 0 : Math.min(body.length, mark[0].length - 1 + MARK_WIDTH);
  }

  #payload({ from, to }: Block, column: number): Payload | null {
    const body = this.#source.lines[to]?.body ?? '';
    const toColumn = Math.max(body.trimEnd().length, from === to ? column : 0);
    if (from > to || (from === to && toColumn <= column)) return null;
    return readPayload(this.#source, {
      fromLine: from,
      fromColumn: Math.min(column, this.#source.lines[from]?.body.length ?? 0),
      toLine: to,
      toColumn,
    });
  }

  #origin({ from, to }: Block): Origin {
    const { lines } = this.#source;
    return this.#source.origin(lines[from]?.start ?? 0, lines[to]?.end ?? 0);
  }
}
