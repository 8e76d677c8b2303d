import { scanNumber } from './scan.ts';

/** Scalars as JSON, JavaScript and Python print them. */
export interface TolerantScalar {
  kind: 'literal' | 'number';
  value: true | false | null;
  end: number;
  strict: boolean;
}

const WORDS: ReadonlyMap<string, Omit<TolerantScalar, 'end'>> = new Map([
  ['true', { kind: 'literal', value: true, strict: true }],
  ['false', { kind: 'literal', value: false, strict: true }],
  ['null', { kind: 'literal', value: null, strict: true }],
  ['True', { kind: 'literal', value: true, strict: false }],
  ['False', { kind: 'literal', value: false, strict: false }],
  ['None', { kind: 'literal', value: null, strict: false }],
  ['undefined', { kind: 'literal', value: null, strict: false }],
  ['NaN', { kind: 'number', value: null, strict: false }],
  ['Infinity', { kind: 'number', value: null, strict: false }],
  ['-Infinity', { kind: 'number', value: null, strict: false }],
  ['+Infinity', { kind: 'number', value: null, strict: false }],
]);

const WORD = /[-+]?[A-Za-z_$][\w$]{0,40}/uy;
const LOOSE_NUMBER =
  /[-+]?(?:0x[0-9a-f]+|(?:\d[\d_]*(?:\.\d[\d_]*|\.(?!\.))?|\.\d[\d_]*)(?:e[+-]?\d+)?)n?/iuy;
const STRICT_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;
const OPEN_NUMBER = /(?:[-+]|[-+]?\d[\d_]*(?:\.\d*)?(?:e[-+]?)?)$/iuy;

/** The scalar at an offset, or null. */
export function scalarAt(text: string, offset: number): TolerantScalar | null {
  const strictEnd = scanNumber(text, offset);
  if (strictEnd >= 0 && !/[\w.]/u.test(text.charAt(strictEnd))) {
    return { kind: 'number', value: null, end: strictEnd, strict: true };
  }
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  if (word !== undefined) {
    const known = WORDS.get(word);
    return known === undefined ? null : { ...known, end: offset + word.length };
  }
  LOOSE_NUMBER.lastIndex = offset;
  const number = LOOSE_NUMBER.exec(text)?.[0];
  if (number === undefined) return null;
  const end = offset + number.length;
  // `1.` and `1e` at the very end are numbers that were cut, not numbers.
  if (end === text.length && number.endsWith('.')) return null;
  if (end < text.length && /^e[+-]?$/iu.test(text.slice(end, end + 3))) return null;
  return { kind: 'number', value: null, end, strict: STRICT_NUMBER.test(number) };
}

/** Does the text end inside a word or number that begins here? */
export function isOpenScalar(text: string, offset: number): boolean {
  const rest = text.slice(offset, offset + 10);
  if (offset + rest.length === text.length) {
    for (const word of WORDS.keys()) if (word.startsWith(rest)) return true;
  }
  OPEN_NUMBER.lastIndex = offset;
  return OPEN_NUMBER.test(text);
}

const BARE_KEY = /[\w$\u0080-\u200a\u2030-\u22ee\u22f0-\uffff-]+/uy;

/** The end of a key without quotes, or -1. */
export function bareKeyEnd(text: string, offset: number): number {
  BARE_KEY.lastIndex = offset;
  const key = BARE_KEY.exec(text)?.[0];
  return key === undefined ? -1 : offset + key.length;
}
