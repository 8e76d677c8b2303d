/** A time as a source writes it, read. Nanoseconds since 1970 or, for `timeOfDay`, since midnight. */
export interface SourceTime {
  readonly clock: 'zoned' | 'local' | 'timeOfDay';
  readonly ns: bigint;
  readonly text: string;
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,40}))?)?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i;
const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,40}))?)? ?([AP]M)?$/i;

/** Nanoseconds since 1970 of these years fit into 64 bits. */
const FIRST_YEAR = 1678;
const LAST_YEAR = 2261;
const LARGEST_NS = 2n ** 63n - 1n;

/** The time, or null where it doesn't fit into 64 bits (a hostile or damaged source). */
export function nsInRange(ns: bigint): bigint | null {
  return ns >= -LARGEST_NS && ns <= LARGEST_NS ? ns : null;
}

export const NS_PER_SECOND = 1_000_000_000n;
export const NS_PER_DAY = 86_400n * NS_PER_SECOND;

/**
 * Reads ISO 8601 and RFC 3339 times (offset, `Z`, or none = `local`) and times of day, exact to
 * the nanosecond; digits beyond are dropped. Null where the text is no time.
 */
export function readTime(text: string): SourceTime | null {
  return readIso(text) ?? readTimeOfDay(text);
}

/** Milliseconds since 1970, for sources that are put in order; null where the text is no time. */
export function readMilliseconds(text: string | null): number | null {
  const time = text === null ? null : readTime(text.trim());
  return time === null ? null : Number(time.ns / 1_000_000n);
}

function readIso(text: string): SourceTime | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const check = new Date(date);
  if (check.getUTCMonth() + 1 !== Number(month) || check.getUTCDate() !== Number(day)) return null;
  const seconds =
    BigInt(date / 1000) + BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  const ns = seconds * NS_PER_SECOND + fractionNs(fraction);
  if (zone === undefined) return { clock: 'local', ns, text };
  return { clock: 'zoned', ns: ns - offsetSeconds(zone) * NS_PER_SECOND, text };
}

function readTimeOfDay(text: string): SourceTime | null {
  const match = TIME_OF_DAY.exec(text);
  if (match === null) return null;
  const [, hourText, minute, second = '0', fraction = '', half] = match;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const seconds = BigInt(hour * 3600 + Number(minute) * 60 + Number(second));
  return { clock: 'timeOfDay', ns: seconds * NS_PER_SECOND + fractionNs(fraction), text };
}

function fractionNs(digits: string): bigint {
  return BigInt(digits.slice(0, 9).padEnd(9, '0'));
}

function offsetSeconds(zone: string): bigint {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0n;
  const [, sign, hours = '0', minutes = '0'] = match;
  const seconds = BigInt(Number(hours) * 3600 + Number(minutes) * 60);
  return sign === '-' ? -seconds : seconds;
}

/** Units of a decimal number of time. */
const DIGITS_PER_UNIT = { s: 9, ms: 6, us: 3, ns: 0 } as const;

/** A decimal number (as written) of seconds, milliseconds ... to nanoseconds, exactly. */
export function decimalToNs(text: string, unit: keyof typeof DIGITS_PER_UNIT): bigint | null {
  const match = /^(-?)(\d{1,24})(?:\.(\d{1,30}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const digits = DIGITS_PER_UNIT[unit];
  const ns = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return nsInRange(sign === '-' ? -ns : ns);
}

/** A number of time since 1970 whose unit its size gives away; null below the year 1973 in seconds. */
export function epochToNs(text: string): bigint | null {
  const size = Math.abs(Number(text));
  if (!(size >= 1e8)) return null;
  return decimalToNs(text, size < 1e11 ? 's' : size < 1e14 ? 'ms' : size < 1e17 ? 'us' : 'ns');
}
