/**
 * One value of a typed netstring (`<length>:<payload><type>`), as mitmproxy writes it: `,` bytes,
 * `;` text, `#` whole number, `^` number, `!` truth, `~` nothing, `]` list, `}` pairs of key and value.
 * Only a place: nothing below it is read until it is asked for, so that depth costs nothing.
 */
export interface TnetValue {
  readonly type: string;
  /** Where the payload stands. */
  readonly at: number;
  readonly length: number;
  /** Behind the type. */
  readonly end: number;
}

const COLON = 0x3a;
const TYPES: ReadonlySet<string> = new Set([',', ';', '#', '^', '!', '~', ']', '}']);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The value that begins at `at` and ends at `limit` at the latest; null where there is none. */
export function readTnet(bytes: Uint8Array, at: number, limit: number): TnetValue | null {
  let length = 0;
  let here = at;
  for (; here < limit && here < at + 12; here += 1) {
    const digit = (bytes[here] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    length = length * 10 + digit;
  }
  if (here === at || bytes[here] !== COLON) return null;
  const end = here + 1 + length + 1;
  if (end > limit) return null;
  const type = String.fromCharCode(bytes[end - 1] ?? 0);
  return TYPES.has(type) ? { type, at: here + 1, length, end } : null;
}

/** Reads values of one file. */
export class TnetReader {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Of a list or of pairs, one after the other, so many at most; what can't be read ends it. */
  items(list: TnetValue | null, most = Number.POSITIVE_INFINITY): TnetValue[] {
    if (list === null || (list.type !== ']' && list.type !== '}')) return [];
    const found: TnetValue[] = [];
    const limit = list.at + list.length;
    for (let at = list.at; at < limit && found.length < most; ) {
      const item = readTnet(this.#bytes, at, limit);
      if (item === null) break;
      found.push(item);
      at = item.end;
    }
    return found;
  }

  /** The value of a key; null where it is missing or nothing. */
  get(pairs: TnetValue | null, key: string): TnetValue | null {
    if (pairs?.type !== '}') return null;
    const items = this.items(pairs);
    for (let index = 0; index + 1 < items.length; index += 2) {
      const name = items[index];
      const value = items[index + 1];
      if (name === undefined || value === undefined || this.text(name) !== key) continue;
      return value.type === '~' ? null : value;
    }
    return null;
  }

  /** Bytes or text as text; null for anything else. */
  text(value: TnetValue | null): string | null {
    if (value === null || (value.type !== ',' && value.type !== ';')) return null;
    return decoder.decode(this.#bytes.subarray(value.at, value.at + value.length));
  }

  /** A number as it is written. */
  number(value: TnetValue | null): string | null {
    if (value === null || (value.type !== '#' && value.type !== '^')) return null;
    return decoder.decode(this.#bytes.subarray(value.at, value.at + value.length));
  }
}
