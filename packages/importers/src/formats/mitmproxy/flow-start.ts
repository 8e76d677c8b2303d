import { readTnet, TnetReader, type TnetValue } from './tnetstring.ts';

/** A flow begins with its length and one of its keys, `<length>:<name><type>`. */
const BEGINS =
  /^\d{2,12}:\d{1,2}:(?:type|version|id|request|response|error|client_conn|server_conn|websocket|metadata|intercepted|is_replay|marked|comment|messages|timestamp_created|backup)[;,]/;

const COLON = 0x3a;
const LONGEST_BEGINNING = 60;
/** A flow has some fifteen keys, each with a value; what has many is none, and must not cost much. */
const MOST_ITEMS = 80;

/** True where the bytes begin as a flow does, wherever it ends. */
export function beginsFlow(bytes: Uint8Array, at: number): boolean {
  const text = String.fromCharCode(...bytes.subarray(at, at + LONGEST_BEGINNING));
  return BEGINS.test(text);
}

/**
 * Where the next whole flow begins; null where none does. Parts of a flow look alike, but have no
 * version. What was cut before it may end in digits, so any of those may be the first of its length.
 */
export function nextFlow(bytes: Uint8Array, from: number): number | null {
  const reader = new TnetReader(bytes);
  for (let colon = bytes.indexOf(COLON, from); colon >= 0; ) {
    let first = colon;
    while (first > from && colon - first < 12 && isDigit(bytes[first - 1])) first -= 1;
    for (let at = first; at <= colon - 2; at += 1) {
      if (beginsFlow(bytes, at) && isFlow(reader, readTnet(bytes, at, bytes.length))) return at;
    }
    colon = bytes.indexOf(COLON, colon + 1);
  }
  return null;
}

function isFlow(reader: TnetReader, value: TnetValue | null): boolean {
  if (value?.type !== '}') return false;
  const keys = reader.items(value, MOST_ITEMS).filter((_item, index) => index % 2 === 0);
  const names = new Set(keys.map((key) => reader.text(key)));
  return names.has('version') && (names.has('request') || names.has('type'));
}

/**
 * Where reading goes on behind what is no flow: behind a whole value that a flow or nothing
 * follows, else where the next flow begins, else at the end.
 */
export function behindDamage(bytes: Uint8Array, at: number, value: TnetValue | null): number {
  if (value !== null && (value.end === bytes.length || beginsFlow(bytes, value.end))) {
    return value.end;
  }
  return nextFlow(bytes, at + 1) ?? bytes.length;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
