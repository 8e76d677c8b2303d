export type Sameness = 'identical' | 'equal' | 'different';

/**
 * Compares two number tokens by their decimal value, of any size and exponent and never through a
 * double: `identical` is the same text, `equal` the same value (1.0 and 1, 1e2 and 100, -0 and 0).
 * Costs time and memory in the length of the texts, not in the size of the exponents. A text that
 * is not an RFC 8259 number equals only itself.
 */
export function compareNumbersExactly(a: string, b: string): Sameness {
  if (a === b) return 'identical';
  const left = decimalOf(a);
  const right = decimalOf(b);
  if (left === null || right === null) return 'different';
  if (left.digits === '' && right.digits === '') return 'equal';
  const same =
    left.negative === right.negative &&
    left.digits === right.digits &&
    left.exponent === right.exponent;
  return same ? 'equal' : 'different';
}

/** Would a JavaScript double print another value than this number token has? */
export function losesInDoubles(numberText: string): boolean {
  const printed = String(Number(numberText));
  return printed !== numberText && compareNumbersExactly(numberText, printed) === 'different';
}

/**
 * One text for every spelling of one number: 1, 1.0 and 10e-1 have the same. A text that is not an
 * RFC 8259 number is its own.
 */
export function numberKey(numberText: string): string {
  if (SHORT_INTEGER.test(numberText)) {
    let to = numberText.length;
    while (numberText.charCodeAt(to - 1) === 0x30) to -= 1;
    return `${numberText.slice(0, to)}e${numberText.length - to}`;
  }
  const decimal = decimalOf(numberText);
  if (decimal === null) return numberText;
  if (decimal.digits === '') return '0';
  return `${decimal.negative ? '-' : ''}${decimal.digits}e${decimal.exponent}`;
}

/** Most numbers of a result: their key takes no decimal arithmetic. */
const SHORT_INTEGER = /^-?[1-9][0-9]{0,30}$/;

/** `-digits * 10 ** exponent` without leading or trailing zeros; zero has no digits. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: bigint;
}

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/u;

function decimalOf(text: string): Decimal | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const fraction = match[3] ?? '';
  const all = (match[2] ?? '') + fraction;
  let from = 0;
  while (all.charCodeAt(from) === 0x30) from += 1;
  let to = all.length;
  while (to > from && all.charCodeAt(to - 1) === 0x30) to -= 1;
  const digits = all.slice(from, to);
  // BigInt takes no plus sign.
  const written = BigInt((match[4] ?? '0').replace('+', ''));
  const exponent = written - BigInt(fraction.length) + BigInt(all.length - to);
  return { negative: match[1] === '-', digits, exponent };
}
