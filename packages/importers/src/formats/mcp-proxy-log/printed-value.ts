/** What a program printed of a value, as JSON text. */
export interface PrintedValue {
  readonly json: string;
  /** Where printing stopped short: strings with "N more characters", lists with "N more items". */
  readonly cuts: readonly Cut[];
  /** Behind the value. */
  readonly end: number;
}

export interface Cut {
  readonly pointer: string;
  readonly kind: 'characters' | 'items' | 'value';
  readonly count: number | null;
  readonly marker: string;
}

interface Level {
  readonly close: string;
  readonly isList: boolean;
  readonly pointer: string;
  count: number;
  key: string;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
]);
const SPACE = /\s*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$.]*/y;
const LEFT_OUT = /\[(?:Object|Array|Circular[^\]]{0,20}|\[?Prototype\]?)[^\]]{0,40}\]/y;
const MORE = /\.\.\. ?(\d+) more (character|item)s?/y;
const WORDS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['true', 'true'],
  ['False', 'false'],
  ['false', 'false'],
  ['None', 'null'],
  ['null', 'null'],
  ['undefined', 'null'],
]);

/**
 * Reads what util.inspect and Python's repr print: quotes of three kinds, strings joined by `+`, bare
 * keys, `Name(key=value)`, tuples, True and None. Null where it is something else. Iterative.
 */
export function readPrinted(text: string, start: number): PrintedValue | null {
  return new PrintedReader(text, start).read();
}

class PrintedReader {
  readonly #text: string;
  #at: number;
  #json = '';
  readonly #cuts: Cut[] = [];
  readonly #levels: Level[] = [];

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  read(): PrintedValue | null {
    for (;;) {
      this.#skip(SPACE);
      if (!this.#closeOrSeparate()) return null;
      const level = this.#levels.at(-1);
      if (level === undefined && this.#json !== '') {
        return { json: this.#json, cuts: this.#cuts, end: this.#at };
      }
      const more = this.#match(MORE);
      if (more !== null) {
        const count = Number(more[1]);
        const kind = more[2] === 'item' ? 'items' : 'characters';
        this.#cuts.push({ pointer: level?.pointer ?? '', kind, count, marker: more[0] });
        continue;
      }
      if (level !== undefined) {
        if (level.count > 0) this.#json += ',';
        level.count += 1;
        if (!level.isList && !this.#key(level)) return null;
      }
      if (!this.#value()) return null;
    }
  }

  /** Ends levels that close here; false at the end of the text within one. */
  #closeOrSeparate(): boolean {
    for (;;) {
      const level = this.#levels.at(-1);
      if (level === undefined) return true;
      if (this.#at >= this.#text.length) return false;
      const here = this.#text[this.#at];
      if (here === level.close) {
        this.#json += level.isList ? ']' : '}';
        this.#levels.pop();
        this.#at += 1;
      } else if (here === ',' && level.count > 0) this.#at += 1;
      else return true;
      this.#skip(SPACE);
    }
  }

  #key(level: Level): boolean {
    const quoted = this.#string();
    const key = quoted ?? this.#match(WORD)?.[0] ?? null;
    if (key === null) return false;
    this.#skip(SPACE);
    const separator = this.#text[this.#at];
    if (separator !== ':' && separator !== '=') return false;
    this.#at += 1;
    level.key = key.replaceAll('~', '~0').replaceAll('/', '~1');
    this.#json += `${JSON.stringify(key)}:`;
    return true;
  }

  #value(): boolean {
    this.#skip(SPACE);
    const pointer = this.#pointer();
    const leftOut = this.#match(LEFT_OUT);
    if (leftOut !== null) {
      this.#cuts.push({ pointer, kind: 'value', count: null, marker: leftOut[0] });
      this.#json += 'null';
      return true;
    }
    const text = this.#string();
    if (text !== null) {
      this.#json += JSON.stringify(text);
      const more = this.#match(MORE);
      if (more !== null) {
        const cut = { kind: 'characters', count: Number(more[1]), marker: more[0] } as const;
        this.#cuts.push({ pointer, ...cut });
      }
      return true;
    }
    const number = this.#match(NUMBER);
    if (number !== null) {
      this.#json += number[0];
      return true;
    }
    const word = this.#match(WORD)?.[0];
    const known = word === undefined ? undefined : WORDS.get(word);
    if (known !== undefined) {
      this.#json += known;
      return true;
    }
    return this.#open(pointer, word !== undefined);
  }

  #open(pointer: string, isNamed: boolean): boolean {
    const open = this.#text[this.#at] ?? '';
    const close = CLOSERS.get(open);
    if (close === undefined || this.#levels.length > 2000) return false;
    const isList = open === '[' || (open === '(' && !isNamed);
    this.#levels.push({ close, isList, pointer, count: 0, key: '' });
    this.#json += isList ? '[' : '{';
    this.#at += 1;
    return true;
  }

  #pointer(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) return '';
    return `${level.pointer}/${level.isList ? level.count - 1 : level.key}`;
  }

  /** A quoted string with those that are joined to it; null where there is none. */
  #string(): string | null {
    const begin = this.#at;
    let whole: string | null = null;
    for (;;) {
      const one = this.#quoted();
      if (one === null) {
        if (whole === null) this.#at = begin;
        return whole;
      }
      whole = (whole ?? '') + one;
      const behind = this.#at;
      this.#skip(SPACE);
      if (this.#text[this.#at] !== '+') {
        this.#at = behind;
        return whole;
      }
      this.#at += 1;
      this.#skip(SPACE);
    }
  }

  #quoted(): string | null {
    const quote = this.#text[this.#at] ?? '';
    if (quote !== "'" && quote !== '"' && quote !== '`') return null;
    const parts: string[] = [];
    let from = this.#at + 1;
    for (let at = from; at < this.#text.length; at += 1) {
      const here = this.#text[at];
      if (here === quote) {
        parts.push(this.#text.slice(from, at));
        this.#at = at + 1;
        return parts.join('');
      }
      if (here !== '\\') continue;
      parts.push(this.#text.slice(from, at));
      const next = this.#text[at + 1] ?? '';
      const hex =
        /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8}))/.exec(
          this.#text.slice(at + 1, at + 11),
        );
      const code = Number.parseInt(hex?.[1] ?? hex?.[2] ?? hex?.[3] ?? hex?.[4] ?? '', 16);
      if (hex !== null && code <= 0x10ffff) parts.push(String.fromCodePoint(code));
      else parts.push(ESCAPES.get(next) ?? next);
      at += hex === null ? 1 : hex[0].length;
      from = at + 1;
    }
    return null;
  }

  #skip(pattern: RegExp): void {
    this.#match(pattern);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}
