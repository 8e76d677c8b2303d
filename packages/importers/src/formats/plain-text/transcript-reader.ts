import { type RecordLedger, SetAside } from '../../record-ledger.ts';
import type { SourceTime } from '../../source-time.ts';
import { readCallLine } from './call-line.ts';
import { looksLikeExchange } from './exchange-look.ts';
import { type LineHead, readLineHead, type Speaker } from './line-head.ts';
import { plainValue, readPayloadOf } from './payload.ts';
import { type CallNames, readNamedLine } from './result-head.ts';
import { readResultLine } from './result-line.ts';
import type { TextSource } from './text-source.ts';
import type { TranscriptSteps } from './transcript-steps.ts';

/** Text that is being gathered line by line. */
interface OpenText {
  readonly speaker: Speaker | null;
  readonly label: string;
  readonly firstLine: number;
  /** Column on the first line behind stamp and speaker. */
  readonly column: number;
  readonly time: SourceTime | null;
  lastLine: number;
}

const STRUCTURE = new SetAside('fences, rules and tags around the text');

/** A result on its call's own line needs no name. */
const NO_NAMES: CallNames = { isOpen: () => false, isKnown: () => false };

/**
 * Goes through a transcript line by line. Every line that isn't blank comes to exactly one record:
 * a call, a result, a message, a note, or structure (fences, rules, details).
 */
export class TranscriptReader {
  readonly #source: TextSource;
  readonly #steps: TranscriptSteps;
  readonly #ledger: RecordLedger;
  #text: OpenText | null = null;
  #structure: { first: number; last: number } | null = null;
  /** Set inside a code fence whose language is no log: its lines are text. */
  #fence: string | null = null;

  constructor(source: TextSource, steps: TranscriptSteps, ledger: RecordLedger) {
    this.#source = source;
    this.#steps = steps;
    this.#ledger = ledger;
  }

  read(signal: AbortSignal | undefined): void {
    const { lines } = this.#source;
    for (let number = 0; number < lines.length; ) {
      if (number % 1024 === 0) signal?.throwIfAborted();
      number = this.#readLine(number) + 1;
    }
    this.#closeText();
    this.#closeStructure();
  }

  /** Returns the last line that was taken. */
  #readLine(number: number): number {
    const line = this.#source.lines[number];
    if (line === undefined || line.blank) return number;
    if (this.#fence !== null) {
      if (line.body.trim().startsWith(this.#fence)) this.#fence = null;
      this.#continueText(number);
      return number;
    }
    const { head, at, time } = readLineHead(line.body);
    switch (head.type) {
      case 'call':
        return this.#readCall(number, head, time);
      case 'result':
        return this.#readResult(number, head, time);
      case 'speaker':
        if (head.who === 'tool' && this.#steps.waits) {
          return this.#readResult(
            number,
            { ...head, type: 'result', sure: true, error: false },
            time,
          );
        }
        this.#startText(number, head.at, time, head.who, head.label);
        return number;
      case 'structure':
        this.#readStructure(number, head);
        return number;
      default:
        if (this.#steps.waits) {
          const named = readNamedLine(line.body.slice(at));
          if (named !== null && this.#steps.names.isOpen(named.name)) {
            const from = { type: 'result', at: at + named.length, sure: true } as const;
            return this.#readResult(number, { ...from, error: named.error }, time, named.name);
          }
        }
        if (looksLikeExchange(line.body)) {
          return this.#unread(number, true, time, 'it looks like a call and can not be read');
        }
        if (time === null) this.#continueText(number);
        else this.#startText(number, at, time, null, 'Text');
        return number;
    }
  }

  #readCall(number: number, head: LineHead & { type: 'call' }, time: SourceTime | null): number {
    const { lines } = this.#source;
    const call = readCallLine(lines, number, head.at, {
      sure: head.sure,
      stamped: time !== null,
      word: !head.sure,
    });
    if (call === null) return this.#unread(number, head.sure, time, 'a call that can not be read');
    const read = this.#steps.prepareCall(call);
    // Words that only look like a call stay words.
    if (typeof read === 'string' && !head.sure) return this.#unread(number, false, time, read);
    const origin = this.#origin(number, call.lastLine);
    this.#closeText();
    if (typeof read === 'string') {
      this.#ledger.notUnderstood(origin, read);
      return call.lastLine;
    }
    this.#steps.addCall(origin, read, call.tail, time);
    if (call.resultAt === null) {
      this.#ledger.understood();
      return call.lastLine;
    }
    const result = readResultLine(lines, call.lastLine, call.resultAt, false, NO_NAMES);
    const whole = this.#origin(number, result.lastLine);
    this.#account(whole, this.#steps.addResult(whole, { ...result, name: read.name }, null));
    return result.lastLine;
  }

  #readResult(
    number: number,
    head: LineHead & { type: 'result' },
    time: SourceTime | null,
    name: string | null = null,
  ): number {
    if (!this.#steps.waits) {
      return this.#unread(number, head.sure, time, 'a result without a call before it');
    }
    const { lines } = this.#source;
    const read = readResultLine(lines, number, head.at, head.error, this.#steps.names);
    const result = name === null ? read : { ...read, name };
    const origin = this.#origin(number, result.lastLine);
    this.#closeText();
    this.#account(origin, this.#steps.addResult(origin, result, time));
    return result.lastLine;
  }

  /** What only looks like a call or result: text where that can be, else a record not understood. */
  #unread(number: number, sure: boolean, time: SourceTime | null, reason: string): number {
    const certain = looksLikeExchange(this.#source.lines[number]?.body ?? '');
    if (!certain && time === null && (!sure || this.#text !== null)) {
      this.#continueText(number);
      return number;
    }
    if (!certain && !sure) {
      this.#startText(
        number,
        readLineHead(this.#source.lines[number]?.body ?? '').at,
        time,
        null,
        'Text',
      );
      return number;
    }
    this.#closeText();
    this.#ledger.notUnderstood(this.#origin(number, number), reason);
    return number;
  }

  #readStructure(number: number, head: LineHead & { type: 'structure' }): void {
    const isCode =
      head.fence !== null &&
      head.fence !== '' &&
      !/^(text|txt|log|console|plaintext)$/.test(head.fence);
    if (isCode) this.#fence = /~/.test(this.#source.lines[number]?.body ?? '') ? '~~~' : '```';
    if (this.#text !== null || isCode) {
      this.#continueText(number);
      return;
    }
    // Lines of structure that follow each other are one record.
    if (this.#structure?.last === number - 1) this.#structure.last = number;
    else {
      this.#closeStructure();
      this.#structure = { first: number, last: number };
    }
  }

  #closeStructure(): void {
    if (this.#structure === null) return;
    this.#ledger.setAside(this.#origin(this.#structure.first, this.#structure.last), STRUCTURE);
    this.#structure = null;
  }

  #startText(
    number: number,
    column: number,
    time: SourceTime | null,
    speaker: Speaker | null,
    label: string,
  ): void {
    this.#closeText();
    this.#text = { speaker, label, firstLine: number, column, time, lastLine: number };
  }

  #continueText(number: number): void {
    if (this.#text === null) {
      const indent = this.#source.lines[number]?.indent ?? 0;
      this.#startText(number, indent, null, null, 'Text');
    } else this.#text.lastLine = number;
  }

  #closeText(): void {
    const text = this.#text;
    if (text === null) return;
    this.#text = null;
    const { lines } = this.#source;
    let { firstLine: fromLine, column: fromColumn } = text;
    // "User:" alone on its line: the words begin on the next.
    if (fromLine < text.lastLine && (lines[fromLine]?.body.slice(fromColumn) ?? '').trim() === '') {
      fromLine += 1;
      while (fromLine < text.lastLine && lines[fromLine]?.blank) fromLine += 1;
      fromColumn = lines[fromLine]?.indent ?? 0;
    }
    const toColumn = lines[text.lastLine]?.body.trimEnd().length ?? 0;
    const span = {
      fromLine,
      fromColumn,
      toLine: text.lastLine,
      toColumn: Math.max(toColumn, fromLine === text.lastLine ? fromColumn : 0),
    };
    const payload = readPayloadOf(this.#source, span);
    const kinds = { user: 'user', model: 'model', system: 'note', tool: 'note' } as const;
    const kind = text.speaker === null ? 'note' : kinds[text.speaker];
    const name = text.speaker === 'user' ? 'User turn' : text.label;
    const origin = this.#origin(text.firstLine, text.lastLine);
    const content = payload === null ? null : plainValue(payload);
    this.#steps.addText(origin, { kind, name, text: payload?.text ?? '', content }, text.time);
    this.#ledger.understood();
  }

  #account(span: { offset: number; length: number }, reason: string | null): void {
    this.#ledger.take(span, reason);
  }

  #origin(from: number, to: number): ReturnType<TextSource['origin']> {
    const { lines } = this.#source;
    return this.#source.origin(lines[from]?.start ?? 0, lines[to]?.end ?? 0);
  }
}
