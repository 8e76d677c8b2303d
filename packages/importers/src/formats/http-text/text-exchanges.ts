import { absolute } from '../../redirects.ts';
import type { TextLine } from './text-lines.ts';

/** A message of HTTP as lines of a text: its head, and where its body lies. */
export interface TextMessage {
  /** Of a request; '' of an answer. */
  readonly method: string;
  readonly target: string;
  /** Of an answer; 0 of a request. */
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly body: TextLine[];
}

/** A request and its answer, as far as the text holds them. */
export interface TextExchange {
  /** The command that was typed. */
  readonly command: TextLine[];
  request: TextMessage | null;
  answer: TextMessage | null;
  /** Answers before it that led to it: redirects, and demands for credentials. */
  readonly led: TextMessage[];
  readonly lines: TextLine[];
}

export const COMMAND = /^\s*(?:[^\s{["]\S{0,60}[$%#]\s+|[$%#>]\s*)?curl(?:\.exe)?\s/;
/** A body without a line break at its end, and behind it the shell that waits for the next command. */
const COMMAND_BEHIND = /(?<=[}\]])[^\s{}[\]"]{0,60}[$%#]\s+curl(?:\.exe)?\s/;
/** curl tells what it does, and how far it is. */
const NOTE =
  /^(?:\* |[{}] \[\d+ bytes data\]|\s*% Total\b|\s*Dload\s+Upload|\s*\d+\s+\d+\s+\d+\s+\d+\s.*:)/;
export const REQUEST_LINE = /^(?:> )?([A-Z]{3,10}) (\S{1,8000}) HTTP\/[\d.]+$/;
export const STATUS_LINE = /^(?:< )?HTTP\/[\d.]+ (\d{3})(?: [^\r\n]*)?$/;
const HEADER = /^(?:[<>] )?([!#$%&'*+.^_`|~\w-]{1,100}):\s?(.*)$/;
/** What curl prints behind a body without a line break of its own. */
const NOTE_BEHIND =
  /\* (?:Connection #\d+ to host|Closing connection|Request completely sent)[^\n]*$/;

/** A quote that nobody closed would take the rest of the text. */
const MOST_COMMAND_LINES = 1000;

export type LineFate = 'note' | 'other';

/** Puts the lines of a text to exchanges; `onLine` is told of every line that belongs to none. */
export class TextExchanges {
  readonly all: TextExchange[] = [];
  readonly #onLine: (line: TextLine, fate: LineFate) => void;
  #state: 'outside' | 'command' | 'head' | 'body' = 'outside';
  #message: TextMessage | null = null;

  constructor(onLine: (line: TextLine, fate: LineFate) => void) {
    this.#onLine = onLine;
  }

  /** `goesOn`: whether the command needs another line. */
  add(line: TextLine, goesOn: (command: string) => boolean): void {
    const { text } = line;
    const last = this.all.at(-1);
    const isAnswer = STATUS_LINE.test(text);
    if (this.#state === 'command' && last !== undefined && !isAnswer) {
      last.command.push(line);
      last.lines.push(line);
      const isLong = last.command.length >= MOST_COMMAND_LINES;
      const command = isLong ? '' : last.command.map((each) => each.text).join('\n');
      if (!goesOn(command)) this.#state = 'outside';
      return;
    }
    const behind = this.#state === 'body' ? COMMAND_BEHIND.exec(text) : null;
    if (behind !== null) {
      this.#addBody(line.before(behind.index));
      this.add(line.after(behind.index), goesOn);
    } else if (COMMAND.test(text)) {
      this.#begin(line).command.push(line);
      this.#state = goesOn(text) ? 'command' : 'outside';
    } else if (!this.#addHead(line)) {
      if (this.#state === 'head') this.#addHeader(line);
      else if (NOTE.test(text)) this.#onLine(line, 'note');
      else if (this.#state === 'body') this.#addBody(line);
      else if (text.trim() !== '') this.#onLine(line, 'other');
    }
  }

  /** Where a message begins. */
  #addHead(line: TextLine): boolean {
    const request = REQUEST_LINE.exec(line.text);
    const status = STATUS_LINE.exec(line.text);
    if (request === null && status === null) return false;
    const message: TextMessage = {
      method: request?.[1] ?? '',
      target: request?.[2] ?? '',
      status: status === null ? 0 : Number(status[1]),
      headers: new Map(),
      body: [],
    };
    let last = this.all.at(-1);
    if (request !== null) {
      // A command that has been typed is this request's.
      const isFree =
        last !== undefined &&
        ((last.request === null && last.answer === null) ||
          (/^>/.test(line.text) && goesOnAt(last, message.target)));
      if (last === undefined || !isFree) last = this.#begin(line);
      else last.lines.push(line);
      if (last.answer !== null) last.led.push(last.answer);
      last.answer = null;
      last.request = message;
    } else {
      // An interim answer is followed by the answer.
      const known = last?.answer ?? null;
      const isFree =
        last !== undefined &&
        (known === null ||
          (known.status < 200 && known.body.length === 0) ||
          leadsOn(known, last.command.length > 0));
      if (last === undefined || !isFree) last = this.#begin(line);
      else last.lines.push(line);
      if (known !== null && last.answer === known && known.status >= 200) last.led.push(known);
      last.answer = message;
    }
    this.#message = message;
    this.#state = 'head';
    return true;
  }

  #addHeader(line: TextLine): void {
    this.all.at(-1)?.lines.push(line);
    const { text } = line;
    if (/^[<>]?\s*$/.test(text)) {
      this.#state = 'body';
      return;
    }
    const [, name = '', value = ''] = HEADER.exec(text) ?? [];
    const key = name.toLowerCase();
    const known = this.#message?.headers.get(key);
    if (key !== '')
      this.#message?.headers.set(key, known === undefined ? value : `${known}, ${value}`);
  }

  #addBody(line: TextLine): void {
    const behind = NOTE_BEHIND.exec(line.text);
    const own = behind === null ? line : line.before(behind.index);
    this.#message?.body.push(own);
    this.all.at(-1)?.lines.push(own);
  }

  #begin(line: TextLine): TextExchange {
    const exchange: TextExchange = {
      command: [],
      request: null,
      answer: null,
      led: [],
      lines: [line],
    };
    this.all.push(exchange);
    this.#message = null;
    this.#state = 'outside';
    return exchange;
  }
}

/**
 * True of an answer that curl itself goes on from: it prints no body of it. A demand for credentials may
 * also be the end, so that only a command tells that what follows belongs to it.
 */
function leadsOn({ status, headers, body }: TextMessage, isOfCommand: boolean): boolean {
  if (body.some(({ text }) => text.trim() !== '')) return false;
  if (status >= 300 && status < 400) return headers.has('location');
  return isOfCommand && (status === 401 || status === 407);
}

/** Whether a request to this target goes on from the answer that came last. */
function goesOnAt({ request, answer }: TextExchange, target: string): boolean {
  if (request === null || answer === null || !leadsOn(answer, true)) return false;
  const location = answer.headers.get('location');
  if (location === undefined) return request.target === target;
  const address = absolute(location, `http://localhost${request.target}`);
  return absolute(target, address) === address;
}
