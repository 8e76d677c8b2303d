const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const COLON = 58;
const SPACE = 32;
/** Of a comment, type, id or retry; what is longer is cut, with how much. */
const LONGEST_TEXT_BYTES = 1000;
const MOST_COMMENTS = 100;
/** Of the field's name, so that a frame has the cap to itself. */
const PREFIX_BYTES = 'data: '.length;

export interface SseEvent {
  /** The data lines joined by line feeds, as bytes; null = the event has no data. */
  readonly data: Uint8Array | null;
  /** Event type; '' = the default, `message`. */
  readonly type: string;
  /** Null also where it is longer than a client can send back in a header; a comment says so. */
  readonly id: string | null;
  /** True where it has an id that is too long to be sent back; absent else. */
  readonly hasLongId?: true;
  readonly retry: string | null;
  /** The first ones; the last says how many more there were. */
  readonly comments: readonly string[];
}

export interface SseSink {
  event(event: SseEvent): void;
  /** One event's data, or one line, grew beyond the cap. */
  tooLarge(bytes: Uint8Array, seenBytes: number): void;
}

/**
 * Reads an event stream (WHATWG HTML, server-sent events) from bytes. Data is never decoded, so a
 * frame keeps its bytes whatever encoding the server meant.
 */
export class SseReader {
  readonly #capBytes: number;
  readonly #sink: SseSink;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #skipLineFeed = false;
  #isFirstLine = true;
  #isOver = false;
  #data: Uint8Array[] = [];
  #dataBytes = 0;
  #type = '';
  #id: string | null = null;
  #hasLongId = false;
  #retry: string | null = null;
  #comments: string[] = [];
  #omittedComments = 0;

  constructor(capBytes: number, sink: SseSink) {
    this.#capBytes = capBytes;
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    if (this.#skipLineFeed && chunk.length > 0) {
      if (chunk[0] === LINE_FEED) from = 1;
      this.#skipLineFeed = false;
    }
    while (!this.#isOver && from < chunk.length) {
      const end = lineEndAt(chunk, from);
      this.#hold(chunk.subarray(from, end));
      if (this.#isOver || end === chunk.length) return;
      this.#line(this.#take());
      const isReturn = chunk[end] === CARRIAGE_RETURN;
      from = end + 1;
      if (!isReturn) continue;
      if (from === chunk.length) this.#skipLineFeed = true;
      else if (chunk[from] === LINE_FEED) from += 1;
    }
  }

  /** The data of an event that the stream's end has cut, which a client must drop; null = none. */
  rest(): Uint8Array | null {
    if (this.#isOver) return null;
    if (this.#heldBytes > 0) this.#line(this.#take());
    return this.#data.length === 0 ? null : joinLines(this.#data);
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes + this.#dataBytes <= this.#capBytes + PREFIX_BYTES) return;
    this.#isOver = true;
    const line = Buffer.concat(this.#held);
    const data = [...this.#data, ...dataOf(line)];
    // A comment or an id without end has no data before it; then the line itself is what came.
    const all = joinLines(data.length === 0 ? [line] : data);
    this.#sink.tooLarge(all.subarray(0, this.#capBytes), this.#heldBytes + this.#dataBytes);
  }

  #take(): Uint8Array {
    const line = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }

  #line(line: Uint8Array): void {
    const hasMark = this.#isFirstLine && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
    this.#isFirstLine = false;
    const bytes = hasMark ? line.subarray(3) : line;
    if (bytes.length === 0) {
      this.#dispatch();
      return;
    }
    const colon = bytes.indexOf(COLON);
    const name = shortTextOf(colon < 0 ? bytes : bytes.subarray(0, colon));
    const after = colon < 0 ? bytes.subarray(bytes.length) : bytes.subarray(colon + 1);
    const value = after[0] === SPACE ? after.subarray(1) : after;
    this.#field(name, value);
  }

  #field(name: string, value: Uint8Array): void {
    switch (name) {
      case '':
        this.#comment(shortTextOf(value));
        break;
      case 'data':
        this.#data.push(value);
        this.#dataBytes += value.length + 1;
        break;
      case 'event':
        this.#type = shortTextOf(value);
        break;
      case 'id':
        this.#idField(value);
        break;
      case 'retry':
        this.#retry = shortTextOf(value);
        break;
    }
  }

  #comment(text: string): void {
    if (this.#comments.length < MOST_COMMENTS) this.#comments.push(text);
    else this.#omittedComments += 1;
  }

  /** One with a NUL is none (WHATWG HTML, interpreting an event stream). */
  #idField(value: Uint8Array): void {
    if (value.includes(0)) return;
    if (value.length <= LONGEST_TEXT_BYTES) this.#id = new TextDecoder().decode(value);
    else {
      this.#hasLongId = true;
      this.#comment(`(an id too long to be used: ${shortTextOf(value)})`);
    }
  }

  #dispatch(): void {
    const event: SseEvent = {
      data: this.#data.length === 0 ? null : joinLines(this.#data),
      type: this.#type,
      id: this.#id,
      ...(this.#hasLongId ? { hasLongId: true as const } : {}),
      retry: this.#retry,
      comments:
        this.#omittedComments === 0
          ? this.#comments
          : [...this.#comments, `(${this.#omittedComments} more not kept)`],
    };
    this.#data = [];
    this.#dataBytes = 0;
    this.#type = '';
    this.#id = null;
    this.#hasLongId = false;
    this.#retry = null;
    this.#comments = [];
    this.#omittedComments = 0;
    this.#sink.event(event);
  }
}

/** The value of an unfinished data line, without the name before it; none of another field. */
function dataOf(line: Uint8Array): Uint8Array[] {
  const name = new TextDecoder().decode(line.subarray(0, PREFIX_BYTES));
  if (!name.startsWith('data:')) return [];
  return [line.subarray(name === 'data: ' ? PREFIX_BYTES : PREFIX_BYTES - 1)];
}

function lineEndAt(chunk: Uint8Array, from: number): number {
  const lineFeed = chunk.indexOf(LINE_FEED, from);
  const end = lineFeed < 0 ? chunk.length : lineFeed;
  const carriageReturn = chunk.subarray(from, end).indexOf(CARRIAGE_RETURN);
  return carriageReturn < 0 ? end : from + carriageReturn;
}

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return only;
  return Buffer.concat(
    lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.of(LINE_FEED), line])),
  );
}

function shortTextOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST_TEXT_BYTES));
  const cutBytes = bytes.length - LONGEST_TEXT_BYTES;
  return cutBytes <= 0 ? text : `${text}… (${cutBytes} more bytes)`;
}
