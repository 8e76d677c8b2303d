/**
 * Money is counted in pico-dollars (10^-12 USD) as bigint: a price of N USD for a million tokens is
 * N * 10^6 of them a token, so that products and sums of prices with six decimals are exact.
 */
const DECIMALS = 12;
/** Beyond this nobody wrote an amount of money. */
const MOST_DIGITS = 40;
const AMOUNT = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Pico-dollars of an amount written as a decimal number, "0.0123" or "1.2e-05"; rounded half up
 * beyond twelve decimals. Null for anything else, and for negative amounts.
 */
export function readUsd(text: string): bigint | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = '', exponentText = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const shift = DECIMALS + Number(exponentText) - fraction.length;
  if (whole.length + fraction.length > MOST_DIGITS || Math.abs(shift) > MOST_DIGITS) return null;
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits * 2n + divisor) / (divisor * 2n);
}

/** The exact amount as decimal text without trailing zeros: "0.0123", "3". */
export function usdText(picoUsd: bigint): string {
  const digits = String(picoUsd).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
