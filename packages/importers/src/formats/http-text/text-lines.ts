const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** A line of a source, without its end. */
export class TextLine {
  readonly text: string;
  readonly offset: number;
  readonly length: number;

  constructor(text: string, offset: number, length: number) {
    this.text = text;
    this.offset = offset;
    this.length = length;
  }

  get end(): number {
    return this.offset + this.length;
  }

  /** Its first characters. */
  before(characters: number): TextLine {
    const text = this.text.slice(0, characters);
    return new TextLine(text, this.offset, new TextEncoder().encode(text).length);
  }

  /** What follows its first characters. */
  after(characters: number): TextLine {
    const { length } = this.before(characters);
    const text = this.text.slice(characters);
    return new TextLine(text, this.offset + length, this.length - length);
  }
}

/** All lines of some bytes, of which a byte order mark is none. */
export function* textLines(bytes: Uint8Array): Generator<TextLine> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let at = hasMark ? 3 : 0; at < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, at);
    const next = found < 0 ? bytes.length : found + 1;
    let end = found < 0 ? bytes.length : found;
    if (end > at && bytes[end - 1] === RETURN) end -= 1;
    yield new TextLine(decoder.decode(bytes.subarray(at, end)), at, end - at);
    at = next;
  }
}
